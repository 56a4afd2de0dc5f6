"""Arguments and options that several commands share: each is declared here once, and spelled alike everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])
_PATH = click.Path(path_type=Path)

sources = click.argument("given", nargs=-1, required=True, metavar="PATH...", type=_PATH)
"""Files and folders of CUDA source, of which there is at least one."""

target = click.option(
    "--target",
    "-t",
    default="simt",
    show_default=True,
    metavar="NAME",
    help="Vendor runtime to port to.",
)

mappings = click.option(
    "--mappings",
    "mapping_dirs",
    multiple=True,
    type=_PATH,
    metavar="DIR",
    envvar="PORTER_MAPPINGS",
    help="Folder with targets of your own; may be given several times.",
)

exclude = click.option(
    "--exclude",
    multiple=True,
    metavar="GLOB",
    help="Files and folders to leave out; may be given several times.",
)

jobs = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=lambda: len(os.sched_getaffinity(0)),
    help="Processes; default: all cores.",
)

dry_run = click.option("--dry-run", is_flag=True, help="Do everything but write.")

force = click.option(
    "--force", is_flag=True, help="Overwrite ported files that were changed by hand."
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def any_target(help: str) -> Callable[[F], F]:
    """`--target` of a command that can do without one."""
    return click.option("--target", "-t", metavar="NAME", help=help)


def pytorch_src(help: str, *, required: bool = False) -> Callable[[F], F]:
    """`--pytorch-src`, as the argument `tree`."""
    return click.option(
        "--pytorch-src", "tree", required=required, type=_PATH, metavar="DIR", help=help
    )


def out(help: str, *, required: bool = False) -> Callable[[F], F]:
    """`--out`; where it is not required, the folder that `porter run` writes to."""
    default: dict[str, Any] = {} if required else {"default": "generated", "show_default": True}
    return click.option("--out", required=required, type=_PATH, metavar="DIR", help=help, **default)


def release(help: str, default: str | None = None) -> Callable[[F], F]:
    """`--release`, a version of PyTorch."""
    return click.option(
        "--release", default=default, show_default=bool(default), metavar="VERSION", help=help
    )
