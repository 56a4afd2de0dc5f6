"""Diagnostics of compilers, with upstream's files and lines.

A port keeps the line counts of upstream's files, so that `<port>/src/aten/.../simt/AbsKernel.cu:20` is
`aten/.../cuda/AbsKernel.cu:20` upstream.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import BuildError, SourceError
from porter.model.build import CompileUnit, Failure
from porter.toolchain.ninja import Failed, NinjaOutcome, ninja_command

_ERROR = re.compile(r"^(?P<place>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: ", re.M)
_NO_MEMORY = re.compile(
    r"Killed signal terminated program|virtual memory exhausted|out of memory allocating"
    r"|[Cc]annot allocate memory|std::bad_alloc|collect2: fatal error: ld terminated with signal 9"
)
_OWN_FAULT = re.compile(r"internal compiler error|PLEASE submit a bug report to|Stack dump:")
_NO_SPACE = re.compile(r"No space left on device|Disk quota exceeded")
_KILLED = 128 + 9
"""Exit status of a shell whose program was killed by signal 9, usually by the kernel because memory ran out."""
_ERRORS = 3
_LINES = 24
"""Limits on the errors and lines in a message; the printed command shows all of them."""


class UpstreamLines:
    """Mapping from places in a port to places in the upstream tree and in porter's own sources."""

    def __init__(self, roots: Iterable[tuple[Path, Mapping[str, str], str]]) -> None:
        """`roots`: folder, ported path -> upstream path, and the prefix of paths without an upstream path."""
        self.roots = [(f"{root}/", paths, before) for root, paths, before in roots]

    def of(self, place: str) -> str | None:
        """Upstream path of a file in the port; None for any other file."""
        for root, paths, before in self.roots:
            if place.startswith(root):
                path = place.removeprefix(root)
                return before + paths.get(path, path)
        return None

    def told(self, text: str) -> str:
        """Text with upstream paths in place of paths in the port."""
        for root, paths, before in self.roots:
            pattern = re.escape(root) + r"([^\s:,'\"]+)"
            text = re.sub(pattern, lambda m: before + paths.get(m[1], m[1]), text)  # noqa: B023
        return text


class OutsideCause(NamedTuple):
    """Cause of a failed command other than its source."""

    text: str
    help: str
    disk: bool = False
    """True if the disk is full, so that no file can be written."""


def cause(failed: Failed) -> OutsideCause | None:
    """Lack of memory or disk space, or a crash of the compiler; None when the compiler reported errors in its
    source."""
    if _NO_SPACE.search(failed.said):
        return OutsideCause(
            "the disk is full", "free some space and run again; finished files are kept", disk=True
        )
    if _NO_MEMORY.search(failed.said) or failed.code in (_KILLED, -9):
        help = "run again with fewer jobs (-j 1); finished files are kept"
        return OutsideCause("the compiler was killed: out of memory", help)
    if _OWN_FAULT.search(failed.said):
        help = "try other flags for this source: build: flags: in the target's profile"
        return OutsideCause("the compiler crashed", help)
    return None


def check_outcome(outcome: NinjaOutcome, folder: Path) -> None:
    """Raise SourceError when the disk of a build folder is full, BuildError when ninja itself failed."""
    for failed in outcome.failed:
        why = cause(failed)
        if why and why.disk:
            raise SourceError(why.text, str(folder), why.help)
    if outcome.code != 0 and not outcome.failed:
        command = shlex.join(ninja_command(folder, "-v"))
        raise BuildError(outcome.said or "ninja failed", str(folder), f"again: {command}")


def failures(
    outcome: NinjaOutcome, folder: Path, units: Iterable[CompileUnit], origins: UpstreamLines
) -> tuple[Failure, ...]:
    """Failed commands of a ninja run, with upstream paths. Raises the errors of `check_outcome`."""
    check_outcome(outcome, folder)
    by_object = {unit.object: unit for unit in units}
    return tuple(
        failure(failed, by_object.get(failed.output), origins) for failed in outcome.failed
    )


def failure(failed: Failed, unit: CompileUnit | None, origins: UpstreamLines) -> Failure:
    """Failed command, with upstream paths."""
    path = unit.path if unit else failed.output
    why = cause(failed)
    errors = list(_ERROR.finditer(failed.said))
    place = path
    for error in errors:
        if upstream := origins.of(error["place"]):
            place = f"{upstream}:{error['line']}"
            break
    text = origins.told(_first_errors(failed.said, [error.start() for error in errors]))
    return Failure(
        path,
        failed.command,
        failed.code,
        place,
        f"{why.text}\n{text}".rstrip() if why else text,
        why.help if why else "",
    )


def _first_errors(said: str, starts: list[int]) -> str:
    """First errors with their context; without errors, the last lines of the output."""
    if not starts:
        return "\n".join(said.splitlines()[-_LINES:])
    end = starts[_ERRORS] if len(starts) > _ERRORS else len(said)
    lines = said[starts[0] : end].rstrip().splitlines()
    shown = lines[:_LINES]
    left = len(starts) - _ERRORS
    if left > 0:
        shown.append(f"... and {left} more")
    return "\n".join(shown)
