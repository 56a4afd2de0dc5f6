"""Options of `porter overlay` that limit a change: its expiry date, its first release and its last release."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from porter.model.overlay import day, release


class _Checked(click.ParamType[str]):
    """Type of an option whose text a function checks. The function raises ValueError for an invalid text."""

    def __init__(self, name: str, check: Callable[[str], str]) -> None:
        self.name = name
        self._check = check

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        try:
            return self._check(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def expires(command: Callable[..., Any]) -> Callable[..., Any]:
    """Option `--expires`."""
    return click.option(
        "--expires",
        type=_Checked("day", day),
        default="",
        metavar="DAY",
        help="Last day on which the change is accepted, YYYY-MM-DD.",
    )(command)


def bounds(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options `--since` and `--until`."""
    for name, which in (("until", "Last"), ("since", "First")):
        command = click.option(
            f"--{name}",
            type=_Checked("release", lambda text: release(text) if text else ""),
            default="",
            metavar="RELEASE",
            help=f"{which} PyTorch release to which the change is applied, X.Y or X.Y.Z; default: no bound.",
        )(command)
    return command
