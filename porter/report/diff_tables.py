"""Drift as tables; the most important tables come first."""

from __future__ import annotations

from collections.abc import Iterator

from porter.model.drift import CountPair, Drift, FileDrift, RuleDrift
from porter.report.tables import Table

_NAMES = 4
"""Largest number of names that the table shows for one rule; the JSON has all names."""


def tables(drift: Drift) -> Iterator[Table]:
    """Tables of a drift, without empty tables."""
    for table in _all(drift):
        if table.rows:
            yield table


def totals(drift: Drift) -> Table:
    """Table with the totals of both ports."""
    rows = tuple(
        (count.name, str(count.before), str(count.after), _change(count.before, count.after))
        for count in drift.totals
    )
    return Table("", ("", "a", "b", "change"), rows, frozenset({1, 2, 3}))


def _all(drift: Drift) -> Iterator[Table]:
    for reason, counts in drift.residue.items():
        appeared = [count for count in counts if not count.before]
        vanished = [count for count in counts if not count.after]
        other = [count for count in counts if count.before and count.after]
        bad = reason in ("unmapped", "ambiguous")
        yield _words(f"Left, new in b: {reason}", appeared, bad)
        yield _words(f"Left, no longer in b: {reason}", vanished)
        yield _words(f"Left, more or less often: {reason}", other, bad)
    stopped = [rule for rule in drift.rules if not rule.after]
    began = [rule for rule in drift.rules if not rule.before]
    other_hits = [rule for rule in drift.rules if rule.before and rule.after]
    yield _rules("Rules that stopped matching", stopped, bad=True)
    yield _rules("Rules that began to match", began)
    yield _rules("Rules with other hits", other_hits)
    yield Table(
        "Hazards: text that may be wrong",
        ("hazard", "a", "b", "change", "file"),
        tuple(
            (name, str(c.before), str(c.after), _change(c.before, c.after), c.name)
            for name, counts in drift.hazards.items()
            for c in counts
        ),
        frozenset({1, 2, 3}),
    )
    for title, files in (("Files added", drift.added), ("Files removed", drift.removed)):
        yield Table(title, ("ported", "upstream"), tuple((f.to, f.path) for f in files))
    yield Table(
        "Files moved",
        ("ported, a", "ported, b", "upstream"),
        tuple((f.before.to, f.after.to, _upstream(f)) for f in drift.changed if f.moved),
    )
    yield Table(
        "Files changed",
        ("cause", "edits, a", "edits, b", "ported"),
        tuple(
            (str(f.cause), str(f.before.edits), str(f.after.edits), f.after.to)
            for f in drift.changed
            if f.rewritten
        ),
        frozenset({1, 2}),
    )


def _upstream(file: FileDrift) -> str:
    if file.before.path == file.after.path:
        return file.after.path
    return f"{file.before.path} -> {file.after.path}"


def _words(title: str, counts: list[CountPair], bad: bool = False) -> Table:
    rows = tuple(
        (str(c.before), str(c.after), c.name, c.place) for c in sorted(counts, key=_largest_first)
    )
    return Table(title, ("a", "b", "word", "first"), rows, frozenset({0, 1}), bad)


def _rules(title: str, rules: list[RuleDrift], bad: bool = False) -> Table:
    rows = tuple(
        (str(r.before), str(r.after), _change(r.before, r.after), r.rule, _names(r.names))
        for r in sorted(rules, key=_largest_first)
    )
    return Table(title, ("a", "b", "change", "rule", "names"), rows, frozenset({0, 1, 2}), bad)


def _names(names: tuple[CountPair, ...]) -> str:
    most = sorted(names, key=_largest_first)
    shown = [f"{count.name} {count.before}->{count.after}" for count in most[:_NAMES]]
    if len(names) > _NAMES:
        shown.append(f"and {len(names) - _NAMES} more")
    return ", ".join(shown)


def _change(before: int, after: int) -> str:
    return f"{after - before:+d}" if after != before else ""


def _largest_first(counted: CountPair | RuleDrift) -> int:
    """Sort key by which the largest change comes first. Sorting is stable: equal changes remain sorted by name."""
    return -abs(counted.after - counted.before)
