"""Offsets before and after the patches of a file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class AppliedPatch(NamedTuple):
    """Patch with the places at which it found its text."""

    rule: int
    starts: tuple[int, ...]
    """Offsets in the text after the earlier patches, ascending."""
    before: str
    after: str

    def places(self) -> tuple[int, ...]:
        """Offset at which the patch's text begins."""
        grown = len(self.after) - len(self.before)
        return tuple(start + number * grown for number, start in enumerate(self.starts))

    def done(self, offset: int) -> int:
        """Offset after this patch; inside replaced text, the beginning of the patch's text."""
        return _across(offset, self.starts, self.places(), len(self.before), len(self.after))

    def undone(self, offset: int) -> int:
        """Offset before this patch; inside the patch's text, the beginning of the replaced text."""
        return _across(offset, self.places(), self.starts, len(self.after), len(self.before))


def undone(patches: Sequence[AppliedPatch], offset: int) -> int:
    """Offset before patches, given in their order; inside a patch's text, the beginning of the replaced text."""
    for patch in reversed(patches):
        offset = patch.undone(offset)
    return offset


def done(patches: Sequence[AppliedPatch], offset: int) -> int:
    """Offset after patches, given in their order; inside replaced text, the beginning of the patch's text."""
    for patch in patches:
        offset = patch.done(offset)
    return offset


def _across(
    offset: int, here: Sequence[int], there: Sequence[int], length: int, new_length: int
) -> int:
    """Corresponding offset in another text. Spans of `length` at offsets `here` lie there at `there` with
    `new_length`."""
    number = bisect_right(here, offset) - 1
    if number < 0:
        return offset
    if offset < here[number] + length:
        return there[number]
    return offset - here[number] - length + there[number] + new_length
