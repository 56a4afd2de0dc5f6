"""`porter regenerate`: every port made again and compared with its lock file."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from porter.base import fs
from porter.base.errors import Problem, SourceError
from porter.cli import console, options
from porter.cli.release_checks import KNOWN_RELEASES
from porter.mapping.library import MappingLibrary
from porter.report.diff_text import lines
from porter.vendor_repository import (
    project_file,
    regenerate_page,
    regenerate_report,
    release_trees,
)
from porter.vendor_repository import regenerate as ports
from porter.vendor_repository.regenerate import LockState, Regenerated, RegenerateSettings
from porter.vendor_repository.release_trees import ReleaseTrees

_SHOWN = 20
"""Largest number of rows that the terminal shows of each table."""


class TreeOfRelease(click.ParamType[tuple[str, Path]]):
    """Type of an option: a pair (release, path of its tree), written as `2.6.0=DIR`."""

    name = "tree"
    envvar_list_splitter = os.pathsep

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Path]:
        release, equals, place = str(value).partition("=")
        if not equals or not place:
            self.fail(
                f"'{value}' is not RELEASE=DIR, for example 2.6.0=/path/to/pytorch", param, ctx
            )
        if not release_trees.is_name(release):
            self.fail(f"'{release}' is not a PyTorch release: {release_trees.EXAMPLE}", param, ctx)
        return release, Path(place)


@click.command()
@click.option(
    "--release",
    "releases",
    multiple=True,
    metavar="VERSION",
    help="Release to port, for example 2.6.0, or 2.6.0-headers to port only its header tree; may be given several"
    " times. Default: the releases of porter.toml, else the releases of the lock files.",
)
@click.option(
    "--target",
    "-t",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Target to port to; may be given several times. Default: the targets of porter.toml, else the targets of the"
    " lock files.",
)
@click.option("--update", is_flag=True, help="Rewrite the lock files.")
@click.option(
    "--locks",
    type=options.PathArgument(file_okay=False),
    default=lambda: project_file.read().locks,
    show_default="generated",
    metavar="DIR",
    help="Folder of the lock files, <target>-<release>.lock.json.",
)
@click.option(
    "--tree",
    "trees",
    multiple=True,
    type=TreeOfRelease(),
    metavar="RELEASE=DIR",
    envvar="PORTER_TREES",
    show_envvar=True,
    help="Source tree or header tree of RELEASE on this machine; may be given several times. All other trees are"
    " fetched.",
)
@click.option(
    "--report",
    type=options.PathArgument(dir_okay=False),
    metavar="FILE",
    help="Also write the result as Markdown, for the summary of a CI job.",
)
@options.html
@click.option(
    "--summary",
    type=options.PathArgument(dir_okay=False),
    metavar="FILE",
    help="Append a short result to FILE as Markdown: all ports, and the three worst rows. For $GITHUB_STEP_SUMMARY.",
)
@click.option(
    "--out",
    type=options.PathArgument(file_okay=False),
    metavar="DIR",
    help="Folder that keeps the ports, in DIR/<target>/<release>; default: a temporary folder.",
)
@options.jobs
@options.mappings
@options.as_json
def regenerate(
    releases: tuple[str, ...],
    targets: tuple[str, ...],
    update: bool,
    locks: Path,
    trees: tuple[tuple[str, Path], ...],
    report: Path | None,
    page: Path | None,
    summary: Path | None,
    out: Path | None,
    jobs: int,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Check the mappings, make every port again, and compare each port with its lock file.

    A lock file contains the results of a port (hashes, rule hits, residue, hazards), but no text of PyTorch. A port
    differs from its lock file if the mappings, porter or upstream changed; the difference is called drift. If the drift
    is intended, rewrite the lock files with --update, and review their diff. Vendor text that no rule decides is a
    finding, unless the target's budget allows it.

    Exit codes: 0 all ports equal their lock files, or the lock files were updated; 1 drift, a missing lock file, or
    findings; otherwise the exit code of the first failed port.

    \b
    porter regenerate
    porter regenerate --target acme --release 2.7.1 --update
    porter regenerate --tree 2.6.0=../pytorch --report drift.md
    """
    library = MappingLibrary.find(mapping_dirs)
    for target in targets:
        library.root_of(target)
    for release in (*releases, *(release for release, _ in trees)):
        release_trees.check_name(release)
    locked_targets, locked_releases = ports.locked_ports(locks)
    settings = RegenerateSettings(
        library=library,
        targets=list(
            dict.fromkeys(
                options.targets(targets, mapping_dirs) or locked_targets or library.targets()
            )
        ),
        releases=list(
            dict.fromkeys(
                releases or project_file.read().releases or locked_releases or KNOWN_RELEASES
            )
        ),
        trees=ReleaseTrees(dict(trees)),
        locks=locks,
        out=out,
        update=update,
        jobs=jobs,
        progress=console.progress,
    )
    checked = ports.check_mappings(settings)
    warnings = list(dict.fromkeys(w for found in checked.values() for w in found.warnings))
    warnings = [options.located(problem, mapping_dirs) for problem in warnings]
    for problem in warnings:
        console.note(str(problem).replace("error:", "warning:", 1))
    results = []
    for result in ports.regenerate(settings, checked):
        problems = tuple(options.located(problem, mapping_dirs) for problem in result.problems)
        results.append(replace(result, problems=problems))
        _show(results[-1], as_json)
    if as_json:
        console.print_json(regenerate_report.document(checked, results))
    if report:
        fs.write_if_changed(report, regenerate_report.markdown(warnings, results))
    if page:
        fs.write_if_changed(page, regenerate_page.render(checked, results))
    if summary:
        _append(summary, regenerate_page.summary(results))
    codes = [result.code for result in results if result.code]
    return codes[0] if codes else int(bool(warnings) or not all(one.fine for one in results))


def _append(place: Path, text: str) -> None:
    """Append text to a file. Raises SourceError if the path is no regular file, or if it cannot be written."""
    if place.exists() and not place.is_file():
        # Opening a named pipe would wait for a reader.
        help = "choose the path of a regular file"
        raise SourceError("cannot be written: not a regular file", str(place), help)
    try:
        with place.open("a", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    except OSError as error:
        raise fs.cannot_write(error, place) from None


def _show(result: Regenerated, as_json: bool) -> None:
    """Print the drift of a port on stdout, and the problems of the port on stderr."""
    if not as_json:
        head = f"{result.target} {result.release}: {regenerate_report.headline(result)}"
        if result.made:
            head += f" ({len(result.made.lock.files)} files, {result.seconds:.1f} s)"
        console.print_text(f"{head}\n")
        if result.drift:
            console.print_lines(lines(result.drift, (str(result.lock), "this port"), _SHOWN))
            console.print_text("\n")
        sys.stdout.flush()
    for problem in result.problems:
        console.note(str(problem))
    if result.state not in (LockState.AS_LOCKED, LockState.FAILED) and not result.updated:
        again = f"--target {result.target} --release {result.release} --update"
        help = f"if the change is intended, run porter regenerate {again}"
        text = f"the port of PyTorch {result.release} to {result.target} {regenerate_report.headline(result)}"
        console.note(str(Problem(text, str(result.lock), help)))
