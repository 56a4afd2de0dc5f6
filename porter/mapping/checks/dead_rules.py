"""Check for rules that never apply. Each finding is certain; not every such rule is found."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from re import _constants as c  # type: ignore[attr-defined]  # private, but stable since 3.11
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from porter.mapping.checks import Finding, Target, error, title, warning
from porter.mapping.checks.applicability import covers, selects_nothing
from porter.mapping.compile import AXES, CUDA, bounds
from porter.mapping.schema import RuleEntry
from porter.model.rules import Layer, Rule, TokenClass
from porter.regex.automaton import WORD, reads
from porter.rewrite.kinds import order

CHECK = "dead"
_MOST = 64
_CODE = frozenset({TokenClass.CODE, TokenClass.CONDITION})


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each rule that never applies, or that another rule always precedes."""
    for rule, model in target:
        yield from _versions(rule, model)
        yield from _places(rule, target)
    yield from _too_new(target)
    yield from _shadowed_includes(target)
    yield from _shadowed_families(target)


def _versions(rule: Rule, model: RuleEntry) -> Iterator[Finding]:
    for axis in AXES:
        if bounds(model, axis).are_empty():
            text = f"{title(rule)} never applies: since {model.since}, until {model.until}"
            yield error(CHECK, rule.origin, text)


def _too_new(target: Target) -> Iterator[Finding]:
    """Yield a finding for each rule whose bounds exclude the inventory's CUDA release."""
    cuda = target.inventory.cuda
    for entry in target.loaded.entries:
        if not bounds(entry.model, CUDA).admit(cuda):
            text = f"the rule never applies: its bounds exclude CUDA {cuda}, the release of the inventory"
            yield warning(CHECK, entry.origin, text)


def _places(rule: Rule, target: Target) -> Iterator[Finding]:
    if order.kind(rule.kind).by_word and not rule.classes & _CODE:
        text = f"{title(rule)} never applies: its kind applies to code and conditions only"
        yield warning(CHECK, rule.origin, text)
    if rule.only_in and set(rule.only_in) <= set(rule.not_in):
        text = f"{title(rule)} never applies: not_in contains every glob of only_in"
        yield error(CHECK, rule.origin, text)
    loaded = target.loaded
    selection = loaded.target_selection if rule.layer is Layer.TARGET else loaded.selection
    globs = [*rule.only_in, *order.kind(rule.kind).globs(rule)]
    for glob in globs:
        if selects_nothing(glob, selection.folders, selection.excluded):
            text = f"{title(rule)}: no file of the selection can match '{glob}'"
            yield warning(CHECK, rule.origin, text)


def _shadowed_includes(target: Target) -> Iterator[Finding]:
    """Yield a finding for each include pattern if an earlier pattern matches all paths that the pattern matches.

    An include rule without `*` is no pattern: it has precedence over the patterns of its layer.
    """
    kinds = [kind.name for kind in order.ORDER if kind.names_headers]
    rules = [index for name in kinds for index in target.rules.of_kind(name)]
    globs = [index for index in rules if "*" in target.rules.rules[index].match]
    for at, later in enumerate(globs):
        for earlier in globs[:at]:
            one, other = target.rules.rules[earlier], target.rules.rules[later]
            if one.match != other.match and _is_wider(one.match, other.match):
                yield from _forestalled(target, earlier, later)


def _is_wider(glob: str, other: str) -> bool:
    pieces, others = glob.split("*"), other.split("*")
    one_star = len(pieces) == 2
    return one_star and others[0].startswith(pieces[0]) and others[-1].endswith(pieces[1])


def _shadowed_families(target: Target) -> Iterator[Finding]:
    families = [family.rule for family in target.rules.families]
    for at, later in enumerate(families):
        for earlier in families[:at]:
            one, other = target.rules.rules[earlier], target.rules.rules[later]
            if one.match != other.match and _swallows(one.match, other.match):
                yield from _forestalled(target, earlier, later)


def _forestalled(target: Target, earlier: int, later: int) -> Iterator[Finding]:
    one, other = target.rules.rules[earlier], target.rules.rules[later]
    written = target.written
    # A stronger layer overrides a weaker one intentionally.
    if one.layer is other.layer and covers(one, written[earlier], other, written[later]):
        text = f"{title(other)} never applies: {title(one)} comes first and matches the same texts"
        yield warning(CHECK, other.origin, text, f"move the rule before {one.origin}")


def _swallows(pattern: str, other: str) -> bool:
    """Test whether `pattern` matches every identifier that the pattern `other` matches. True is certain."""
    wide = [prefix for items in _sequences(pattern) if (prefix := _as_prefix(items))]
    return bool(wide) and all(
        any(_begins(items, *prefix) for prefix in wide) for items in _sequences(other)
    )


@functools.cache
def _sequences(pattern: str) -> list[list[Any]]:
    """Alternatives of a regular expression given as text."""
    return _alternatives(parser.parse(pattern))


def _alternatives(items: Any) -> list[list[Any]]:
    """Alternatives of a regular expression, each as a sequence of items without groups."""
    sequences: list[list[Any]] = [[]]
    for op, argument in items:
        if op is c.SUBPATTERN and not argument[1] and not argument[2]:
            choices = _alternatives(argument[3])
        elif op is c.BRANCH:
            choices = [inner for body in argument[1] for inner in _alternatives(body)]
        else:
            choices = [[(op, argument)]]
        if len(sequences) * len(choices) > _MOST:
            # Too many combinations: the group is not expanded.
            choices = [[(op, argument)]]
        sequences = [[*before, *after] for before in sequences for after in choices]
    return sequences


def _as_prefix(items: list[Any]) -> tuple[list[int], int] | None:
    """Prefix and tail of a sequence of the form `ab[x]\\w*`; None for any other form.

    The prefix is a list of masks, one for each character. The tail is given as its least number of characters.
    """
    if not items or items[-1][0] is not c.MAX_REPEAT:
        return None
    low, high, body = items[-1][1]
    if high is not c.MAXREPEAT or len(body) != 1 or not _reads_words(body[0]):
        return None
    if not all(op in (c.LITERAL, c.IN, c.ANY) for op, _ in items[:-1]):
        return None
    return [reads(op, argument, 0) for op, argument in items[:-1]], low


def _reads_words(item: Any) -> bool:
    op, argument = item
    return op in (c.IN, c.ANY) and reads(op, argument, 0) & WORD == WORD


def _begins(items: list[Any], prefix: list[int], more: int) -> bool:
    """Test whether every match of a sequence begins with the prefix and has at least `more` characters after it."""
    if len(items) < len(prefix):
        return False
    for wanted, (op, argument) in zip(prefix, items, strict=False):
        if op not in (c.LITERAL, c.IN) or reads(op, argument, 0) & ~wanted:
            return False
    rest = items[len(prefix) :]
    return sum(_least(item) for item in rest) >= more


def _least(item: Any) -> int:
    """Least number of characters that an item of a regular expression matches."""
    op, argument = item
    if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return int(argument[0] * argument[2].getwidth()[0])
    if op is c.SUBPATTERN:
        return int(argument[3].getwidth()[0])
    if op is c.BRANCH:
        return min(int(body.getwidth()[0]) for body in argument[1])
    return int(op in (c.LITERAL, c.NOT_LITERAL, c.IN, c.ANY))
