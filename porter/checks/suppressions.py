"""File of findings that a project accepts, each with a reason.

    - kind: race
      file: "*/reduce.cuh"
      function: "block_sum*"
      reason: every thread writes the same flag

A finding is suppressed if `kind` is equal and a frame of its places matches all other keys. `file` and `function` are
patterns as in a shell, `line` is a number.
"""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import MappingError, Problem, SourceError
from porter.checks.findings import KINDS, Finding, Frame
from porter.mapping import document

_HELP = f"an entry has the keys kind ({', '.join(KINDS)}), reason, file, function and line"


class Suppression(NamedTuple):
    """Entry of the file."""

    kind: str
    reason: str
    file: str = "*"
    function: str = "*"
    line: int = 0
    """0: any line."""

    def matches(self, finding: Finding) -> bool:
        return self.kind == finding.kind and any(
            self._is_at(frame) for place in finding.places for frame in place.frames
        )

    def _is_at(self, frame: Frame) -> bool:
        return (
            fnmatch.fnmatchcase(frame.file, self.file)
            and fnmatch.fnmatchcase(frame.function, self.function)
            and self.line in (0, frame.line)
        )


def read(path: Path) -> tuple[Suppression, ...]:
    """Entries of a file. Raises SourceError with every error in the file."""
    try:
        doc = document.read(path, str(path))
    except MappingError as error:
        raise SourceError(error.problems) from None
    if not isinstance(doc.data or [], list):
        raise SourceError("is not a list of entries", str(path), _HELP)
    entries: list[Suppression] = []
    problems: list[Problem] = []
    for number, data in enumerate(doc.data or []):
        if mistake := _mistake(data):
            problems.append(Problem(mistake, f"{path}:{doc.line([number])}", _HELP))
        else:
            entries.append(Suppression(**{**data, "line": int(data.get("line", 0))}))
    if problems:
        raise SourceError(problems)
    return tuple(entries)


def _mistake(data: object) -> str:
    """Error in an entry; empty for a correct entry."""
    if not isinstance(data, dict) or not {"kind", "reason"} <= set(data):
        return f"an entry lacks kind or reason: {data}"
    if unknown := set(data) - set(Suppression._fields):
        return f"an entry has an unknown key: {sorted(unknown)[0]}"
    if wrong := [key for key, value in data.items() if not isinstance(value, str)]:
        return f"{wrong[0]} is not one text"
    if data["kind"] not in KINDS or not data["reason"].strip():
        return f"an entry has a wrong kind or no reason: {data}"
    if not re.fullmatch("[0-9]+", data.get("line", "0")):
        return f"line is not a number: {data['line']}"
    return ""


def split(
    findings: tuple[Finding, ...], suppressions: tuple[Suppression, ...]
) -> tuple[tuple[Finding, ...], int]:
    """Findings that no suppression matches, and the number of the others."""
    left = tuple(one for one in findings if not any(s.matches(one) for s in suppressions))
    return left, len(findings) - len(left)
