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
from pathlib import Path
from typing import NamedTuple

import yaml

from porter.base import regular_files
from porter.base.errors import SourceError
from porter.checks.findings import KINDS, Finding, Frame


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
    """Entries of a file. Raises SourceError for a file that cannot be read or has a wrong entry."""
    try:
        data = yaml.safe_load(regular_files.read_bytes(path))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(path)) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SourceError(f"is no YAML: {error}", str(path)) from None
    return tuple(_entry(one, path) for one in data or [])


def _entry(data: object, path: Path) -> Suppression:
    help = f"an entry has the keys kind ({', '.join(KINDS)}), reason, file, function and line"
    if not isinstance(data, dict) or not {"kind", "reason"} <= set(data):
        raise SourceError(f"an entry lacks kind or reason: {data}", str(path), help)
    if unknown := set(data) - set(Suppression._fields):
        raise SourceError(f"an entry has an unknown key: {sorted(unknown)[0]}", str(path), help)
    if data["kind"] not in KINDS or not str(data["reason"]).strip():
        raise SourceError(f"an entry has a wrong kind or no reason: {data}", str(path), help)
    return Suppression(**data)


def split(
    findings: tuple[Finding, ...], suppressions: tuple[Suppression, ...]
) -> tuple[tuple[Finding, ...], int]:
    """Findings that no suppression matches, and the number of the others."""
    left = tuple(one for one in findings if not any(s.matches(one) for s in suppressions))
    return left, len(findings) - len(left)
