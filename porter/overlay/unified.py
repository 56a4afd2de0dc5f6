"""Unified diffs of bytes. A diff is applied exactly: without fuzz and without a change of line ends.

>>> text = diff(b"a\\nb\\n", b"a\\nc", "f")
>>> apply(b"a\\nb\\n", text)
b'a\\nc'
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

CONTEXT = 3
"""Number of unchanged lines around a change, as in `diff -u`."""
_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NO_NEWLINE = b"\\ No newline at end of file\n"


class Change(NamedTuple):
    """Removed and added lines of a change, and the number, from 1, of the first changed line in the new text."""

    removed: Counter[bytes]
    added: Counter[bytes]
    first: int


def lines_of(text: bytes) -> list[bytes]:
    """Lines with their ends. Only `\\n` ends a line: a carriage return belongs to the line."""
    lines = text.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def diff(before: bytes, after: bytes, path: str) -> bytes:
    """Unified diff of two texts of one file; empty for equal texts."""
    name = path.encode("utf-8", "surrogateescape")
    parts = []
    old, new = lines_of(before), lines_of(after)
    for group in _groups(old, new):
        first, last = group[0], group[-1]
        span = (
            _span(first[1], last[2] - first[1]),
            _span(first[3], last[4] - first[3]),
        )
        parts.append(b"@@ -%b +%b @@\n" % span)
        for tag, i, j, k, m in group:
            if tag == "equal":
                parts += [_line(b" ", line) for line in old[i:j]]
            else:
                parts += [_line(b"-", line) for line in old[i:j]]
                parts += [_line(b"+", line) for line in new[k:m]]
    return b"--- a/%b\n+++ b/%b\n" % (name, name) + b"".join(parts) if parts else b""


def change(before: bytes, after: bytes) -> Change:
    """Lines that differ between two texts."""
    old, new = lines_of(before), lines_of(after)
    removed: Counter[bytes] = Counter()
    added: Counter[bytes] = Counter()
    first = 0
    for tag, i, j, k, m in _opcodes(old, new):
        if tag != "equal":
            removed.update(old[i:j])
            added.update(new[k:m])
            first = first or k + 1
    return Change(removed, added, first)


def apply(before: bytes, patch: bytes) -> bytes:
    """Text after a unified diff of one file is applied.

    Raises ValueError, with the line of the diff, if the diff does not apply exactly.
    """
    old = lines_of(before)
    new: list[bytes] = []
    at = 0
    lines = lines_of(patch)
    number = next((n for n, line in enumerate(lines) if line.startswith(b"@@ ")), len(lines))
    if number == len(lines):
        raise ValueError("holds no change")
    while number < len(lines):
        head = _HUNK.match(lines[number])
        if not head:
            raise ValueError(f"line {number + 1} is not a hunk of a unified diff")
        start, count, _, added = (1 if field is None else int(field) for field in head.groups())
        begin = start - 1 if count else start
        if not at <= begin <= len(old):
            raise ValueError(f"line {number + 1}: the hunk is outside the base")
        new += old[at:begin]
        at = begin
        number += 1
        while count or added:
            if number >= len(lines):
                raise ValueError(f"ends within the hunk of line {number}")
            mark, line = lines[number][:1], lines[number][1:]
            number += 1
            if number < len(lines) and lines[number] == _NO_NEWLINE:
                line = line.removesuffix(b"\n")
                number += 1
            if mark not in (b" ", b"-", b"+"):
                raise ValueError(f"line {number} is not a line of a hunk")
            if mark != b"+":
                if not count or at >= len(old) or old[at] != line:
                    raise ValueError(f"line {number} differs from line {at + 1} of the base")
                at, count = at + 1, count - 1
            if mark != b"-":
                if not added:
                    raise ValueError(
                        f"line {number}: the hunk has more lines than its first line states"
                    )
                new.append(line)
                added -= 1
    return b"".join(new + old[at:])


_Opcode = tuple[str, int, int, int, int]


def _opcodes(old: list[bytes], new: list[bytes]) -> list[_Opcode]:
    """Opcodes of difflib, which compares only the lines between the equal beginnings and the equal ends of both texts.

    Long texts are therefore compared fast.
    """
    # Imported here, because runs in which every ported text equals the base of its overlay compare no texts.
    import difflib

    shortest = min(len(old), len(new))
    head = next((n for n in range(shortest) if old[n] != new[n]), shortest)
    rest = shortest - head
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    middle = difflib.SequenceMatcher(
        None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False
    ).get_opcodes()
    codes: list[_Opcode] = [("equal", 0, head, 0, head)] if head else []
    codes += [(tag, i + head, j + head, k + head, m + head) for tag, i, j, k, m in middle]
    if tail:
        codes.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return codes


def _groups(old: list[bytes], new: list[bytes]) -> list[list[_Opcode]]:
    """Opcodes grouped into hunks, each with its context lines."""
    codes = _opcodes(old, new)
    groups: list[list[_Opcode]] = [[]]
    for number, (tag, i, j, k, m) in enumerate(codes):
        if tag != "equal":
            groups[-1].append((tag, i, j, k, m))
            continue
        # Unchanged lines between two changes are the context after the first change and before the second change.
        after = min(CONTEXT, j - i) if number > 0 else 0
        before = min(CONTEXT, j - i) if number < len(codes) - 1 else 0
        if after and before and j - i <= 2 * CONTEXT:
            groups[-1].append((tag, i, j, k, m))
            continue
        if after:
            groups[-1].append((tag, i, i + after, k, k + after))
        if before:
            groups.append([(tag, j - before, j, m - before, m)])
    return [group for group in groups if any(tag != "equal" for tag, *_ in group)]


def _span(start: int, count: int) -> bytes:
    return b"%d,%d" % (start + 1 if count else start, count)


def _line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n" + _NO_NEWLINE
