"""Tables of words, laid out for a terminal or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from porter.base.printable import on_one_line


@dataclass(frozen=True)
class Table:
    """Rows of words under a title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    """Columns that hold numbers."""
    bad: bool = False
    """Whether it tells of something that is to be put right."""


class Line(NamedTuple):
    """A line and how it may be coloured: a style of rich's, or nothing."""

    text: str
    style: str = ""


def aligned(table: Table, limit: int = 0) -> Iterator[Line]:
    """The table in columns, two blanks in front; at most `limit` rows, 0 for all."""
    rows = table.rows[:limit] if limit else table.rows
    shown = [table.columns, *(tuple(map(on_one_line, row)) for row in rows)]
    widths = [max(len(row[column]) for row in shown) for column in range(len(table.columns))]
    for number, row in enumerate(shown):
        cells = [
            cell.rjust(width) if column in table.numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield Line(("  " + "  ".join(cells)).rstrip(), "dim" if number == 0 else "")
    if len(rows) < len(table.rows):
        yield Line(f"  ... and {len(table.rows) - len(rows)} more", "dim")


def titled(table: Table, limit: int = 0) -> Iterator[Line]:
    """As `aligned`, after a blank line and the title with the number of rows."""
    yield Line("")
    yield Line(f"{table.title} ({len(table.rows)})", "bold red" if table.bad else "bold")
    yield from aligned(table, limit)


def grid(table: Table, limit: int = 0) -> Iterator[str]:
    """The lines of the table in Markdown; at most `limit` rows, 0 for all."""
    rows = table.rows[:limit] if limit else table.rows
    yield "| " + " | ".join(table.columns) + " |"
    marks = ["---:" if column in table.numbers else "---" for column in range(len(table.columns))]
    yield "|" + "|".join(marks) + "|"
    for row in rows:
        yield "| " + " | ".join(_cell(cell) for cell in row) + " |"
    if len(rows) < len(table.rows):
        yield from ["", f"... and {len(table.rows) - len(rows)} more."]


def headed(table: Table, limit: int = 0, level: int = 2) -> Iterator[str]:
    """As `grid`, after a heading of that level with the number of rows."""
    yield from ["", f"{'#' * level} {table.title} ({len(table.rows)})", ""]
    yield from grid(table, limit)


def _cell(text: str) -> str:
    """Text that Markdown shows as it is: names hold underscores and stars, rules hold bars."""
    return re.sub(r"([\\`*_<|\[\]~])", r"\\\1", text.replace("\n", " "))
