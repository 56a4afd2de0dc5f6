"""Two rules of one layer about the same thing: the order of files decides which one acts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from porter.mapping.checks import Finding, Target, error, title, warning
from porter.mapping.checks.applicability import can_meet
from porter.model.rules import Layer, Rule, Status

CHECK = "duplicate"
_Key = tuple[str, ...]


def find(target: Target) -> Iterator[Finding]:
    """Every rule that an earlier one of its layer repeats or contradicts."""
    by_key: dict[tuple[Layer, _Key], list[int]] = defaultdict(list)
    for index, rule in enumerate(target.rules.rules):
        for key in _keys(rule):
            by_key[rule.layer, key].append(index)
    for (_, key), indexes in by_key.items():
        for at, later in enumerate(indexes):
            for earlier in indexes[:at]:
                if found := _compare(target, earlier, later, key):
                    yield found
                    break


def _keys(rule: Rule) -> Iterator[_Key]:
    """What a rule is about; two rules with one key compete for the same text."""
    match rule.kind:
        case "name" | "macro":
            yield "name", rule.match
        case "names" if rule.match != "inventory":
            for name in rule.names:
                yield "name", name
        case "call":
            name, _, arguments = rule.match.partition("(")
            yield "call", name, str(len([a for a in arguments[:-1].split(",") if a.strip()]))
        case "path":
            yield "path", rule.part, rule.match
        case "hazard":
            yield "hazard", rule.pattern
        case "patch":
            yield "patch", rule.match, rule.before
        case "launch" | "dynamic_shared" | "kernel":
            yield (rule.kind,)
        case "value" | "qualified" | "include" | "string":
            yield rule.kind, rule.match
        case "family" if not rule.names:
            yield "family", rule.match


def _compare(target: Target, earlier: int, later: int, key: _Key) -> Finding | None:
    one, other = target.rules.rules[earlier], target.rules.rules[later]
    if not can_meet(one, target.written[earlier], other, target.written[later]):
        return None
    name = key[1] if key[0] == "name" else ""
    what = title(other, name)
    if _outcome(one, name) == _outcome(other, name):
        return warning(
            CHECK,
            _place(target, later, name),
            f"{what} stands twice",
            _first(target, earlier, name),
        )
    text = f"{what} has two rules of one layer that say different things"
    return error(CHECK, _place(target, later, name), text, _first(target, earlier, name))


def _first(target: Target, index: int, name: str) -> str:
    return f"the other is {_place(target, index, name)}"


def _place(target: Target, index: int, name: str) -> str:
    rule = target.rules.rules[index]
    return str(target.origins.of(rule, name) if name else rule.origin)


def _outcome(rule: Rule, name: str) -> tuple[object, ...]:
    """What a rule makes of a text: equal outcomes make a duplicate harmless."""
    if rule.kind in ("launch", "dynamic_shared", "kernel"):
        return (rule.match,)
    if rule.status is not Status.SUPPORTED:
        return (rule.status,)
    new = rule.names.get(name) if rule.kind == "names" else rule.replace
    kept = new is None or new == (name or rule.match)
    return (rule.status, None if kept else new, rule.shim, rule.after)
