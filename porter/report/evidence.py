"""Evidence for the target names in a port: tables for reports, and findings about names with weak evidence."""

from __future__ import annotations

from collections.abc import Sequence

from porter.base.errors import Problem
from porter.mapping.evidence import counts
from porter.model.evidence import MEANING, Collision, Evidence, Replacement
from porter.report.tables import Table

_NAMED = 5
"""Largest number of names in a finding; report.md contains all names."""
_HELP = {
    Evidence.LISTED: "check these names, and list them in a table or a rule of the target",
    Evidence.SEEN: "give --sdk the folder of the headers that declare these names; correct names that the target lacks",
}


def headline(names: Sequence[Replacement], collisions: Sequence[Collision]) -> str:
    """Text of one line: number of names for each grade of evidence, and number of collisions."""
    parts = [f"{count} {grade}" for grade, (count, _) in counts(names).items() if count]
    if collisions:
        parts.append(f"{len(collisions)} that replace several CUDA names")
    return ", ".join(parts) or "none replaced"


def graded(names: Sequence[Replacement]) -> Table:
    """Table with the number of names and the number of their occurrences for each grade of evidence."""
    rows = tuple(
        (str(grade), str(count), str(places), MEANING[grade])
        for grade, (count, places) in counts(names).items()
    )
    columns = ("replaced names", "names", "places", "meaning")
    return Table("", columns, rows, frozenset({1, 2}))


def guessed(names: Sequence[Replacement]) -> Table:
    """Table of the names whose evidence is only `guessed`."""
    rows = tuple(
        (one.name, one.becomes, str(one.places), str(one.files), one.rule)
        for one in names
        if one.evidence is Evidence.GUESSED
    )
    columns = ("name", "becomes", "places", "files", "rule")
    return Table("Guessed names", columns, rows, frozenset({2, 3}))


def collided(collisions: Sequence[Collision]) -> Table:
    """Table of the target names that each replace several CUDA names."""
    rows = tuple((one.becomes, ", ".join(one.names), str(one.guessed)) for one in collisions)
    columns = ("target's name", "CUDA's names", "guessed")
    return Table("Target names that replace several of CUDA's names", columns, rows, frozenset({2}))


def below(names: Sequence[Replacement], required: Evidence, place: str) -> list[Problem]:
    """One problem for each grade in `names` that is weaker than `required`. `place` is the path of the port."""
    problems = []
    for grade in Evidence:
        weak = [one for one in names if one.evidence is grade]
        if grade.is_at_least(required) or not weak:
            continue
        shown = ", ".join(f"{one.name} -> {one.becomes}" for one in weak[:_NAMED])
        more = f", and {len(weak) - _NAMED} more" if len(weak) > _NAMED else ""
        text = f"{_names(len(weak))} {grade}, and {required} is required: {shown}{more}"
        problems.append(Problem(text, place, _HELP[required]))
    return problems


def _names(count: int) -> str:
    return "1 replaced name is" if count == 1 else f"{count} replaced names are"
