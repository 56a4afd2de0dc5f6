"""Upstream and ported text of one file as compact data for the page's script.

The data contain the upstream text, and only those ported lines that differ from it. `rows` are pairs of lines that the
page shows side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from porter.cpp.lex import encode
from porter.model.explanation import ExplainedPlace, FileExplained
from porter.model.manifest import PortedFile

KINDS = ("edit", "patch", "left", "hazard")
"""Kinds of places. The data of the page contain indexes into this tuple."""
Rows = list[tuple[int, int]]
"""Pairs (upstream line, ported line), from 1; 0 where a text has no line."""


def explained(
    file: PortedFile, made: FileExplained, ported: str, rules: Mapping[str, int]
) -> dict[str, Any]:
    """Data of a file whose edits are known.

    `ported` is the text on disk as characters that represent one byte each. It differs from `made.ported` if overlays
    or a user changed the file. `rules` maps a rule's key to the rule's number on the page.
    """
    upstream, new = lines_of(readable(made.upstream)), lines_of(readable(ported))
    rows = aligned(made.lines, len(upstream), len(lines_of(readable(made.ported))))
    if ported != made.ported:
        rows = _realigned(rows, lines_of(readable(made.ported)), new)
    return {
        **_head(file),
        "u": "\n".join(upstream),
        "r": _runs(rows),
        "c": _changed(rows, upstream, new),
        "e": [_place(place, upstream, rules) for place in made.places],
    }


def unexplained(
    file: PortedFile, upstream: str | None, ported: str, rules: Mapping[str, int], note: str
) -> dict[str, Any]:
    """Data of a file whose edits are unknown, from its manifest entry: residue and hazards with their first lines.

    `upstream` is None if the source tree is not available; `note` states the reason for which the edits are unknown.
    """
    new = lines_of(readable(ported))
    old = [] if upstream is None else lines_of(readable(upstream))
    length = max(len(old), len(new))
    rows = [
        (row if row <= len(old) else 0, row if row <= len(new) else 0)
        for row in range(1, length + 1)
    ]
    places: list[list[Any]] = []
    for left in file.residue:
        why = f"{left.reason}: {left.note}" if left.note else left.reason
        places.append(_unplaced("left", left.line, left.name, rules.get(left.rule), why))
    for hazard in file.hazards:
        places.append(_unplaced("hazard", hazard.line, hazard.name, rules.get(hazard.rule), ""))
    return {
        **_head(file),
        "n": note,
        "u": "\n".join(old),
        "r": _runs(rows),
        "c": _changed(rows, old, new),
        "e": sorted(places, key=lambda place: place[2]),
    }


def readable(text: str) -> str:
    """Text of a source, decoded as UTF-8. Each character of `text` represents one byte."""
    return text if text.isascii() else encode(text).decode("utf-8", "replace")


def lines_of(text: str) -> list[str]:
    """Lines of a text without line ends."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def aligned(pairs: Sequence[tuple[int, int]], upstream: int, ported: int) -> Rows:
    """Rows for the pairs of `FileExplained.lines`, with rows for lines that only one of the two texts has.

    `upstream` and `ported` are the numbers of lines of the texts.
    """
    rows: Rows = []
    old = new = 0
    for was, now in pairs:
        left = was if old < was <= upstream else 0
        right = now if new < now <= ported else 0
        rows += ((line, 0) for line in range(old + 1, left))
        rows += ((0, line) for line in range(new + 1, right))
        if left or right:
            rows.append((left, right))
        old, new = max(old, left), max(new, right)
    rows += ((line, 0) for line in range(old + 1, upstream + 1))
    rows += ((0, line) for line in range(new + 1, ported + 1))
    return rows


def _head(file: PortedFile) -> dict[str, Any]:
    return {"path": file.path, "to": file.to, "why": file.reason}


def _realigned(rows: Rows, before: Sequence[str], now: Sequence[str]) -> Rows:
    """Rows for a ported text that was changed after the port: lines between the common beginning and end are new."""
    head = _common(before, now)
    tail = _common(before[head:][::-1], now[head:][::-1])
    moved = len(now) - len(before)
    made: Rows = []
    inserted = False
    for old, new in rows:
        if new <= head:
            made.append((old, new))
            continue
        if not inserted:
            made += ((0, line) for line in range(head + 1, len(now) - tail + 1))
            inserted = True
        if new > len(before) - tail:
            made.append((old, new + moved))
        elif old:
            made.append((old, 0))
    if not inserted:
        made += ((0, line) for line in range(head + 1, len(now) - tail + 1))
    return made


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Number of lines at the beginning that are equal."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((index for index, (x, y) in pairs if x != y), min(len(a), len(b)))


def _runs(rows: Rows) -> list[list[int]]:
    """Rows as runs [first upstream line, first ported line, number of rows]; 0 for a side without lines."""
    runs: list[list[int]] = []
    for old, new in rows:
        if runs:
            was, now, count = runs[-1]
            if old == (was and was + count) and new == (now and now + count):
                runs[-1][2] += 1
                continue
        runs.append([old, new, 1])
    return runs


def _changed(rows: Rows, upstream: Sequence[str], ported: Sequence[str]) -> list[Any]:
    """Ported lines that differ from the upstream line of the same row: row index, text, row index, text ..."""
    made: list[Any] = []
    for index, (old, new) in enumerate(rows):
        if new and (not old or upstream[old - 1] != ported[new - 1]):
            made += (index, ported[new - 1])
    return made


def _place(place: ExplainedPlace, upstream: Sequence[str], rules: Mapping[str, int]) -> list[Any]:
    """Place as [kind, upstream line, ported line, lines, column, before, after, rules, reason].

    `before` is the upstream text; its length alone is stored if the upstream line contains the text at the column.
    `after` is the ported text, or 0 if it equals `before`. A rule is [number on the page, origin].
    """
    before, after = readable(place.before), readable(place.after)
    line = upstream[place.line - 1] if place.line <= len(upstream) else ""
    column = place.column
    if not line.isascii():
        # The column counts bytes.
        column = len(line.encode()[: column - 1].decode("utf-8", "ignore")) + 1
    same = line.startswith(before, column - 1)
    return [
        KINDS.index(place.kind),
        place.line,
        place.ported_line,
        place.lines,
        column,
        len(before) if same else before,
        0 if before == after else after,
        [[rules.get(rule.key, -1), rule.origin] for rule in place.rules],
        place.why,
    ]


def _unplaced(kind: str, line: int, name: str, rule: int | None, why: str) -> list[Any]:
    known = [] if rule is None else [[rule, ""]]
    return [KINDS.index(kind), 0, line, 1, 0, name, 0, known, why]


def places_of(data: Mapping[str, Any]) -> Iterator[tuple[str, str, int, int, str]]:
    """Residue and hazards in a file's data: kind, text, number of the rule (-1: none), ported line, reason."""
    old = data["u"].split("\n")
    for kind, line, ported, _, column, before, _, rules, why in data["e"]:
        if KINDS[kind] not in ("left", "hazard"):
            continue
        if isinstance(before, int):
            before = old[line - 1][column - 1 : column - 1 + before]
        yield KINDS[kind], before, rules[0][0] if rules else -1, ported, why
