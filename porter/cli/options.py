"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])


def target(function: F) -> F:
    """`--target`."""
    return click.option(
        "--target",
        "-t",
        default="simt",
        show_default=True,
        metavar="NAME",
        help="Vendor runtime to port to.",
    )(function)


def mappings(function: F) -> F:
    """`--mappings`."""
    return click.option(
        "--mappings",
        "mapping_dirs",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="DIR",
        envvar="PORTER_MAPPINGS",
        help="Folder with targets of your own; may be given several times.",
    )(function)


def as_json(function: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(
        function
    )
