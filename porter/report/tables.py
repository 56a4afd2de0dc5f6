"""Tables of text, formatted for a terminal or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from porter.base.printable import on_one_line


@dataclass(frozen=True)
class Table:
    """Title, column names and rows of text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    """Indexes of the columns that contain numbers; these columns are aligned right."""
    bad: bool = False
    """True if the rows are errors that the user must correct."""


class Line(NamedTuple):
    """Line of output, with an optional text style of the Python library `rich`."""

    text: str
    style: str = ""


def aligned(table: Table, limit: int = 0) -> Iterator[Line]:
    """Lines of a table with aligned columns, indented by two blanks; at most `limit` rows (0: all)."""
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
    """Lines of a table with a title: a blank line, the title with the number of rows, and the lines of `aligned`."""
    yield Line("")
    yield Line(f"{table.title} ({len(table.rows)})", "bold red" if table.bad else "bold")
    yield from aligned(table, limit)


def grid(table: Table, limit: int = 0) -> Iterator[str]:
    """Lines of a table in Markdown; at most `limit` rows (0: all)."""
    rows = table.rows[:limit] if limit else table.rows
    yield "| " + " | ".join(table.columns) + " |"
    marks = ["---:" if column in table.numbers else "---" for column in range(len(table.columns))]
    yield "|" + "|".join(marks) + "|"
    for row in rows:
        yield "| " + " | ".join(_cell(cell) for cell in row) + " |"
    if len(rows) < len(table.rows):
        yield from ["", f"... and {len(table.rows) - len(rows)} more."]


def headed(table: Table, limit: int = 0, level: int = 2) -> Iterator[str]:
    """Lines of a Markdown table with a heading: the heading with the number of rows, and the lines of `grid`."""
    yield from ["", f"{'#' * level} {table.title} ({len(table.rows)})", ""]
    yield from grid(table, limit)


def _cell(text: str) -> str:
    """Text for a cell of a Markdown table: special characters are escaped, such as `_` in names and `|` in rules."""
    return re.sub(r"([\\`*_<|\[\]~])", r"\\\1", text.replace("\n", " "))
