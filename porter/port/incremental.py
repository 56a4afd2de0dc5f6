"""Incremental porting: finds the files that a change of the mappings can affect."""

from __future__ import annotations

import re
from collections.abc import Mapping

from porter.base.globs import is_within
from porter.cpp.lex import decode
from porter.model.rules import Resolution, Rule, RuleSet
from porter.port.file import read
from porter.rewrite.kinds import order
from porter.rewrite.source import WORD
from porter.rewrite.stages import prepared

_NO_EFFECT = {"origin", "example", "min_hits", "names", "since", "until"}
"""Fields of a rule that are not compared as a whole. `names` is compared name by name; other fields affect no port."""
_DECIDING = tuple(name for name in Rule._fields if name not in _NO_EFFECT)


class RuleChange:
    """Difference between two rule sets for one target, with a test whether the difference can affect a file."""

    def __init__(self, old: RuleSet, new: RuleSet) -> None:
        self.new = new
        self.everything = old.profile != new.profile or old.vendor.pattern != new.vendor.pattern
        self._rules: list[Rule] = []
        for kind in order.ORDER:
            if not kind.by_word:
                self._compare(_of_kind(old, kind.name), _of_kind(new, kind.name))
        kinds = order.kinds()
        self._by_text = [(kinds[rule.kind], rule) for rule in self._rules]
        self.everything |= any(kind.affects_all for kind, _ in self._by_text)
        self._compare(_families(old), _families(new))
        self._names = _changed_names(old, new)
        self._families = [
            (re.compile(rule.match, re.ASCII), rule)
            for rule in self._rules
            if kinds[rule.kind].names_by_pattern
        ]
        # A `family` rule with the option `follows` also replaces a name inside the word, by the rules about that name.
        self._following = [
            re.compile(rule.match, re.ASCII) for rule in _families(new) if rule.option("follows")
        ]
        self._known: dict[str, tuple[Rule, ...]] = {}

    def can(self, path: str, place: str) -> bool:
        """Test whether the difference between the rule sets can change the port of a file.

        `path` is the upstream path of the file, and `place` its location on disk. Raises SourceError if the file cannot
        be read.
        """
        if self.everything:
            return True
        text, _ = prepared(path, decode(read(place)), self.new)
        if any(
            _applies(rule, path) and kind.can_affect(rule, path, text)
            for kind, rule in self._by_text
        ):
            return True
        if not self._names and not self._families:
            return False
        if "##" in text:
            return True  # The operator `##` can produce any name, and the produced name does not occur in the text.
        words = set(WORD.findall(text))
        for word in words.difference(self._known):
            self._known[word] = self._about(word)
        return any(_applies(rule, path) for word in words for rule in self._known[word])

    def _compare(self, old: list[Rule], new: list[Rule]) -> None:
        """Record the rules that only one of two lists contains.

        If the rules that are in both lists have a different order, `everything` becomes True: every file may change.
        """
        before = {_shape(rule): rule for rule in old}
        after = {_shape(rule): rule for rule in new}
        common = before.keys() & after.keys()
        self._rules += [rule for shape, rule in before.items() if shape not in common]
        self._rules += [rule for shape, rule in after.items() if shape not in common]
        self.everything |= [_shape(rule) for rule in old if _shape(rule) in common] != [
            _shape(rule) for rule in new if _shape(rule) in common
        ]

    def _about(self, word: str) -> tuple[Rule, ...]:
        """Changed rules that match a word, or the name inside the word that a `family` rule with `follows` replaces."""
        found = list(self._names.get(word, ()))
        found += [rule for pattern, rule in self._families if pattern.fullmatch(word)]
        for pattern in self._following:
            match = pattern.fullmatch(word)
            if match and match[1] and match[1] != word:
                found += self._about(match[1])
        return tuple(found)


def _shape(rule: Rule) -> tuple[object, ...]:
    """Values by which two rules are compared: the key, and all fields that affect ported text or reports.

    The rule's line in the mapping file is not compared, and `names` is compared by `_changed_names`.
    """
    return rule.key, *(getattr(rule, name) for name in _DECIDING)


def _of_kind(rules: RuleSet, kind: str) -> list[Rule]:
    return [rules.rules[index] for index in rules.of_kind(kind)]


def _families(rules: RuleSet) -> list[Rule]:
    return [rules.rules[family.rule] for family in rules.families]


def _applies(rule: Rule, path: str) -> bool:
    return is_within(path, rule.only_in, rule.not_in)


def _changed_names(old: RuleSet, new: RuleSet) -> dict[str, tuple[Rule, ...]]:
    """Maps each word about which the two rule sets differ to the old and the new rules about the word."""
    numbers: dict[tuple[object, ...], int] = {}
    was = [numbers.setdefault(_shape(rule), len(numbers)) for rule in old.rules]
    now = [numbers.setdefault(_shape(rule), len(numbers)) for rule in new.rules]
    changed: dict[str, tuple[Rule, ...]] = {}
    for before, after in (
        (_resolutions(old.exact), _resolutions(new.exact)),
        *((_uses(old, kind.name), _uses(new, kind.name)) for kind in order.ORDER if kind.uses),
    ):
        for name in before.keys() | after.keys():
            said = [(was[index], what) for index, what in before.get(name, ())]
            says = [(now[index], what) for index, what in after.get(name, ())]
            if said != says:
                changed[name] = (
                    *changed.get(name, ()),
                    *(old.rules[index] for index, _ in before.get(name, ())),
                    *(new.rules[index] for index, _ in after.get(name, ())),
                )
    kinds = order.kinds()
    for rule in [rule for rules in changed.values() for rule in rules]:
        uses = kinds[rule.kind].uses
        if uses and "::" in (chain := uses.about(rule)):
            # A source may contain only the last part of a qualified name, for example after a using-declaration.
            last = chain.rpartition("::")[2]
            changed[last] = (*changed.get(last, ()), rule)
    return changed


_Said = dict[str, list[tuple[int, str | None]]]
"""Maps a word to the rules about the word, each as (index of the rule, text).

The text is the replacement of the word; for a rule about uses of the word, it is the name that the rule matches.
"""


def _resolutions(table: Mapping[str, tuple[Resolution, ...]]) -> _Said:
    return {name: [(one.rule, one.replace) for one in found] for name, found in table.items()}


def _uses(rules: RuleSet, kind: str) -> _Said:
    said: _Said = {}
    for about, found in rules.uses.get(kind, {}).items():
        said.setdefault(about.partition("::")[0], []).extend((index, about) for index in found)
    return said
