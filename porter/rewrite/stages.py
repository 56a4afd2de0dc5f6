"""Steps of rewriting before a file becomes a `Source` (`patch` rules) and after all edits (`hazard` rules)."""

from __future__ import annotations

from collections.abc import Callable

from porter.model.rewrite_result import Hazard
from porter.model.rules import RuleSet
from porter.rewrite.applied_patch import AppliedPatch
from porter.rewrite.kind import Reports
from porter.rewrite.kinds import order
from porter.rewrite.source import Source


def prepared(path: str, text: str, rules: RuleSet) -> tuple[str, tuple[AppliedPatch, ...]]:
    """Text of a file after the `patch` rules, and the applied patches in their order. All other rules see this text."""
    applied: tuple[AppliedPatch, ...] = ()
    for kind in order.ORDER:
        if kind.prepare:
            text, more = kind.prepare(path, text, rules)
            applied += more
    return text, applied


class Reporter:
    """Finds the offsets at which the rules of a rule set report hazards."""

    def __init__(self, rules: RuleSet) -> None:
        self._by_kind: list[tuple[tuple[int, ...], Reports]] = [
            (rules.of_kind(kind.name), kind.reports(rules)) for kind in order.ORDER if kind.reports
        ]

    def learn(self, words: set[str]) -> None:
        """Record the words of a file that were in no earlier file. Call it before you call `places` for the file."""
        for _, reports in self._by_kind:
            reports.learn(words)

    def places(self, source: Source) -> list[tuple[int, list[int]]]:
        """List of (index of a rule, offsets in the file that the rule reports).

        The words of the file must have been passed to `learn`.
        """
        return [
            (index, found)
            for indexes, reports in self._by_kind
            for index in indexes
            if (found := reports.places(source, index))
        ]

    def hazards(self, source: Source, line_of: Callable[[int], int]) -> list[Hazard]:
        """Hazards of a file, each with the line of its first occurrence and the number of occurrences.

        `line_of` returns the line number for an offset in the text of `source`.
        """
        rules = source.rules.rules
        return [
            Hazard(rules[index].match, line_of(found[0]), len(found), index)
            for index, found in self.places(source)
        ]
