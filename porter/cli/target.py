"""`porter target`: list of the available targets, and the first files of a new one."""

from __future__ import annotations

from pathlib import Path

import click

import porter
from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.release_checks import KNOWN_RELEASES
from porter.mapping import new_target, rule_cache
from porter.mapping.library import MappingLibrary
from porter.mapping.new_target import TargetNames
from porter.model.rules import RuleSet
from porter.report import targets as report
from porter.vendor_repository import project_file


@click.group()
def target() -> None:
    """List the targets, or create a new one."""


@target.command("list", short_help="List the available targets.")
@options.mappings
@options.as_json
def list_(mapping_dirs: tuple[Path, ...], as_json: bool) -> int:
    """List the available targets: porter's own and those in your mapping folders.

    For each target, the list has the number of names in CUDA's headers that the target's mappings map, mark as
    unsupported, or do not mention.
    """
    library = MappingLibrary.find(mapping_dirs)
    rows = report.collect(library, KNOWN_RELEASES[-1])
    for row in rows:
        if row.broken:
            console.warn(f"target {row.name} cannot be used: {row.broken}")
    if as_json:
        console.print_json({"targets": [report.document(row) for row in rows]})
    else:
        console.print_lines(report.lines(rows))
    return 0


@target.command("new", short_help="Write the first files of a new target.")
@click.argument("name")
@click.option(
    "--repo",
    type=options.PathArgument(),
    metavar="DIR",
    help="Create a repository: porter.toml, mappings, lock files, a workflow.",
)
@click.option(
    "--mappings",
    "folder",
    type=options.PathArgument(),
    metavar="DIR",
    envvar="PORTER_MAPPINGS",
    default=lambda: next(iter(project_file.read().mappings), None),
    show_default="the first folder of porter.toml",
    help="Your mapping folder; the files of the target are written to DIR/NAME.",
)
@click.option(
    "--release",
    "releases",
    multiple=True,
    default=(KNOWN_RELEASES[-1],),
    show_default=True,
    metavar="VERSION",
    help="With --repo: release to port, for example 2.6.0, or 2.6.0-headers to port only its header tree; may be given"
    " several times.",
)
@click.option(
    "--workflows",
    default=f"OWNER/porter@v{porter.__version__}",
    show_default=True,
    metavar="OWNER/NAME@REF",
    help="With --repo: GitHub repository of porter, with a tag or branch; the new repository calls its workflow.",
)
@click.option(
    "--from",
    "like",
    metavar="TARGET",
    help="Existing target from which the prefixes and the launch rules are copied.",
)
@click.option(
    "--prefix",
    "--lower",
    "lower",
    default="",
    metavar="PREFIX",
    help="Replacement of `cuda` in names; default: NAME.",
)
@click.option(
    "--short",
    default="",
    metavar="PREFIX",
    help="Replacement of `cu` in names such as cublas and cuInit; default: the first two letters of --prefix.",
)
@click.option(
    "--upper",
    default="",
    metavar="PREFIX",
    help="Replacement of `CUDA` in names; default: --prefix in capitals.",
)
@click.option(
    "--camel",
    default="",
    metavar="PREFIX",
    help="Replacement of `Cuda` in names; default: --prefix with a capital.",
)
@click.option(
    "--device",
    default="",
    metavar="NAME",
    help="Name of the device in PyTorch, as in torch.device; default: NAME.",
)
@click.option(
    "--summary", default="", metavar="TEXT", help="Description of the target in one line."
)
@options.as_json
def new(
    name: str,
    repo: Path | None,
    folder: Path | None,
    releases: tuple[str, ...],
    workflows: str,
    like: str | None,
    lower: str,
    short: str,
    upper: str,
    camel: str,
    device: str,
    summary: str,
    as_json: bool,
) -> int:
    """Write the first files of a new target: its profile, and the rules for kernel launches.

    A port to the new target is possible immediately: in every name, the vendor's prefix replaces CUDA's. If a name in
    the vendor's SDK differs by more than the prefix, add a rule for it in a file beside the profile. With --repo, the
    target becomes part of a new repository; in its folder, porter's commands need no options. Existing files stay
    unchanged.

    \b
    porter target new acme --repo acme-port --short ac
    porter target new acme --mappings my_mappings --from musa
    """
    names = TargetNames(name, lower, short, upper, camel, device)
    if repo is not None:
        written = _repository(repo, names, summary, like, releases, workflows)
        then = f"cd {repo}\nporter mapping check\nporter regenerate --update\n"
        if workflows.startswith("OWNER/"):
            then += (
                "replace OWNER in .github/workflows/port.yml by the owner of porter's repository\n"
            )
    elif folder is not None:
        if folder.exists() and not folder.is_dir():
            raise UsageError("is a file, not a mapping folder", str(folder))
        library = MappingLibrary.find([folder] if folder.is_dir() else [])
        written = new_target.create(library, folder, names, summary, _rules_of(library, like))
        then = f"porter mapping check --target {name} --mappings {folder}\n"
        then += f"porter run --pytorch-src DIR --target {name} --mappings {folder}\n"
    else:
        help = "give --repo DIR for a new repository, or --mappings DIR for a mapping folder"
        raise UsageError("the new target needs a folder", help=help)
    if as_json:
        console.print_json({"target": name, "files": [str(path) for path in written]})
    else:
        for path in written:
            console.print_text(f"{path}\n")
        console.print_text(f"next: {then}".replace("\n", "\n      ").rstrip() + "\n")
    return 0


def _repository(
    repo: Path,
    names: TargetNames,
    summary: str,
    like: str | None,
    releases: tuple[str, ...],
    workflows: str,
) -> list[Path]:
    # Imported late: few calls create a repository.
    from porter.vendor_repository import new_repository, release_trees
    from porter.vendor_repository.new_repository import RepositorySettings

    for release in releases:
        release_trees.check_name(release)
    library = MappingLibrary.find(
        [repo / new_repository.MAPPINGS] if (repo / new_repository.MAPPINGS).is_dir() else []
    )
    settings = RepositorySettings(names, summary, releases, workflows)
    return new_repository.create(repo, library, settings, _rules_of(library, like))


def _rules_of(library: MappingLibrary, like: str | None) -> RuleSet | None:
    """Rule set of the existing target `like`; None if `like` is empty. Raises UsageError for an unknown target."""
    if not like:
        return None
    library.root_of(like)
    return rule_cache.rule_set(library, like, KNOWN_RELEASES[-1])
