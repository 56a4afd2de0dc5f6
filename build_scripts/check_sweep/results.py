"""Results of a sweep: one file for each operator, and tables of the findings and of the coverage."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from porter.base.fs import write_if_changed
from porter.checks import findings
from porter.model.verify import CRASH, HANG
from porter.verify.checked import CheckedCases

KERNELS = "aten/src/ATen/native/cuda/"
FEW = 6
"""Operators that a row of the table names; of more operators, it gives the number."""


class Checked(NamedTuple):
    """Result of one operator."""

    op: str
    findings: Sequence[Mapping[str, Any]]
    """Findings as in the runtime's report."""
    sources: Sequence[str]
    """Upstream paths of the operator's instrumented sources."""
    cases: int
    ended: Mapping[str, int]
    """Maps CRASH and HANG to the number of such cases, whose findings are unknown."""


def write(folder: Path, found: CheckedCases, sources: Mapping[str, Sequence[str]]) -> None:
    """Write a file for each operator in `sources`, the sources of its kernels."""
    for op, needed in sources.items():
        statuses = Counter(status for case, status in found.statuses.items() if case.op == op)
        own = [
            findings.as_json((one.finding,))[0]
            for one in found.findings
            if any(case.split()[0] == op for case in one.cases)
        ]
        data = {
            "findings": own,
            "sources": list(needed),
            "cases": sum(statuses.values()),
            "ended": {word: statuses[word] for word in (CRASH, HANG) if statuses[word]},
        }
        write_if_changed(folder / f"{op}.json", json.dumps(data, indent=1) + "\n")


def read(folder: Path) -> list[Checked]:
    """Results of all operators that have been checked."""
    found = []
    for place in sorted(folder.glob("*.json")):
        data = json.loads(place.read_text("utf-8"))
        found.append(
            Checked(place.stem, data["findings"], data["sources"], data["cases"], data["ended"])
        )
    return found


def table(found: Sequence[Checked]) -> str:
    """Findings, each once with its operators, and the coverage as a table of Markdown."""
    return "\n".join([*_findings(found), "", *_coverage(found)])


def _findings(found: Sequence[Checked]) -> list[str]:
    ops: dict[tuple[str, ...], list[str]] = {}
    for one in found:
        for finding in one.findings:
            ops.setdefault(key(finding), []).append(one.op)
    lines = [f"{len(ops)} findings"]
    for (kind, kind_type, *places), names in sorted(ops.items()):
        lines.append(f"{kind} ({kind_type}): {' and '.join(places)}: {_named(names)}")
    return lines


def key(finding: Mapping[str, Any]) -> tuple[str, ...]:
    """Kind, type, and the innermost source line of each place."""
    lines = [
        f"{place['what'].split()[0]} at {frame['file']}:{frame['line']}"
        for place in finding["places"]
        for frame in place["frames"][:1]
    ]
    return (finding["kind"], finding["type"], *sorted(lines or [finding["text"]]))


def _coverage(found: Sequence[Checked]) -> list[str]:
    by_source: dict[str, list[Checked]] = {}
    for one in found:
        for source in one.sources:
            by_source.setdefault(source, []).append(one)
    ended = sum(sum(one.ended.values()) for one in found)
    lines = [
        f"{len(found)} operators, {sum(one.cases for one in found)} checks ({ended} crashed or"
        f" exceeded the time limit), {len(by_source)} sources",
        "",
        "| source | operators | checks | crashed or too slow |",
        "|---|---|---|---|",
    ]
    for source, all_ops in sorted(by_source.items()):
        cases = sum(one.cases for one in all_ops)
        stopped = sum(sum(one.ended.values()) for one in all_ops)
        names = _named([one.op for one in all_ops])
        lines.append(f"| `{source.removeprefix(KERNELS)}` | {names} | {cases} | {stopped} |")
    return lines


def _named(ops: Sequence[str]) -> str:
    names = list(dict.fromkeys(ops))
    return ", ".join(f"`{op}`" for op in names) if len(names) <= FEW else f"{len(names)} operators"
