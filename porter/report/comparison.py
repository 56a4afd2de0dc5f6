"""Comparison of two targets' ports, as lines for a terminal and as plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from porter.model.comparison import Difference, PortComparison
from porter.report.tables import Line, Table, aligned, titled

_TEXT = 60
"""Largest number of characters of a differing text on a terminal."""


def lines(found: PortComparison, a: str, b: str, *, every: bool) -> Iterator[Line]:
    """Tables for a terminal: totals, names with several counterparts, and differences of more than a name.

    `a` and `b` are the names of the targets. With `every`, each difference has a row; otherwise the differences are
    grouped by the kinds of their rules.
    """
    yield Line(f"{a} and {b}", "bold")
    yield from aligned(
        Table(
            "",
            ("", "number"),
            (
                ("files in both ports", str(found.files)),
                (f"files only in the port to {a}", str(len(found.only_a))),
                (f"files only in the port to {b}", str(len(found.only_b))),
                ("names that differ", str(len(found.names))),
                ("of these, one to one", str(found.one_to_one)),
                ("words in comments, literals and include paths", str(found.other_words)),
                ("other differences", str(len(found.differences))),
            ),
            frozenset({1}),
        )
    )
    for title, names in (
        (f"names of {a} with several names in {b}", found.several),
        (f"names of {b} for several names of {a}", found.merged),
    ):
        if names:
            rows = tuple((name, ", ".join(sorted(others))) for name, others in names.items())
            yield from titled(Table(title, ("name", "the other target's"), rows))
    if every:
        yield from titled(
            Table("differences", ("place", a, b), tuple(map(_row, found.differences)))
        )
    elif found.differences:
        yield from titled(_groups(found, a, b))


def document(found: PortComparison) -> dict[str, Any]:
    """Plain data of a comparison."""
    return {
        "files": found.files,
        "only_a": list(found.only_a),
        "only_b": list(found.only_b),
        "names": {
            "differ": len(found.names),
            "one_to_one": found.one_to_one,
            "pairs": _plain(found.names),
            "merged": _plain(found.merged),
        },
        "other_words": found.other_words,
        "differences": [one._asdict() for one in found.differences],
    }


def _plain(names: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    return {name: sorted(others) for name, others in sorted(names.items())}


def _groups(found: PortComparison, a: str, b: str) -> Table:
    """Table of differences, grouped by the kinds of the rules that made them; the largest group comes first."""
    groups: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for one in found.differences:
        groups[_kinds(one.rules_a), _kinds(one.rules_b)].append(one)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    rows = tuple(
        (str(len(some)), *kinds, f"{some[0].path}:{some[0].line}") for kinds, some in ordered
    )
    columns = ("places", f"rules of {a}", f"rules of {b}", "first place")
    return Table("other differences, by kind of rule", columns, rows, frozenset({0}))


def _kinds(keys: tuple[str, ...]) -> str:
    """Kinds of the rules with the given keys (`musa/launch.yaml: launch ...`), as text; `-` without keys."""
    kinds = sorted({key.partition(": ")[2].split(" ")[0] for key in keys})
    return ", ".join(kinds) or "-"


def _row(one: Difference) -> tuple[str, ...]:
    return f"{one.path}:{one.line}", _short(one.a), _short(one.b)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _TEXT else f"{plain[: _TEXT - 3]}..."
