"""Which files a change of the mappings can touch, so that only those are rewritten."""

from __future__ import annotations

import re
from collections.abc import Mapping

from porter.lex import decode
from porter.model.rules import Resolution, Rule, RuleSet
from porter.rules.source import WORD


def _shape(rule: Rule) -> tuple[object, ...]:
    """All of a rule that decides about text or reports, and not where in its file it stands."""
    return (
        rule.key,
        rule.kind,
        rule.match,
        rule.replace,
        rule.status,
        rule.classes,
        rule.only_in,
        rule.not_in,
        rule.note,
        rule.shim,
        rule.before,
        rule.after,
        rule.pattern,
        rule.part,
    )


class Touch:
    """Compares two rule sets of one target and says of a file whether they can differ about it."""

    def __init__(self, old: RuleSet, new: RuleSet) -> None:
        self.everything = (
            old.profile != new.profile
            or old.vendor.pattern != new.vendor.pattern
            or any(self._others(old, kind) != self._others(new, kind) for kind in _WHOLE_KINDS)
        )
        self.names = self._changed_names(old, new)
        families = set(self._families(old)) ^ set(self._families(new))
        order_kept = [f for f in self._families(old) if f not in families] == [
            f for f in self._families(new) if f not in families
        ]
        self.everything = self.everything or not order_kept
        self.patterns = [re.compile(str(shape[2]), re.ASCII) for shape in families]

    def can(self, raw: bytes) -> bool:
        """Whether a file with these bytes may come out differently."""
        if self.everything:
            return True
        if not self.names and not self.patterns:
            return False
        words = set(WORD.findall(decode(raw)))
        if words & self.names:
            return True
        return any(pattern.fullmatch(word) for pattern in self.patterns for word in words)

    @staticmethod
    def _others(rules: RuleSet, kind: str) -> list[tuple[object, ...]]:
        return [_shape(rule) for rule in rules.rules if rule.kind == kind]

    @staticmethod
    def _families(rules: RuleSet) -> list[tuple[object, ...]]:
        return [_shape(rules.rules[index]) for _, index in rules.families]

    @staticmethod
    def _changed_names(old: RuleSet, new: RuleSet) -> set[str]:
        changed = set()
        for before, after in ((old.exact, new.exact), (old.values, new.values)):
            for name in before.keys() | after.keys():
                if _decided(old, before, name) != _decided(new, after, name):
                    changed.add(name)
        for name in old.calls.keys() | new.calls.keys():
            was = [_shape(old.rules[index]) for index in old.calls.get(name, ())]
            now = [_shape(new.rules[index]) for index in new.calls.get(name, ())]
            if was != now:
                changed.add(name)
        for name in old.chains.keys() | new.chains.keys():
            if _chained(old, name) != _chained(new, name):
                changed.add(name)
        return changed


_WHOLE_KINDS = ("include", "path", "launch", "dynamic_shared", "string", "patch", "hazard")
"""Kinds that no single word announces: a change of theirs may touch any file."""


def _decided(
    rules: RuleSet, table: Mapping[str, tuple[Resolution, ...]], name: str
) -> list[tuple[object, ...]]:
    return [(*_shape(rules.rules[found.rule]), found.replace) for found in table.get(name, ())]


def _chained(rules: RuleSet, name: str) -> dict[str, list[tuple[object, ...]]]:
    chains = rules.chains.get(name, {})
    return {
        chain: [_shape(rules.rules[index]) for index in indexes]
        for chain, indexes in chains.items()
    }
