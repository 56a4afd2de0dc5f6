"""Check for replacements that the rule set would replace again.

Users sometimes port a finished port again by mistake; the second port must equal the first. Besides, if a rule
matches the replacement of another rule, usually one of the two rules is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from porter.mapping.checks import Finding, Target, error, title
from porter.mapping.checks.applicability import covers
from porter.model.rules import Rule, Status, TokenClass
from porter.rewrite.kind import Preview
from porter.rewrite.kinds import order
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import WORD

_CODE = {TokenClass.CODE, TokenClass.CONDITION}
_LONGEST = 8
_SHOWN = 120  # characters of a text in a message


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each replacement that the rule set would replace again."""
    again = _Again(target)
    for index, rule in enumerate(target.rules.rules):
        if rule.status is not Status.SUPPORTED:
            continue
        for name, before, after in _results(rule, index, again.resolver):
            if before != after and not _is_hidden(target, index, name):
                yield from _chain(target, again, index, name, before, after)


def _results(rule: Rule, index: int, resolver: Resolver) -> Iterator[Preview]:
    """Yield (name, text before, text after) for each previewed text about which the rule itself decides."""

    def resolve(word: str) -> str | None:
        made = resolver.family(word)
        return made.replace if made and made.rule == index else None

    return order.kind(rule.kind).preview(rule, resolve)


def _is_hidden(target: Target, index: int, name: str) -> bool:
    """Test whether a rule of a stronger layer covers everything that the rule with index `index` matches.

    `name` is one name of a bulk rule, or empty.
    """
    rules = target.rules.rules
    rule = rules[index]
    # A `names` rule competes for each of its names.
    stronger: Iterable[int] = (
        (found.rule for found in target.rules.exact.get(name, ()))
        if name
        else order.kind(rule.kind).rivals(target.rules, rule)
    )
    written = target.written
    return any(
        rules[other].layer is not rule.layer
        and covers(rules[other], written[other], rule, written[index])
        for other in takewhile(lambda other: other != index, stronger)
    )


def _chain(
    target: Target, again: _Again, index: int, name: str, before: str, after: str
) -> Iterator[Finding]:
    rule = target.rules.rules[index]
    first = step = again.next(rule, after)
    if first is None:
        return
    seen = [before, after]
    while step and len(seen) < _LONGEST:
        seen.append(step[1])
        if step[1] in seen[:-1]:
            break
        step = again.next(target.rules.rules[step[0]], step[1])
    shown = " -> ".join(f"'{_short(text)}'" for text in seen)
    by = target.rules.rules[first[0]]
    place = target.origins.of(rule, name) if name else rule.origin
    yield error(
        "cycle" if seen[-1] in seen[:-1] else "chain",
        place,
        f"a rule would replace the replacement again: {shown}",
        f"correct this rule, or the rule that matches the replacement: {title(by)} in {by.origin}",
    )


def _short(text: str) -> str:
    """A patch's text may be long, and grows with each replacement."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


class _Again:
    """Finder of the rule that would replace a replacement again, in any file."""

    def __init__(self, target: Target) -> None:
        self.rules = target.rules
        self.resolver = Resolver(target.rules)
        self._kinds = [kind for kind in order.ORDER if target.rules.of_kind(kind.name)]
        self._words: dict[str, tuple[int, str] | None] = {}

    def next(self, rule: Rule, text: str) -> tuple[int, str] | None:
        """Index of the rule that would replace `text`, written by `rule`, and the new text; None if no rule would."""
        kind = order.kind(rule.kind)
        if kind.again:
            found = kind.again(self.rules, rule, text)
            return (found.rule, found.replace or "") if found else None
        for name in kind.own_names(rule):
            if name in text:
                text = re.sub(rf"\b{name}\b", "x", text)
        for other in self._kinds:
            if found := other.in_code(self.rules, text):
                return found.rule, found.replace or ""
        return self._any_word(text)

    def _any_word(self, text: str) -> tuple[int, str] | None:
        for word in WORD.findall(text):
            if word not in self._words:
                self._words[word] = self._word(word)
            if found := self._words[word]:
                return found[0], text.replace(word, found[1])
        return None

    def _word(self, word: str) -> tuple[int, str] | None:
        """Index of the strongest rule that edits a word in code or conditions, and the replacement; or None."""
        open_classes = set(_CODE)
        family = self.resolver.family(word)
        for found in (*self.rules.exact.get(word, ()), *((family,) if family else ())):
            rule = self.rules.rules[found.rule]
            if not open_classes & rule.classes:
                continue
            if found.replace not in (None, word):
                return found.rule, found.replace or ""
            if not rule.only_in and not rule.not_in:
                open_classes -= rule.classes
        return None
