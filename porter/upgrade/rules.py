"""Rows of `porter upgrade` about patches and other rules that match in release A but not in B.

A row about a patch shows the most similar text in B.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from porter.mapping.places import Places
from porter.model.rules import Rule, RuleSet
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.port.nearest_text import nearest
from porter.rewrite.kinds import order
from porter.upgrade.ported import PortedTree
from porter.upgrade.trees import Tree


class ReleasePort(NamedTuple):
    """One of the two releases: its tree, rules and port."""

    tree: Tree
    rules: RuleSet
    ported: PortedTree


def rows(a: ReleasePort, b: ReleasePort, places: Places) -> Iterator[UpgradeRow]:
    """Rows about patches whose text B lacks, and about rules for PyTorch's text that match in A but not in B."""
    for index in b.rules.of_kind("patch"):
        if row := _patch(a.tree, b.tree, b.rules.rules[index], places):
            yield row
    yield from _ended(a.rules, b, places)
    by_key = {rule.key: rule for rule in b.rules.rules}
    in_both = set(a.ported.files) & set(b.ported.files)
    for key, hit in sorted(a.ported.hits.items()):
        rule = by_key.get(key)
        if (
            rule
            and order.kind(rule.kind).matches_upstream_text
            and key not in b.ported.hits
            and hit.path in in_both
        ):
            hits = f"hits in {a.tree.release}: {hit.hits}, first in {hit.path}"
            advice = f"remove the rule, or limit it with until; {hits}"
            yield _row(rule, Effect.CHECK, rule.match, "", places, advice)


def _ended(rules_a: RuleSet, b: ReleasePort, places: Places) -> Iterator[UpgradeRow]:
    """Rows about patches that end before B because of their bound `until`, although B still has the text to patch."""
    patches = (b.rules.rules[index] for index in b.rules.of_kind("patch"))
    applying = {(rule.match, rule.option("before")) for rule in patches}
    for index in rules_a.of_kind("patch"):
        rule = rules_a.rules[index]
        before = rule.option("before")
        if not rule.until or (rule.match, before) in applying:
            continue
        if rule.match in b.tree.headers and before in b.tree.text(rule.match):
            advice = f"check the bound `until: {rule.until}`: {rule.match} still has the text of the patch"
            yield _row(rule, Effect.CHECK, before, before, places, advice)


def _patch(a: Tree, b: Tree, rule: Rule, places: Places) -> UpgradeRow | None:
    if not b.has(rule.match):
        return None
    text = b.text(rule.match)
    before, after = rule.option("before"), rule.option("after")
    if before in text:
        return None
    had = a.has(rule.match) and before in a.text(rule.match)
    if not had and not rule.min_hits:
        return None
    line, near = nearest(before, text)
    fixed = bool(after) and after.strip() in text
    advice = (
        f"limit the patch with until: upstream has the patched text now ({rule.match}:{line})"
        if fixed
        else f"rewrite the patch for {rule.match}:{line}, or limit it with until"
    )
    effect = Effect.BREAKS if rule.min_hits else Effect.CHECK
    return _row(rule, effect, before.strip(), near.strip(), places, advice)


def _row(
    rule: Rule, effect: Effect, before: str, after: str, places: Places, advice: str
) -> UpgradeRow:
    change = Change.CHANGED if after else Change.GONE
    name = f"{rule.kind} {rule.match}"
    place = places.of(rule.origin)
    return UpgradeRow(Subject.RULE, change, effect, name, before, after, place, advice)
