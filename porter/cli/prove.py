"""`porter release prove`: test of releases, by porting their header trees and generating registrations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import click

from porter.base import fs
from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.regenerate import TreeOfRelease
from porter.cli.release_checks import unknown_release
from porter.mapping.library import MappingLibrary
from porter.model.proof import Proof
from porter.model.versions import version
from porter.port import header_tree
from porter.release import known, matrix, rendering
from porter.vendor_repository import release_trees
from porter.vendor_repository.release_trees import ReleaseTrees


@click.command(short_help="Test releases: port their header trees and generate registrations.")
@click.argument("releases", nargs=-1, metavar="[RELEASE]...")
@click.option(
    "--target",
    "-t",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Target to port to; may be given several times. Default: all targets.",
)
@click.option(
    "--compile",
    "compiles",
    is_flag=True,
    help="For target simt, also compile the registrations and the backend against the wheel's headers (minutes for each"
    " release).",
)
@click.option(
    "--tree",
    "trees",
    multiple=True,
    type=TreeOfRelease(),
    metavar="RELEASE=DIR",
    help="Header tree of RELEASE on this machine; may be given several times. All other header trees are fetched.",
)
@click.option("--again", is_flag=True, help="Repeat proofs that earlier runs stored.")
@click.option(
    "--update", is_flag=True, help="Write the proofs into mappings/pytorch/releases.yaml."
)
@click.option(
    "--report",
    type=options.PathArgument(dir_okay=False),
    metavar="FILE",
    help="Also write a Markdown page with the proven stages of every release and target, and with figures.",
)
@click.option(
    "--out",
    type=options.PathArgument(file_okay=False),
    metavar="DIR",
    help="Folder that keeps the ports and registrations, in DIR/<target>/<release>-headers; default: a temporary"
    " folder.",
)
@options.jobs
@options.mappings
@options.as_json
def prove(
    releases: tuple[str, ...],
    targets: tuple[str, ...],
    compiles: bool,
    trees: tuple[tuple[str, Path], ...],
    again: bool,
    update: bool,
    report: Path | None,
    out: Path | None,
    jobs: int,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Test releases: port their header trees to targets, generate registrations, and report the results.

    A release is proven for a target if no name in the release's headers is unmapped or ambiguous, and if the release's
    own torchgen generates the registrations. Without RELEASE, the command proves all known releases. Proofs are stored:
    a later run resumes a stopped run, and repeats only the proofs whose mappings or code changed.

    Exit codes: 0 all are proven; 1 findings; otherwise the exit code of the first port that failed.

    \b
    porter release prove
    porter release prove 2.14.1 --target simt --compile
    porter release prove --update --report docs/releases.md
    """
    # Imported late: the other commands of the group do not need the build's code.
    from porter.pipeline.prove import ProveSettings
    from porter.pipeline.prove import prove as proofs_of

    library = MappingLibrary.find(mapping_dirs)
    for target in targets:
        library.root_of(target)
    given = {
        f"{name.removesuffix(header_tree.SUFFIX)}{header_tree.SUFFIX}": place
        for name, place in trees
    }
    found = ReleaseTrees(given)
    names = releases or tuple(one.release for one in known.read().releases)
    for name in names:
        release_trees.check_name(name)
    _warn_of_unknown(names)
    wanted = {f"{name.removesuffix(header_tree.SUFFIX)}{header_tree.SUFFIX}" for name in names}
    if unused := sorted(given.keys() - wanted):
        text = f"--tree: {unused[0]} is not among the releases to prove"
        raise UsageError(text, help=f"give --tree for these releases only: {', '.join(names)}")
    settings = ProveSettings(
        library=library,
        trees=[found.find(f"{name}{header_tree.SUFFIX}") for name in dict.fromkeys(names)],
        targets=list(dict.fromkeys(targets)) or library.targets(),
        compiles=compiles,
        jobs=jobs,
        again=again,
        out=out,
    )
    proofs: list[Proof] = []
    total = len(settings.trees) * len(settings.targets)
    with console.progress(f"proving {len(settings.trees)} releases", patient=True) as progress:
        progress(0, total)
        with contextlib.closing(proofs_of(settings)) as made:
            for proof in made:
                proofs.append(proof)
                progress(len(proofs), total, f"{proof.target} {proof.release}")
                _show(proof, as_json)
    order = {name.removesuffix(header_tree.SUFFIX): place for place, name in enumerate(names)}
    proofs.sort(
        key=lambda proof: (order.get(proof.release, 0), settings.targets.index(proof.target))
    )
    shown = rendering.with_proofs(known.read(), proofs)
    if as_json:
        console.print_json({"proofs": [proof._asdict() for proof in proofs]})
    if update:
        fs.write_if_changed(known.shipped(), rendering.text(shown))
    if report:
        fs.write_if_changed(report, matrix.page(shown.releases, proofs))
    codes = [proof.code for proof in proofs if proof.code]
    return codes[0] if codes else int(not all(proof.fine for proof in proofs))


def _warn_of_unknown(names: Iterable[str]) -> None:
    """Warn about each release that is newer than all known releases, with the parts that are not tested."""
    releases = known.read()
    newest = releases.newest.release
    for name in names:
        release = name.removesuffix(header_tree.SUFFIX)
        if releases.find(release) is None and version(release) > version(newest):
            unchecked = "kernels, wheel and operators are unchecked, because a header tree lacks the sources"
            console.warn(f"{unknown_release(release, newest)}; {unchecked}")


def _show(proof: Proof, as_json: bool) -> None:
    """Print a proof: figures on stdout, problems on stderr."""
    if not as_json:
        figures = (
            f"{proof.headers} headers, {proof.edits} edits, {proof.unmapped} unmapped, {proof.ambiguous} ambiguous, "
            f"{proof.registered} of {proof.operators} operators registered"
        )
        compiled = (
            f", {proof.compiled} of {proof.sources} sources compile" if proof.sources >= 0 else ""
        )
        console.print_text(
            f"{proof.target} {proof.release}: {figures}{compiled} ({proof.milliseconds / 1000:.1f} s)\n"
        )
    for problem in proof.problems:
        console.note(f"error: {proof.target} {proof.release}: {problem}")
