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
from porter.vendor_repository import project_file

if TYPE_CHECKING:
    from porter.mapping.library import MappingLibrary
    from porter.mapping.sdk import Sdk
    from porter.model.overlay import Overlay

F = TypeVar("F", bound=Callable[..., object])
R = TypeVar("R")


DEFAULT_TARGET = "simt"
_LONGEST = 7 * 24 * 3600
"""Largest number of seconds that an option accepts: one week."""
MOST_JOBS = 4096


def _shown(value: str) -> str:
    return value if len(value) <= 60 else f"{value[:57]}..."


class PathArgument(click.Path):
    """Type of an argument or option: a path that is not empty."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay, dir_okay=dir_okay)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        # An empty path would mean the current folder. Usually, it comes from an unset variable of the shell.
        if value == "":
            self.fail("the path is empty", param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


_PATH = PathArgument()


class Words(click.ParamType[tuple[str, ...]]):
    """Type of an option: words separated by commas. If `known` is not empty, only the words in it are valid."""

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
    """Type of an option: a pair (part, number of parts). `2/4` is the second of four parts."""

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
    """Type of an option: a number of seconds, at least 1 and at most one week."""

    name = "seconds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = 0.0
        # The comparison is false for NaN and for infinity.
        if not 1 <= seconds <= _LONGEST:
            self.fail(f"'{_shown(str(value))}' is not a number from 1 to {_LONGEST}", param, ctx)
        return seconds


class StatusWords(Words):
    """Type of an option: statuses separated by commas; `all` selects every status."""

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
    """First target in porter.toml; simt if there is none."""
    return next(iter(project_file.read().targets), DEFAULT_TARGET)


target = click.option(
    "--target",
    "-t",
    default=default_target,
    show_default=f"the first target of porter.toml, else {DEFAULT_TARGET}",
    metavar="NAME",
    help="Target: the vendor's runtime to port to.",
)

_mappings = click.option(
    "--mappings",
    "mapping_dirs",
    multiple=True,
    type=_PATH,
    metavar="DIR",
    envvar="PORTER_MAPPINGS",
    default=lambda: project_file.read().mappings,
    show_default="the folders of porter.toml",
    help="Folder with your own mappings; may be given several times.",
)

sdk = click.option(
    "--sdk",
    "sdk_dirs",
    multiple=True,
    type=_PATH,
    metavar="DIR",
    help="Folder with headers of the target's SDK, in which the names of the port are looked up; may be given several"
    " times.",
)

require = click.option(
    "--require",
    type=click.Choice([Evidence.LISTED.value, Evidence.SEEN.value]),
    help="Weakest evidence that is accepted for a replaced name; a name with weaker evidence is a finding (exit code"
    " 1).",
)


def mappings(command: Callable[..., R]) -> Callable[..., R]:
    """Decorator for the option `--mappings`. Messages about a file in one of its folders contain the folder's path."""

    @functools.wraps(command)
    def run(*args: Any, mapping_dirs: tuple[Path, ...], **named: Any) -> R:
        try:
            return command(*args, mapping_dirs=mapping_dirs, **named)
        except (MappingError, Findings) as error:
            problems = [located(problem, mapping_dirs) for problem in error.problems]
            raise type(error)(problems) from None

    return _mappings(run)


def located(problem: Problem, folders: tuple[Path, ...]) -> Problem:
    """Problem whose place begins with the path of the mapping folder that contains the file.

    The problem is returned unchanged if none of the folders contains the file.
    """
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
    help="Glob of files and folders to leave out; may be given several times.",
)

jobs = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1, max=MOST_JOBS),
    default=lambda: len(os.sched_getaffinity(0)),
    help="Number of parallel processes; default: one for each core.",
)

dry_run = click.option("--dry-run", is_flag=True, help="Report the result, but write no file.")

force = click.option(
    "--force", is_flag=True, help="Overwrite ported files that were changed by hand."
)

shard = click.option(
    "--shard",
    type=Shard(),
    default=(1, 1),
    metavar="I/N",
    help="Divide the work into N parts, and do part I of them.",
)

again = click.option(
    "--again",
    type=StatusWords(),
    default=(),
    metavar="STATUS,...",
    help="Repeat the checks whose stored result has one of these statuses, such as fail,crash; `all` repeats every"
    " check.",
)

python = click.option(
    "--python",
    default=sys.executable,
    show_default="porter's own",
    metavar="EXE",
    help="Python interpreter of the environment in which the backend is installed.",
)

junit = click.option(
    "--junit", type=_PATH, metavar="FILE", help="Also write the results as JUnit XML."
)

markdown = click.option(
    "--markdown", type=_PATH, metavar="FILE", help="Also write the results as a Markdown page."
)

html = click.option(
    "--html",
    "page",
    type=PathArgument(dir_okay=False),
    metavar="FILE",
    help="Also write the result to FILE, as one page of HTML that needs no other file.",
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def any_target(help: str) -> Callable[[F], F]:
    """Option `--target` without a default."""
    return click.option("--target", "-t", metavar="NAME", help=help)


def pytorch_src(help: str, *, required: bool = False) -> Callable[[F], F]:
    """Option `--pytorch-src`. The command gets its value as the argument `tree`."""
    return click.option(
        "--pytorch-src", "tree", required=required, type=_PATH, metavar="DIR", help=help
    )


def out(help: str, *, required: bool = False) -> Callable[[F], F]:
    """Option `--out`. Unless it is required, the default is the key `out` of porter.toml, else `generated`."""
    default: dict[str, Any] = {
        "default": lambda: project_file.read().out,
        "show_default": "generated",
    }
    if required:
        default = {}
    return click.option("--out", required=required, type=_PATH, metavar="DIR", help=help, **default)


def release(help: str, default: str | None = None) -> Callable[[F], F]:
    """Option `--release`, a version of PyTorch."""
    return click.option(
        "--release", default=default, show_default=bool(default), metavar="VERSION", help=help
    )


def targets(named: tuple[str, ...], mapping_dirs: tuple[Path, ...]) -> tuple[str, ...]:
    """Targets that the user named; else the targets of porter.toml, if the mappings of porter.toml are in use.

    An empty result denotes all targets.
    """
    project = project_file.read()
    return named or (project.targets if mapping_dirs == project.mappings else ())


def read_overlays(library: MappingLibrary, target: str) -> tuple[Overlay, ...]:
    """Overlays of a target. Raises OverlayError for malformed overlays."""
    folders = library.overlays(target)
    if not folders:
        return ()
    # Imported late: few targets have overlays.
    from porter.overlay import store

    return store.read(folders)


def read_sdk(folders: tuple[Path, ...], required: str | None = None) -> Sdk | None:
    """SDK in the folders of `--sdk`; None without folders. Raises UsageError for `--require seen` without folders."""
    if not folders:
        if required == Evidence.SEEN:
            raise UsageError("--require seen needs the headers of the SDK", help="add --sdk DIR")
        return None
    # Imported late: few runs read an SDK.
    from porter.mapping import sdk

    return sdk.read(folders)
