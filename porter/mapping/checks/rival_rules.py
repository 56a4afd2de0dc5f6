"""Check for two rules of one layer that match the same text: an error if they contradict each other, else a warning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from porter.mapping.checks import Finding, Target, error, title, warning
from porter.mapping.checks.applicability import can_meet
from porter.model.rules import Layer, Rule, Status
from porter.rewrite.kind import Key
from porter.rewrite.kinds import order

CHECK = "duplicate"


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each rule that repeats or contradicts an earlier rule of its layer."""
    by_key: dict[tuple[Layer, Key], list[int]] = defaultdict(list)
    for index, rule in enumerate(target.rules.rules):
        for key in order.kind(rule.kind).keys(rule):
            by_key[rule.layer, key].append(index)
    for (_, key), indexes in by_key.items():
        for at, later in enumerate(indexes):
            for earlier in indexes[:at]:
                if found := _compare(target, earlier, later, key):
                    yield found
                    break


def _compare(target: Target, earlier: int, later: int, key: Key) -> Finding | None:
    one, other = target.rules.rules[earlier], target.rules.rules[later]
    if not can_meet(one, target.written[earlier], other, target.written[later]):
        return None
    name = key[1] if key[0] == "name" else ""
    what = title(other, name)
    if _outcome(one, name) == _outcome(other, name):
        return warning(
            CHECK,
            _place(target, later, name),
            f"{what} has two equal rules",
            _first(target, earlier, name),
        )
    text = f"{what} has two contradictory rules in one layer"
    return error(CHECK, _place(target, later, name), text, _first(target, earlier, name))


def _first(target: Target, index: int, name: str) -> str:
    return f"remove one of the two; the other is {_place(target, index, name)}"


def _place(target: Target, index: int, name: str) -> str:
    rule = target.rules.rules[index]
    return str(target.origins.of(rule, name) if name else rule.origin)


def _outcome(rule: Rule, name: str) -> tuple[object, ...]:
    """Values that determine a rule's result for a text. Two rules with equal values are harmless duplicates."""
    if order.kind(rule.kind).is_construct:
        return (rule.match,)
    if rule.status is not Status.SUPPORTED:
        return (rule.status,)
    new = rule.names.get(name) if rule.names else rule.replace
    kept = new is None or new == (name or rule.match)
    return (rule.status, None if kept else new, rule.shim, order.kind(rule.kind).writes(rule))
