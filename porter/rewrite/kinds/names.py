"""`names` rules: many identifiers, as a list, a table, or the whole inventory of the area.

The pass in `porter.rewrite.identifiers` applies them.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.model.rules import Rule
from porter.rewrite.kind import CODE_AND_CONDITION, Key, Preview, Resolve, RuleKind, replacements
from porter.rewrite.kind_schema import (
    IDENT,
    ONE_LINE,
    PREFIX,
    Choice,
    Field,
    ListOf,
    OneOf,
    TableOf,
)


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
    summary="Many identifiers: a list, a table name -> replacement, or `inventory`: the whole area.",
    fields=(
        Field("names", OneOf((TableOf(IDENT, ONE_LINE), ListOf(IDENT), Choice(("inventory",))))),
        Field(
            "rename",
            TableOf(PREFIX, PREFIX),
            default={},
            description="prefix -> prefix, for a list",
        ),
    ),
    listed=1,
    by_word=True,
    classes=CODE_AND_CONDITION,
    is_graded=True,
    preview=preview,
    keys=_keys,
    code=replacements,
)
