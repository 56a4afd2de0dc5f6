"""`names` rules: many identifiers, as a list, a table, or the whole inventory of the area.

The pass in `porter.rewrite.identifiers` applies them.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.model.rules import Rule
from porter.rewrite.kind import CODE_AND_CONDITION, Key, Preview, Resolve, RuleKind, replacements


def preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield each name that the rule replaces, and the replacement."""
    for name, new in rule.names.items():
        if new is not None:
            yield Preview(name, name, new)


def _keys(rule: Rule) -> Iterator[Key]:
    if rule.match != "inventory":
        for name in rule.names:
            yield "name", name


KIND = RuleKind(
    name="names",
    by_word=True,
    classes=CODE_AND_CONDITION,
    is_graded=True,
    preview=preview,
    keys=_keys,
    code=replacements,
)
