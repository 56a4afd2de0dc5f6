"""Findings of the runtime's checkers, as the runtime writes them (`runtime/simt/src/check/findings.cpp`)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from porter.base import regular_files
from porter.base.errors import SourceError

KINDS = ("memory", "race", "sync", "init", "host", "schedule")
"""Kinds of checks. The environment variable SIMT_CHECK takes all but `schedule`, which runs the program again."""


class Frame(NamedTuple):
    """Source line of a call stack."""

    file: str
    line: int
    function: str

    def text(self) -> str:
        return f"{self.file}:{self.line}" + (f" in {self.function}" if self.function else "")


class Place(NamedTuple):
    """One side of a finding: an access, a call, an allocation."""

    what: str
    """`write of 4 bytes`, `allocated`."""
    who: str
    """`kernel sum, block (0,0,0), thread (1,0,0)`, `the host`; empty if unknown."""
    frames: tuple[Frame, ...]
    """Call stack, innermost first."""
    operator: str = ""
    """PyTorch's operator that launched the kernel: `aten::sum.dim_IntList`; empty without PyTorch."""
    stack: tuple[Frame, ...] = ()
    """Lines of Python code that called the operator, innermost first; in backward, those of the forward operator."""
    node: str = ""
    """Node of autograd that launched the kernel in backward: `MulBackward0`; empty outside of backward."""


class Finding(NamedTuple):
    """Fault of a program. `times` is the number of its occurrences in the run."""

    kind: str
    """One of KINDS."""
    type: str
    """Type of the fault within the kind: `shared` for a race in shared memory."""
    text: str
    object: str
    """Memory that the finding concerns; empty if there is none."""
    times: int
    places: tuple[Place, ...]


def read(report: Path) -> tuple[Finding, ...]:
    """Findings in a report. Raises SourceError if the report is missing or damaged."""
    try:
        data = json.loads(regular_files.read_bytes(report))
        return tuple(map(from_json, data["findings"]))
    except OSError as error:
        help = "the program ended without the report: it crashed, or called _exit"
        raise SourceError(f"cannot be read: {error.strerror}", str(report), help) from None
    except (ValueError, TypeError, KeyError) as error:
        raise SourceError(f"is damaged: {error}", str(report)) from None


def from_json(data: dict[str, Any]) -> Finding:
    """Finding in a report. Raises KeyError, TypeError or ValueError for other data."""
    places = tuple(
        Place(
            place["what"],
            place["who"],
            _frames(place["frames"]),
            place.get("operator", ""),
            _frames(place.get("stack", ())),
            place.get("node", ""),
        )
        for place in data["places"]
    )
    return Finding(
        data["kind"], data["type"], data["text"], data["object"], int(data["count"]), places
    )


def _frames(data: Iterable[dict[str, Any]]) -> tuple[Frame, ...]:
    return tuple(Frame(one["file"], int(one["line"]), one["function"]) for one in data)


def as_json(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    """The same data as in the runtime's report."""
    return [
        {
            "kind": finding.kind,
            "type": finding.type,
            "text": finding.text,
            "object": finding.object,
            "count": finding.times,
            "places": list(map(_place_as_json, finding.places)),
        }
        for finding in findings
    ]


def _place_as_json(place: Place) -> dict[str, Any]:
    frames = [frame._asdict() for frame in place.frames]
    data: dict[str, Any] = {"what": place.what, "who": place.who, "frames": frames}
    if place.operator:
        data["operator"] = place.operator
        data["stack"] = [frame._asdict() for frame in place.stack]
        data["node"] = place.node
    return data


def count_text(left: int, hidden: int) -> str:
    """Number of findings and of suppressed findings: `2 findings, 1 suppressed`."""
    suppressed = f", {hidden} suppressed" if hidden else ""
    return f"{left} finding{'' if left == 1 else 's'}{suppressed}"


def text(finding: Finding) -> str:
    """Lines for people, without a final newline."""
    lines = [f"{finding.kind} ({finding.type}): {finding.text}"]
    for place in finding.places:
        lines.append(f"  {place.what} by {place.who}" if place.who else f"  {place.what}")
        lines += [f"    at {frame.text()}" for frame in place.frames]
        if place.operator:
            node = f" in backward ({place.node})" if place.node else ""
            lines.append(f"    launched by {place.operator}{node}")
    if finding.object:
        lines.append(f"  {finding.object}")
    if finding.times > 1:
        lines.append(f"  {finding.times} times in all")
    return "\n".join(lines)
