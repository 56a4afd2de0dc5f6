"""`porter target`: the targets there are, and the first files of a new one."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.releases import KNOWN_RELEASES
from porter.mapping import new_target, rule_cache
from porter.mapping.library import MappingLibrary
from porter.mapping.new_target import TargetNames
from porter.report import targets as report


@click.group(short_help="List the targets, or begin a new one.")
def target() -> None:
    """List the targets, or begin a new one."""


@target.command("list", short_help="List the targets there are.")
@options.mappings
@options.as_json
def list_(mapping_dirs: tuple[Path, ...], as_json: bool) -> int:
    """List the targets there are, shipped ones and those in folders of your own.

    Coverage counts the names that CUDA's headers declare: how many the target's mappings map, and
    how many they say the target lacks.
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


@target.command("new", short_help="Begin a new target.")
@click.argument("name")
@click.option(
    "--mappings",
    "folder",
    required=True,
    type=options.PathArgument(),
    metavar="DIR",
    envvar="PORTER_MAPPINGS",
    help="Folder of mappings of your own; the target goes to DIR/NAME.",
)
@click.option("--from", "like", metavar="TARGET", help="Begin with the shape of this target.")
@click.option(
    "--prefix",
    "--lower",
    "lower",
    default="",
    metavar="PREFIX",
    help="In place of `cuda`; default: NAME.",
)
@click.option(
    "--short",
    default="",
    metavar="PREFIX",
    help="In place of the `cu` of cublas and cuInit; default: two letters of --prefix.",
)
@click.option("--upper", default="", metavar="PREFIX", help="In place of `CUDA`.")
@click.option("--camel", default="", metavar="PREFIX", help="In place of `Cuda`.")
@click.option("--device", default="", metavar="NAME", help="PyTorch's name of the device.")
@click.option("--summary", default="", metavar="TEXT", help="What the target is, in a line.")
@options.as_json
def new(
    name: str,
    folder: Path,
    like: str | None,
    lower: str,
    short: str,
    upper: str,
    camel: str,
    device: str,
    summary: str,
    as_json: bool,
) -> int:
    """Write the first files of a new target: its profile, and how it launches kernels.

    The new target ports at once, everything by prefix. What the vendor's SDK calls otherwise is
    then added rule by rule, in files beside the profile.

    \b
    porter target new acme --mappings my_mappings --short ac
    porter target new acme --mappings my_mappings --from musa
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError("is a file, not a folder of mappings", str(folder))
    library = MappingLibrary.find([folder] if folder.is_dir() else [])
    rules = None
    if like:
        library.root_of(like)
        rules = rule_cache.rule_set(library, like, KNOWN_RELEASES[-1])
    names = TargetNames(name, lower, short, upper, camel, device)
    written = new_target.create(library, folder, names, summary, rules)
    if as_json:
        console.print_json({"target": name, "files": [str(path) for path in written]})
    else:
        for path in written:
            console.print_text(f"{path}\n")
        console.print_text(
            f"next: porter mapping check --target {name} --mappings {folder}\n"
            f"      porter run --pytorch-src DIR --target {name} --mappings {folder}\n"
        )
    return 0
