"""Offsets of two texts with the same number of lines, such as one upstream file after the patches of two targets."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class SameLines:
    """Maps an offset in one of two texts to the offset of the same line and column in the other text.

    Patches keep the number of lines (docs/mapping-format.md). If the texts nevertheless differ in it, `changed` is the
    whole text.
    """

    def __init__(self, first: str, second: str) -> None:
        self._same = first == second
        self.changed: list[tuple[int, int]] = []
        """Spans of the first text: lines that differ."""
        if self._same:
            return
        lines = first.split("\n"), second.split("\n")
        self._sizes = len(first), len(second)
        if len(lines[0]) != len(lines[1]):
            lines = [first], [second]
        self._starts = [[0, *accumulate(len(line) + 1 for line in some[:-1])] for some in lines]
        ends = [*self._starts[0][1:], len(first)]
        for number, (one, other) in enumerate(zip(*lines, strict=True)):
            if one == other:
                continue
            start, end = self._starts[0][number], ends[number]
            if self.changed and self.changed[-1][1] == start:
                start = self.changed.pop()[0]
            self.changed.append((start, end))

    def first(self, offset: int) -> int:
        """Offset in the first text. The column is at most the length of the line."""
        return self._mapped(offset, 1, 0)

    def second(self, offset: int) -> int:
        """Offset in the second text."""
        return self._mapped(offset, 0, 1)

    def _mapped(self, offset: int, origin: int, to: int) -> int:
        if self._same:
            return offset
        if offset == self._sizes[origin]:
            return self._sizes[to]
        line = bisect_right(self._starts[origin], offset) - 1
        column = offset - self._starts[origin][line]
        last = (*self._starts[to][1:], self._sizes[to] + 1)[line] - 1
        return min(self._starts[to][line] + column, last)
