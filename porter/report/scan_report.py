"""Result of `porter scan`, as tables and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from porter.model.scan import OTHER, ApiUse, PortOutcome, Scan
from porter.report.tables import Line, Table, aligned

_SHOWN = 5
"""Largest number of names of an API area on a terminal."""


def by_use(uses: Iterable[ApiUse]) -> list[ApiUse]:
    """Sort names by their number of uses, largest first, then alphabetically."""
    return sorted(uses, key=lambda use: (-use.places, use.name))


def document(scan: Scan) -> dict[str, Any]:
    """Plain data of a scan."""
    return {
        "files": {
            "total": scan.files.total(),
            "by_suffix": dict(scan.files.most_common()),
            "lines": scan.lines,
        },
        "apis": _areas(scan.apis),
        "headers": _areas(scan.headers),
        "launches": _plain(scan.launches),
        "dynamic_shared": _plain(scan.dynamic_shared),
        "hazards": [
            {**_plain(use), "note": scan.why[use.name]} for use in by_use(scan.hazards.values())
        ],
    }


def _areas(areas: Mapping[str, Mapping[str, ApiUse]]) -> dict[str, Any]:
    return {
        area: {**_total(uses.values()), "names": [_plain(use) for use in by_use(uses.values())]}
        for area, uses in sorted(areas.items())
    }


def _total(uses: Iterable[ApiUse]) -> dict[str, Any]:
    uses = list(uses)
    outcomes = sum((use.outcomes for use in uses), Counter[PortOutcome]())
    files = set().union(*(use.files for use in uses))
    total: dict[str, Any] = {"places": sum(use.places for use in uses), "files": len(files)}
    return {**total, "fates": _outcome_counts(outcomes)} if outcomes.total() else total


def _plain(use: ApiUse) -> dict[str, Any]:
    data = {"name": use.name, "places": use.places, "files": len(use.files), "first": use.first}
    return {**data, "fates": _outcome_counts(use.outcomes)} if use.outcomes else data


def _outcome_counts(outcomes: Counter[PortOutcome]) -> dict[str, int]:
    return {str(outcome): outcomes[outcome] for outcome in PortOutcome}


def lines(scan: Scan, title: str, *, names: bool = False) -> Iterator[Line]:
    """Tables of a scan for a terminal. `names` adds a table of all names for each API area."""
    with_outcomes = any(use.outcomes for uses in scan.apis.values() for use in uses.values())
    outcomes = [str(outcome) for outcome in PortOutcome] if with_outcomes else []
    suffixes = ", ".join(f"{count} .{suffix}" for suffix, count in scan.files.most_common())
    yield Line(title, "bold")
    yield Line(f"{scan.files.total()} files, {scan.lines} lines: {suffixes}")
    for what, areas in (("API", scan.apis), ("header", scan.headers)):
        if areas:
            yield Line("")
            yield from aligned(_overview(what, areas, outcomes))
    yield Line("")
    rows = [
        (use.name, str(use.places), str(len(use.files)), use.first, scan.why.get(use.name, ""))
        for use in (scan.launches, scan.dynamic_shared, *by_use(scan.hazards.values()))
    ]
    columns = ("other", "places", "files", "first", "why")
    yield from aligned(Table("", columns, tuple(rows), frozenset({1, 2})))
    if names:
        for area, uses in (*sorted(scan.apis.items()), *sorted(scan.headers.items())):
            yield Line("")
            yield from aligned(_names(area, uses.values(), outcomes))


def _overview(what: str, areas: Mapping[str, Mapping[str, ApiUse]], outcomes: list[str]) -> Table:
    """Table with one row for each API area; the area `other` comes last."""
    rows = []
    for area, uses in sorted(areas.items(), key=lambda item: (item[0] == OTHER, item[0])):
        total = _total(uses.values())
        figures = [total["fates"][outcome] for outcome in outcomes]
        counts = (len(uses), total["places"], total["files"], *figures)
        top = ", ".join(use.name for use in by_use(uses.values())[:_SHOWN])
        rows.append((area, *map(str, counts), top))
    columns = (what, "names", "places", "files", *outcomes, "most used")
    return Table("", columns, tuple(rows), frozenset(range(1, 4 + len(outcomes))))


def _names(area: str, uses: Iterable[ApiUse], outcomes: list[str]) -> Table:
    rows = []
    for use in by_use(uses):
        counts = (
            use.places,
            len(use.files),
            *(_outcome_counts(use.outcomes)[outcome] for outcome in outcomes),
        )
        rows.append((use.name, *map(str, counts), use.first))
    columns = (area, "places", "files", *outcomes, "first")
    return Table("", columns, tuple(rows), frozenset(range(1, 3 + len(outcomes))))
