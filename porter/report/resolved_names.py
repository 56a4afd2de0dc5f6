"""Results of `porter mapping show` as tables and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from porter.mapping.resolve_name import ResolvedName
from porter.model.rules import Rule
from porter.report.tables import Line, Table, aligned
from porter.rewrite.kinds import order


class ShownName(NamedTuple):
    """Name with its replacement, and with the file and line of each rule that decides about the name."""

    resolved: ResolvedName
    place: str
    """File and line of the deciding rule; empty if no rule decides."""
    elsewhere: Sequence[tuple[Rule, str | None, str]]
    """Rules that decide only in special contexts, such as calls, each as (rule, replacement, file and line)."""


def document(names: Mapping[str, ShownName]) -> dict[str, Any]:
    """Plain data for `--json`: maps each name to its status, evidence, replacement and rules."""
    return {
        name: {
            "status": one.resolved.status,
            "evidence": one.resolved.evidence,
            "replace": one.resolved.replace,
            "rule": one.place or None,
            "note": one.resolved.note,
            "elsewhere": [
                {"kind": rule.kind, "replace": new, "rule": place}
                for rule, new, place in one.elsewhere
            ],
        }
        for name, one in names.items()
    }


def lines(names: Mapping[str, ShownName]) -> Iterator[Line]:
    """Lines of two tables: single names, and regular expressions for names (`family` rules)."""
    exact: list[tuple[str, ...]] = []
    families: list[tuple[str, ...]] = []
    for name, one in names.items():
        resolved, rule = one.resolved, one.resolved.rule
        becomes, evidence = resolved.replace or "", resolved.evidence or ""
        row = (name, resolved.status, evidence, becomes, one.place, resolved.note)
        (
            families
            if rule and rule.match == name and order.kind(rule.kind).names_by_pattern
            else exact
        ).append(row)
        for other, new, _ in one.elsewhere:
            uses = order.kind(other.kind).uses
            title = other.match if uses and uses.about(other) != other.match else other.kind
            exact.append((f"  {title}", other.status, "", new or "", str(other.origin), other.note))
    # Regular expressions are long. In a common table, they would make the first column too wide.
    for first, rows in (("name", exact), ("family", families)):
        if rows:
            columns = (first, "status", "evidence", "becomes", "rule", "note")
            yield from aligned(Table("", columns, tuple(rows)))
