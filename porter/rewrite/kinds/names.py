"""`names` rules decide about many identifiers: a list, a table, or all inventory names of the mapping's API area.

The pass in `porter.rewrite.identifiers` applies these rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

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
from porter.rewrite.word_hooks import Fill, Listed, Names, all_names

_INVENTORY = "inventory"


def preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield each name that the rule replaces, and the replacement."""
    for name, new in rule.names.items():
        if new is not None:
            yield Preview(name, name, new)


def _is_listed(rule: Rule) -> bool:
    return rule.match != _INVENTORY


def _read(fields: Mapping[str, Any], fill: Fill) -> Listed:
    """Read the words of a rule from its field: a list, a table, or the word `inventory`."""
    value, rename = fields["names"], fields["rename"]
    if value == _INVENTORY:
        return Listed(_INVENTORY)
    if isinstance(value, dict):
        return Listed(
            names={name: None if new == name else fill(new) for name, new in value.items()}
        )
    if not rename:
        return Listed(names=dict.fromkeys(value))
    odd = [name for name in value if not name.startswith(tuple(rename))]
    if odd:
        return Listed(mistake=f"names without a prefix that 'rename' knows: {', '.join(odd[:3])}")
    return Listed(names=_renamed(value, {old: fill(new) for old, new in rename.items()}))


def _renamed(names: Iterable[str], prefixes: Mapping[str, str]) -> dict[str, str | None]:
    longest_first = sorted(prefixes, key=len, reverse=True)
    renamed: dict[str, str | None] = {}
    for name in names:
        prefix = next(prefix for prefix in longest_first if name.startswith(prefix))
        renamed[name] = prefixes[prefix] + name[len(prefix) :]
    return renamed


def _claim(
    rule: Rule, names: Sequence[str], vendor: re.Pattern[str]
) -> dict[str, str | None] | None:
    """Maps each of `names` that does not match the pattern of vendor names to None: such a name stays unchanged.

    Returns None if the rule itself lists its names.
    """
    if _is_listed(rule):
        return None
    return {name: None for name in names if not vendor.search(name)}


def _keys(rule: Rule) -> Iterator[Key]:
    if _is_listed(rule):
        for name in rule.names:
            yield "name", name


KIND = RuleKind(
    name="names",
    summary="Many identifiers: a list, a table (name -> replacement), or `inventory` for all names of the area.",
    fields=(
        Field("names", OneOf((TableOf(IDENT, ONE_LINE), ListOf(IDENT), Choice((_INVENTORY,))))),
        Field(
            "rename",
            TableOf(PREFIX, PREFIX),
            default={},
            description="old prefix -> new prefix; applies to a list of names",
        ),
    ),
    listed=1,
    names=Names(
        resolutions=all_names, is_bulk=True, is_listed=_is_listed, read=_read, claim=_claim
    ),
    classes=CODE_AND_CONDITION,
    is_graded=True,
    preview=preview,
    keys=_keys,
    code=replacements,
)
