"""Conversion of offsets between a file's text before its patches and the text after them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class AppliedPatch(NamedTuple):
    """Application of a `patch` rule to a file: the replaced text, its offsets, and the new text."""

    rule: int
    starts: tuple[int, ...]
    """Offset of each replaced occurrence of `before`, ascending, in the text after the earlier patches."""
    before: str
    after: str

    def places(self) -> tuple[int, ...]:
        """Offset of each inserted `after`, ascending, in the text after this patch."""
        grown = len(self.after) - len(self.before)
        return tuple(start + number * grown for number, start in enumerate(self.starts))

    def done(self, offset: int) -> int:
        """Convert an offset in the text before this patch to the offset in the text after it.

        An offset inside replaced text is converted to the beginning of the new text.
        """
        return _across(offset, self.starts, self.places(), len(self.before), len(self.after))

    def undone(self, offset: int) -> int:
        """Convert an offset in the text after this patch to the offset in the text before it.

        An offset inside new text is converted to the beginning of the replaced text.
        """
        return _across(offset, self.places(), self.starts, len(self.after), len(self.before))


def undone(patches: Sequence[AppliedPatch], offset: int) -> int:
    """Convert an offset in the text after all patches to the offset in the text before them.

    An offset inside new text is converted to the beginning of the replaced text. `patches` are in the order of
    application.
    """
    for patch in reversed(patches):
        offset = patch.undone(offset)
    return offset


def done(patches: Sequence[AppliedPatch], offset: int) -> int:
    """Convert an offset in the text before all patches to the offset in the text after them.

    An offset inside replaced text is converted to the beginning of the new text. `patches` are in the order of
    application.
    """
    for patch in patches:
        offset = patch.done(offset)
    return offset


def _across(
    offset: int, here: Sequence[int], there: Sequence[int], length: int, new_length: int
) -> int:
    """Convert an offset in a first text to the offset in a second text.

    In the first text, spans of `length` characters begin at the offsets `here`. In the second text, spans of
    `new_length` characters replace them, at the offsets `there`. An offset inside a span becomes the span's beginning.
    """
    number = bisect_right(here, offset) - 1
    if number < 0:
        return offset
    if offset < here[number] + length:
        return there[number]
    return offset - here[number] - length + there[number] + new_length
