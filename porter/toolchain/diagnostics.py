"""Diagnostics of compilers, with upstream's files and lines.

A ported file has the same number of lines as its upstream file: `<port>/src/aten/.../simt/AbsKernel.cu:20` corresponds
to `aten/.../cuda/AbsKernel.cu:20`.
"""

from __future__ import annotations

import os
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
"""`_ERRORS` and `_LINES` limit the errors and lines in a message. The command in the message prints everything."""


class UpstreamLines:
    """Mapping from files of a port to files of the upstream tree and of porter's own sources."""

    def __init__(self, roots: Iterable[tuple[Path, Mapping[str, str], str]], folder: Path) -> None:
        """Create the mapping.

        Args:
            roots: for each folder of ported files, the folder, a map from ported to upstream paths, and a prefix. The
                prefix is put before every resulting path. A ported path without an entry in the map stays unchanged.
            folder: folder in which the compiler runs. ccache with the option `base_dir` makes paths relative to it.
        """
        self.roots = [
            (f"{shown}/", paths, before)
            for root, paths, before in roots
            for shown in (root, os.path.relpath(root, folder))
        ]

    def of(self, place: str) -> str | None:
        """Upstream path of a file in the port; None for any other file."""
        for root, paths, before in self.roots:
            if place.startswith(root):
                path = place.removeprefix(root)
                return before + paths.get(path, path)
        return None

    def with_upstream_paths(self, text: str) -> str:
        """Text with upstream paths in place of paths in the port."""
        for root, paths, before in self.roots:
            # A relative path must not be the end of another path.
            start = "" if root.startswith("/") else r"(?<![\w./-])"
            pattern = start + re.escape(root) + r"([^\s:,'\"]+)"
            text = re.sub(pattern, lambda m: before + paths.get(m[1], m[1]), text)  # noqa: B023
        return text


class OutsideCause(NamedTuple):
    """Cause of a failed command other than errors in the source: full disk, lack of memory, crash of the compiler."""

    text: str
    help: str
    disk: bool = False
    """True if the disk is full, so that no file can be written."""


def cause(failed: Failed) -> OutsideCause | None:
    """Find a full disk, lack of memory or a crash of the compiler in the output of a failed command.

    None for any other failure: the compiler reported errors in the source.
    """
    if _NO_SPACE.search(failed.said):
        return OutsideCause(
            "the disk is full", "free some space and run again; finished files are kept", disk=True
        )
    if _NO_MEMORY.search(failed.said) or failed.code in (_KILLED, -9):
        help = "run again with fewer jobs (-j 1); finished files are kept"
        return OutsideCause("the compiler was killed: out of memory", help)
    if _OWN_FAULT.search(failed.said):
        help = "try other flags for this source, under `build: flags:` in the target's profile"
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
        raise BuildError(
            outcome.said or "ninja failed", str(folder), f"to see the whole output, run: {command}"
        )


def failures(
    outcome: NinjaOutcome, folder: Path, units: Iterable[CompileUnit], origins: UpstreamLines
) -> tuple[Failure, ...]:
    """Failures of a ninja run, one for each failed command. Raises the errors of `check_outcome`."""
    check_outcome(outcome, folder)
    by_object = {unit.object: unit for unit in units}
    return tuple(
        failure(failed, by_object.get(failed.output), origins) for failed in outcome.failed
    )


def failure(failed: Failed, unit: CompileUnit | None, origins: UpstreamLines) -> Failure:
    """Describe a failed command, with upstream paths. `unit` is None for a command that compiles no unit."""
    path = unit.path if unit else failed.output
    why = cause(failed)
    errors = list(_ERROR.finditer(failed.said))
    place = path
    for error in errors:
        if upstream := origins.of(error["place"]):
            place = f"{upstream}:{error['line']}"
            break
    text = origins.with_upstream_paths(
        _first_errors(failed.said, [error.start() for error in errors])
    )
    return Failure(
        path,
        failed.command,
        failed.code,
        place,
        f"{why.text}\n{text}".rstrip() if why else text,
        why.help if why else "",
    )


def _first_errors(said: str, starts: list[int]) -> str:
    """First errors in the output `said`, with their context; the last lines of an output without errors.

    `starts`: offsets of all errors.
    """
    if not starts:
        return "\n".join(said.splitlines()[-_LINES:])
    end = starts[_ERRORS] if len(starts) > _ERRORS else len(said)
    lines = said[starts[0] : end].rstrip().splitlines()
    shown = lines[:_LINES]
    left = len(starts) - _ERRORS
    if left > 0:
        shown.append(f"... and {left} more errors")
    return "\n".join(shown)
