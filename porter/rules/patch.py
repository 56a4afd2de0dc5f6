"""`patch` rules: changes of one upstream file, in upstream's dialect, made before any other rule."""

from __future__ import annotations

from collections import Counter

from porter.globs import matches
from porter.model.rules import RuleSet


def apply(path: str, text: str, rules: RuleSet) -> tuple[str, Counter[tuple[int, str]]]:
    """The patched text, and how often each patch applied."""
    hits: Counter[tuple[int, str]] = Counter()
    for index in rules.patches:
        rule = rules.rules[index]
        if matches(path, (rule.match,)) and (count := text.count(rule.before)):
            hits[index, ""] = count
            text = text.replace(rule.before, rule.after)
    return text, hits
