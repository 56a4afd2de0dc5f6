"""Registered and unregistered operators, as tables and as the text of `ops.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porter.base.json_text import indented
from porter.model.ops import KEYS, Decision, Tally, tallies

SCHEMA = 1


def as_json(decisions: Sequence[Decision]) -> str:
    """Text of `ops.json`: numbers for each dispatch key, then all decisions. Equal decisions give equal text."""
    return (
        indented(
            {
                "schema": SCHEMA,
                "keys": [_figures(tally) for tally in tallies(tuple(decisions))],
                "ops": [_entry(decision) for decision in decisions],
            }
        )
        + "\n"
    )


def rows(figures: Sequence[Tally]) -> list[tuple[str, ...]]:
    """Rows of a table with one row for each dispatch key. The first row is the header.

    Columns: key, operators, shared, own, registered, and one column for each reason for which operators are not
    registered.
    """
    reasons = sorted({reason for tally in figures for reason in tally.left})
    table = [("key", "operators", "shared", "own", "registered", *reasons)]
    for tally in figures:
        left = (str(tally.left.get(reason, 0)) for reason in reasons)
        counts = (tally.ops, tally.shared, tally.own, tally.registered)
        table.append((KEYS[tally.key], *map(str, counts), *left))
    return table


def left_out(decisions: Sequence[Decision]) -> list[tuple[str, str, str, str]]:
    """All operators that are not registered, each as (dispatch key, operator, reason, detail)."""
    return [(KEYS[d.op.key], d.op.name, str(d.left), d.detail) for d in decisions if d.left]


def asking(decisions: Sequence[Decision]) -> list[tuple[str, str, str, str]]:
    """Unreviewed comparisons of the device type with CUDA, each as (dispatch key, operator, function, file).

    The function makes the comparison. The kernel of the registered operator calls the function, directly or indirectly.
    """
    return [
        (KEYS[decision.op.key], decision.op.name, one.function, one.path)
        for decision in decisions
        for one in decision.asks
        if not one.reason
    ]


def _figures(tally: Tally) -> dict[str, Any]:
    return {**tally._asdict(), "registered_on": KEYS[tally.key], "left": dict(tally.left)}


def _entry(decision: Decision) -> dict[str, Any]:
    op = decision.op
    return {
        "key": KEYS[op.key],
        "op": op.name,
        "kernel": op.symbol,
        "origin": str(decision.origin),
        "registered": [] if decision.left else [form.name for form in op.forms],
        "reason": str(decision.left or ""),
        "detail": decision.detail,
        "asks": [one._asdict() for one in decision.asks],
        "files": list(decision.files),
    }
