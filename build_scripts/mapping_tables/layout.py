"""Text of tables, with one line for each name. Equal tables have equal texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Table = Mapping[str, Any]
"""Fields `area`, `source` and `rules` of a table, as described in docs/mapping-format.md."""


def text_of(table: Table, between: str = " ") -> str:
    """JSON text of a table, with one name on each line, so that a changed name is one changed line.

    `between` separates the table's own fields: a blank or a line break.
    """
    rules = ",\n".join(map(_rule, table["rules"]))
    fields = [f"{json.dumps(key)}: {json.dumps(table[key])}" for key in table if key != "rules"]
    fields.append(f'"rules": [\n{rules}\n]')
    edge = between.strip(" ")
    return "{" + edge + f",{between}".join(fields) + edge + "}\n"


def _rule(rule: Mapping[str, Any]) -> str:
    names = rule.get("names")
    if names is None:
        return json.dumps(rule)
    if isinstance(names, dict):
        opening, closing = "{", "}"
        lines = [f"  {json.dumps(name)}: {json.dumps(new)}" for name, new in names.items()]
    else:
        opening, closing = "[", "]"
        lines = [f"  {json.dumps(name)}" for name in names]
    rest = "".join(f", {json.dumps(k)}: {json.dumps(v)}" for k, v in rule.items() if k != "names")
    return f'{{"names": {opening}\n' + ",\n".join(lines) + f"\n{closing}{rest}}}"
