"""Conversion of offsets in the upstream text of one file to line numbers in its ported text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property

from porter.rewrite.rendering import Piece
from porter.rewrite.source import Source


class PortedLines:
    """Line numbers of a ported text, for offsets in the upstream text after `patch` rules.

    Added includes move lines down, and removed blank lines move them up again. Arguments that an edit moves can get to
    other lines.
    """

    def __init__(self, source: Source, pieces: Iterable[Piece]) -> None:
        self._source = source
        self._pieces = pieces

    @cached_property
    def _spans(self) -> list[tuple[int, int, int]]:
        """Upstream spans in the port, as (start, end, ported line of the start), sorted by start.

        A span that the port contains several times is listed with its first line last.
        """
        spans = []
        line = 1
        for piece in self._pieces:
            if isinstance(piece, str):
                line += piece.count("\n")
            else:
                spans.append((*piece, line))
                line += self._source.lines_in(*piece)
        return sorted(spans, key=lambda span: (span[0], -span[2]))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _, _ in self._spans]

    def at(self, offset: int) -> int:
        """Line of the upstream text at an offset; for replaced text, the line of the new text."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return 1
        start, end, line = self._spans[index]
        if offset < end:
            return line + self._source.lines_in(start, offset)
        line += self._source.lines_in(start, end)
        # New text with line breaks has them in the places of upstream's line breaks (`Source.line_break`).
        later = self._spans[index + 1][2] if index + 1 < len(self._spans) else line
        return line + max(0, min(self._source.lines_in(end, offset), later - line))

    def before(self, offset: int) -> int:
        """Line of the new text that an edit inserts at an offset."""
        index = bisect_left(self._starts, offset) - 1
        if index < 0:
            return 1
        start, end, line = self._spans[index]
        return line + self._source.lines_in(start, min(end, offset))
