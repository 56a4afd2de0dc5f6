"""Option `--on-host` of `porter run` and `porter port`: the target's names over the runtime of target simt."""

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
    help="Use the target's names over the runtime of target simt: the port builds and runs without the vendor's SDK.",
)


def check(sdk_dirs: Sequence[Path], *, dry_run: bool) -> None:
    """Raise UsageError for options that do not go together with `--on-host`."""
    if sdk_dirs:
        help = "leave out --sdk: a target on the host needs no SDK of the vendor"
        raise UsageError("--on-host and --sdk are given together", help=help)
    if dry_run:
        help = "leave out --dry-run"
        raise UsageError("--on-host and --dry-run are given together", help=help)


def make(
    library: MappingLibrary, target: str, release: str, folder: Path, *, silent: bool
) -> MappingLibrary:
    """Write the facade of the target's SDK and the derived mappings into `folder`, and show a summary unless `silent`.

    Returns the library with the derived mappings. Raises the errors of `host_target.make`.
    """
    # Imported late: most runs do without the facade.
    from porter.facade import host_target, summary

    made = host_target.make(library, target, release, folder)
    if not silent:
        console.print_lines(summary.lines(made.facade, target, folder))
    return made.library
