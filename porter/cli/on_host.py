"""Option `--on-host` of `porter run` and `porter port`: a port that uses runtime simt in place of the vendor's SDK."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console
from porter.mapping.library import MappingLibrary

option = click.option(
    "--on-host",
    is_flag=True,
    help="Map the target's names to the runtime of target simt: the port builds and runs on the CPU, without the"
    " vendor's SDK.",
)


def check(sdk_dirs: Sequence[Path], *, dry_run: bool) -> None:
    """Raise UsageError for options that cannot be combined with `--on-host`."""
    if sdk_dirs:
        help = "leave out --sdk: with --on-host, the target needs no SDK of the vendor"
        raise UsageError("--on-host and --sdk exclude each other", help=help)
    if dry_run:
        help = "leave out --dry-run: --on-host always writes files"
        raise UsageError("--on-host and --dry-run exclude each other", help=help)


def make(
    library: MappingLibrary, target: str, release: str, folder: Path, *, silent: bool
) -> MappingLibrary:
    """Write the facade of the target's SDK and the derived mappings into `folder`.

    Shows a summary unless `silent`. Returns the mapping library in which the derived mappings replace the vendor's
    mappings. Raises the errors of `host_target.make`.
    """
    # Imported late: most runs do not use the facade.
    from porter.on_host import host_target, summary

    made = host_target.make(library, target, release, folder)
    if not silent:
        console.print_lines(summary.lines(made.facade, target, folder))
    return made.library
