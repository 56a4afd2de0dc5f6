"""Steps for rule kinds that act before a file is read as a `Source` or after all edits."""

from __future__ import annotations

from porter.model.port import Hazard
from porter.model.rules import RuleSet
from porter.rewrite.applied_patch import AppliedPatch
from porter.rewrite.kind import Reports
from porter.rewrite.kinds import order
from porter.rewrite.source import Source


def prepared(path: str, text: str, rules: RuleSet) -> tuple[str, tuple[AppliedPatch, ...]]:
    """Text of a file after the `patch` rules, as all later rules see it, and the applied patches in their order."""
    applied: tuple[AppliedPatch, ...] = ()
    for kind in order.ORDER:
        if kind.prepare:
            text, more = kind.prepare(path, text, rules)
            applied += more
    return text, applied


class Reporter:
    """Finds the places to report under one rule set, for all rule kinds that only report."""

    def __init__(self, rules: RuleSet) -> None:
        self._by_kind: list[tuple[tuple[int, ...], Reports]] = [
            (rules.of_kind(kind.name), kind.reports(rules)) for kind in order.ORDER if kind.reports
        ]

    def learn(self, words: set[str]) -> None:
        """Examine the words of a file that were in no earlier file."""
        for _, reports in self._by_kind:
            reports.learn(words)

    def places(self, source: Source) -> list[tuple[int, list[int]]]:
        """List of (index of a rule, offsets in the file that the rule reports). `learn` must have examined the file's
        words."""
        return [
            (index, found)
            for indexes, reports in self._by_kind
            for index in indexes
            if (found := reports.places(source, index))
        ]

    def hazards(self, source: Source) -> list[Hazard]:
        """Hazards of a file, each with its first line and the number of its places."""
        rules, text = source.rules.rules, source.text
        return [
            Hazard(rules[index].match, text.count("\n", 0, found[0]) + 1, len(found), index)
            for index, found in self.places(source)
        ]
