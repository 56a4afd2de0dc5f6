"""Writer of indented JSON: the text of `json.dumps(data, indent=1)`, written several times faster.

>>> print(indented({"files": {"written": 2}, "words": []}))
{
 "files": {
  "written": 2
 },
 "words": []
}
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from typing import Any

_SCALARS = {str, int, float, bool, type(None)}


def indented(data: Any, level: int = 0) -> str:
    """JSON text of plain data. `level` is the number of spaces before the last line; the first line has none."""
    if not isinstance(data, dict | list | tuple) or not data:
        return json.dumps(data)
    outer, inner = _line(level), _line(level + 1)
    # The encoder in C cannot indent, but the separator between items may be any text, including a line break.
    if _are_scalars(data.values() if isinstance(data, dict) else data):
        text = _encoder(level).encode(data)
        return f"{text[0]}{inner}{text[1:-1]}{outer}{text[-1]}"
    if isinstance(data, dict):
        items = [f"{json.dumps(key)}: {indented(value, level + 1)}" for key, value in data.items()]
        return f"{{{inner}{f',{inner}'.join(items)}{outer}}}"
    if _are_records(data):
        innermost = _line(level + 2)
        records = _encoder(level + 1).encode(data)[2:-2]
        # JSON strings contain no line breaks, so the replaced text occurs only between records.
        records = records.replace(f"}},{innermost}{{", f"{inner}}},{inner}{{{innermost}")
        return f"[{inner}{{{innermost}{records}{inner}}}{outer}]"
    return f"[{inner}{f',{inner}'.join([indented(item, level + 1) for item in data])}{outer}]"


def _are_scalars(values: Iterable[Any]) -> bool:
    return {*map(type, values)} <= _SCALARS


def _are_records(data: Sequence[Any]) -> bool:
    """Test whether all items are non-empty dicts with scalar values."""
    return (
        {*map(type, data)} == {dict}
        and all(data)
        and {type(value) for item in data for value in item.values()} <= _SCALARS
    )


def _line(level: int) -> str:
    return "\n" + " " * level


@functools.cache
def _encoder(level: int) -> json.JSONEncoder:
    return json.JSONEncoder(separators=(f",{_line(level + 1)}", ": "))
