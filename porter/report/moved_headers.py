"""Headers whose definitions upstream moved or removed, as a table, as lines of text and as JSON."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from porter.model.moved_header import HeaderState, MovedHeader
from porter.report.tables import Table


def table(headers: Iterable[MovedHeader]) -> Table:
    """Table of the headers: state, headers that now contain the definitions, and whether these are ported."""
    rows = tuple((one.path, _state(one), ", ".join(one.to) or "-", _ported(one)) for one in headers)
    return Table("Headers that upstream moved", ("header", "", "definitions", "ported"), rows)


def as_json(headers: Iterable[MovedHeader]) -> list[dict[str, Any]]:
    """The headers as plain data."""
    return [one._asdict() for one in headers]


def from_json(data: Any) -> tuple[MovedHeader, ...]:
    """Headers from the data of `as_json`; entries that are malformed are left out."""
    found = []
    for one in data if isinstance(data, list) else ():
        with contextlib.suppress(KeyError, TypeError, ValueError):
            state = HeaderState(one["state"])
            to, unported = tuple(map(str, one["to"])), tuple(map(str, one["unported"]))
            found.append(MovedHeader(str(one["path"]), state, to, str(one["last"]), unported))
    return tuple(found)


def warnings(headers: Iterable[MovedHeader], former: str) -> Iterator[str]:
    """One line for each header that upstream removed after release `former` and whose definitions the port lacks."""
    for one in headers:
        if one.state is not HeaderState.GONE or one.last != former:
            continue
        if one.unported:
            yield f"{one.path} was last in {former}; {', '.join(one.unported)} has its definitions and is not ported"
        elif not one.to:
            yield f"{one.path} was last in {former}; no header of this release has its definitions"


def _state(header: MovedHeader) -> str:
    return "a shim" if header.state is HeaderState.SHIM else f"last in {header.last}"


def _ported(header: MovedHeader) -> str:
    if not header.to:
        return "-"
    return "no" if header.unported else "yes"
