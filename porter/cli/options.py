"""Arguments and options that several commands share, each declared once."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from porter.base.errors import Findings, MappingError, Problem, UsageError
from porter.model.evidence import Evidence
from porter.model.verify import STATUSES
from porter.project import project_file

if TYPE_CHECKING:
    from porter.mapping.library import MappingLibrary
    from porter.mapping.sdk import Sdk
    from porter.model.overlay import Overlay

F = TypeVar("F", bound=Callable[..., object])
R = TypeVar("R")


DEFAULT_TARGET = "simt"
_LONGEST = 7 * 24 * 3600
"""Largest number of seconds that an option accepts: a week."""
MOST_JOBS = 4096


def _shown(value: str) -> str:
    return value if len(value) <= 60 else f"{value[:57]}..."


class PathArgument(click.Path):
    """Non-empty path."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay, dir_okay=dir_okay)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        # An empty path would mean the current folder; usually a shell variable is unset.
        if value == "":
            self.fail("the path is empty", param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


_PATH = PathArgument()


class Words(click.ParamType[tuple[str, ...]]):
    """Comma-separated words from a given set."""

    name = "words"

    def __init__(self, known: tuple[str, ...] = ()) -> None:
        self.known = known

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        if not isinstance(value, str):
            return value  # type: ignore[return-value]
        words = tuple(word for part in value.split(",") if (word := part.strip()))
        if wrong := [word for word in words if self.known and word not in self.known]:
            self.fail(f"'{wrong[0]}' is not one of {', '.join(self.known)}", param, ctx)
        return words


class Shard(click.ParamType[tuple[int, int]]):
    """Part I of N parts: `2/4` is the second of four."""

    name = "shard"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if not isinstance(value, str):
            return value  # type: ignore[return-value]
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
        part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= part <= parts:
            self.fail(
                f"'{_shown(value)}' is not a part, for example 1/4: the first of four parts",
                param,
                ctx,
            )
        return part, parts


class Seconds(click.ParamType[float]):
    """Number of seconds, at least one."""

    name = "seconds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = 0.0
        # Neither "not a number" nor infinity is in the range.
        if not 1 <= seconds <= _LONGEST:
            self.fail(f"'{_shown(str(value))}' is not a number from 1 to {_LONGEST}", param, ctx)
        return seconds


class StatusWords(Words):
    """Comma-separated statuses; `all` selects every status."""

    def __init__(self) -> None:
        super().__init__(("all", *STATUSES))

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        words = super().convert(value, param, ctx)
        return STATUSES if "all" in words else words


sources = click.argument("given", nargs=-1, required=True, metavar="PATH...", type=_PATH)
"""One or more files and folders with CUDA source."""


def default_target() -> str:
    """First target of the project file, else simt."""
    return next(iter(project_file.read().targets), DEFAULT_TARGET)


target = click.option(
    "--target",
    "-t",
    default=default_target,
    show_default=f"{DEFAULT_TARGET}, or the first of porter.toml",
    metavar="NAME",
    help="Target (vendor runtime).",
)

_mappings = click.option(
    "--mappings",
    "mapping_dirs",
    multiple=True,
    type=_PATH,
    metavar="DIR",
    envvar="PORTER_MAPPINGS",
    default=lambda: project_file.read().mappings,
    show_default="those of porter.toml",
    help="Folder with targets of your own; may be given several times.",
)

sdk = click.option(
    "--sdk",
    "sdk_dirs",
    multiple=True,
    type=_PATH,
    metavar="DIR",
    help="Folder with headers of the target's SDK, as evidence for names; may be given several times.",
)

require = click.option(
    "--require",
    type=click.Choice([Evidence.LISTED.value, Evidence.SEEN.value]),
    help="Weakest accepted evidence for a replaced name; weaker names are findings (exit 1).",
)


def mappings(command: Callable[..., R]) -> Callable[..., R]:
    """Option `--mappings`. Messages about files of such a folder show the folder's path."""

    @functools.wraps(command)
    def run(*args: Any, mapping_dirs: tuple[Path, ...], **named: Any) -> R:
        try:
            return command(*args, mapping_dirs=mapping_dirs, **named)
        except (MappingError, Findings) as error:
            problems = [located(problem, mapping_dirs) for problem in error.problems]
            raise type(error)(problems) from None

    return _mappings(run)


def located(problem: Problem, folders: tuple[Path, ...]) -> Problem:
    """Problem whose place shows the mapping folder that contains the file."""
    file = problem.place.partition(":")[0]
    for folder in folders if file and not Path(file).is_absolute() else ():
        with contextlib.suppress(OSError, ValueError):
            if (folder / file).exists():
                return problem._replace(place=str(folder / problem.place))
    return problem


exclude = click.option(
    "--exclude",
    multiple=True,
    metavar="GLOB",
    help="Files and folders to leave out; may be given several times.",
)

jobs = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1, max=MOST_JOBS),
    default=lambda: len(os.sched_getaffinity(0)),
    help="Processes; default: all cores.",
)

dry_run = click.option("--dry-run", is_flag=True, help="Write nothing; report the result.")

force = click.option(
    "--force", is_flag=True, help="Overwrite ported files that were changed by hand."
)

shard = click.option(
    "--shard", type=Shard(), default=(1, 1), metavar="I/N", help="Part I of N parts of the work."
)

again = click.option(
    "--again",
    type=StatusWords(),
    default=(),
    metavar="STATUS,...",
    help="Repeat checks with these results, such as fail,crash; or all.",
)

python = click.option(
    "--python",
    default=sys.executable,
    show_default="porter's own",
    metavar="EXE",
    help="Python interpreter with the installed backend.",
)

junit = click.option(
    "--junit", type=_PATH, metavar="FILE", help="Also write the results as JUnit XML."
)

markdown = click.option(
    "--markdown", type=_PATH, metavar="FILE", help="Also write the results as a Markdown page."
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def any_target(help: str) -> Callable[[F], F]:
    """Optional `--target`."""
    return click.option("--target", "-t", metavar="NAME", help=help)


def pytorch_src(help: str, *, required: bool = False) -> Callable[[F], F]:
    """`--pytorch-src`, as the argument `tree`."""
    return click.option(
        "--pytorch-src", "tree", required=required, type=_PATH, metavar="DIR", help=help
    )


def out(help: str, *, required: bool = False) -> Callable[[F], F]:
    """`--out`; if optional, the default is the output folder of `porter run`."""
    default: dict[str, Any] = {
        "default": lambda: project_file.read().out,
        "show_default": "generated",
    }
    if required:
        default = {}
    return click.option("--out", required=required, type=_PATH, metavar="DIR", help=help, **default)


def release(help: str, default: str | None = None) -> Callable[[F], F]:
    """`--release`, a version of PyTorch."""
    return click.option(
        "--release", default=default, show_default=bool(default), metavar="VERSION", help=help
    )


def targets(named: tuple[str, ...], mapping_dirs: tuple[Path, ...]) -> tuple[str, ...]:
    """Targets named by the user, else the project file's targets if the project file's mappings are in use; empty: all
    targets."""
    project = project_file.read()
    return named or (project.targets if mapping_dirs == project.mappings else ())


def read_overlays(library: MappingLibrary, target: str) -> tuple[Overlay, ...]:
    """Overlays of a target. Raises OverlayError."""
    folders = library.overlays(target)
    if not folders:
        return ()
    # Imported late: few targets have overlays.
    from porter.overlay import store

    return store.read(folders)


def read_sdk(folders: tuple[Path, ...], required: str | None = None) -> Sdk | None:
    """SDK of `--sdk`, or None. Raises UsageError for `--require seen` without an SDK."""
    if not folders:
        if required == Evidence.SEEN:
            raise UsageError("--require seen needs the headers of the SDK", help="add --sdk DIR")
        return None
    # Imported late: few runs read an SDK.
    from porter.mapping import sdk

    return sdk.read(folders)
