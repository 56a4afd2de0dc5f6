"""Result of `porter mapping import` as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from porter.mapping.importer import Imported


def lines(table: Imported, file: str) -> Iterator[str]:
    """Lines with the number of imported rules, then the entries that were not imported, grouped by reason.

    `file` is the path of the imported file.
    """
    unsupported = sum(map(len, table.unsupported.values()))
    yield (
        f"{table.count} rules: {len(table.names)} names, {unsupported} unsupported names, "
        f"{len(table.includes)} include paths"
    )
    if 0 < len(table.names) < len(table.includes):
        yield f"imported as names, and not as headers without a suffix: {', '.join(table.names)}"
    if table.left:
        yield f"{len(table.left)} entries were not imported:"
    for why, entries in groupby(table.left, key=lambda entry: entry.why):
        listed = list(entries)
        yield f"  {why} ({len(listed)})"
        yield from (f"    {file}:{entry.line}: {entry.text}" for entry in listed)
