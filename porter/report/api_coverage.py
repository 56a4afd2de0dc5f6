"""Coverage of CUDA's API by a target's mappings, as tables and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from porter.mapping.api_coverage import Area, Coverage
from porter.model.evidence import Evidence
from porter.report.evidence import collided
from porter.report.tables import Line, Table, aligned


def below(measured: Coverage, required: Evidence) -> int:
    """Number of mapped names whose evidence is weaker than `required`."""
    grades = measured.total.mapped.values()
    return sum(not grade.is_at_least(required) for grade in grades)


def _counts(area: Area) -> dict[str, int]:
    return {
        "mapped": len(area.mapped),
        **{str(grade): area.graded(grade) for grade in Evidence},
        "unsupported": len(area.unsupported),
        "unclassified": len(area.unclassified),
        "total": area.total,
    }


def document(measured: Coverage, names: bool) -> dict[str, Any]:
    """Plain data for `--json`. With `names`, the data includes the unclassified names."""
    areas = {}
    for area in measured.areas:
        reasons = [{"reason": why, "names": count} for why, count in area.reasons()]
        areas[area.area] = {**_counts(area), "reasons": reasons}
        if names:
            areas[area.area]["unclassified_names"] = list(area.unclassified)
    return {
        "target": measured.target,
        "cuda": measured.cuda,
        "areas": areas,
        "total": _counts(measured.total),
        "newer": {release.area: _counts(release) for release in measured.newer},
        "collisions": [
            {"becomes": one.becomes, "names": list(one.names), "guessed": one.guessed}
            for one in measured.collisions
        ],
    }


def lines(measured: Coverage, names: bool, reasons: bool, collisions: bool) -> Iterator[Line]:
    """Tables for a terminal. The flags add lists: unclassified names, reasons for unsupported names, and collisions."""
    yield Line(f"CUDA {measured.cuda} for {measured.target}, in names", "bold")
    columns = ("area", *_counts(measured.total))
    rows = [(a.area, *map(str, _counts(a).values())) for a in (*measured.areas, measured.total)]
    numbers = frozenset(range(1, len(columns)))
    yield from aligned(Table("", columns, tuple(rows), numbers))
    if measured.newer:
        yield Line("")
        yield Line("names introduced by newer releases", "bold")
        rows = [(r.area, *map(str, _counts(r).values())) for r in measured.newer]
        yield from aligned(Table("", ("release", *columns[1:]), tuple(rows), numbers))
    if measured.collisions:
        guesses = sum(one.guessed > 0 for one in measured.collisions)
        yield Line("")
        yield Line(
            f"{len(measured.collisions)} names of {measured.target} replace several CUDA names, "
            f"{guesses} of them by a guess"
        )
    if collisions:
        yield from aligned(collided(measured.collisions))
    if reasons:
        for area in measured.areas:
            if area.unsupported:
                yield Line("")
                yield Line(f"{area.area}: {len(area.unsupported)} unsupported", "bold")
                yield from (Line(f"  {count:6}  {why}") for why, count in area.reasons())
    if names:
        for area in measured.areas:
            yield from (Line(f"{area.area} {name}") for name in area.unclassified)
