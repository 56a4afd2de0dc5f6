"""Application of edits to the text of one file. Edits may nest."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from porter.model.rewrite_result import Edit

Piece = str | tuple[int, int]
"""Piece of a ported text: new text, or an unchanged span (start, end) of the upstream text."""


def render(text: str, edits: Sequence[Edit], start: int = 0, end: int | None = None) -> str:
    """Text from `start` to `end` (default: the whole text) with nested edits applied."""
    return written(text, pieces(edits, start, len(text) if end is None else end))


def written(text: str, pieces: Iterable[Piece]) -> str:
    """Ported text that consists of the given pieces. `text` is the upstream text."""
    return "".join(piece if isinstance(piece, str) else text[slice(*piece)] for piece in pieces)


def pieces(edits: Sequence[Edit], start: int, end: int) -> list[Piece]:
    """Pieces of the ported text for the upstream text from `start` to `end`, in their order in the ported text.

    `edits` may nest, and are sorted as by `rewriter.outermost`.
    """
    if not edits:
        return [(start, end)]
    inner = _nested(edits)
    out: list[Piece] = []
    # Stack of the work: new texts, and upstream spans with the edits that may lie inside. The last item is next.
    todo: list[str | tuple[int, int, Sequence[int]]] = [(start, end, inner[-1])]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        at, last, among = item
        found: list[str | tuple[int, int, Sequence[int]]] = []
        for index in _within(edits, inner, among, at, last):
            edit = edits[index]
            found.append((at, edit.start, ()))
            found += [
                part if isinstance(part, str) else (*part, inner[index]) for part in edit.parts
            ]
            at = edit.end
        if found:
            todo += [*found, (at, last, ())][::-1]
        elif at < last:
            out.append((at, last))
    return out


def _nested(edits: Sequence[Edit]) -> dict[int, list[int]]:
    """Maps the index of an edit to the indexes of the edits directly inside its span.

    The key -1 is for the edits that no edit encloses.
    """
    inner: dict[int, list[int]] = {index: [] for index in range(-1, len(edits))}
    open_: list[int] = []
    for index, edit in enumerate(edits):
        while open_ and edits[open_[-1]].end <= edit.start:
            open_.pop()
        inner[open_[-1] if open_ else -1].append(index)
        if edit.end > edit.start:
            open_.append(index)
    return inner


def _within(
    edits: Sequence[Edit],
    inner: Mapping[int, Sequence[int]],
    among: Sequence[int],
    start: int,
    end: int,
) -> Iterator[int]:
    """Yield the indexes of the edits in `among` that are inside a span, in order.

    If an edit is only partly inside the span, its nested edits (`inner`) that are inside are yielded in its place.
    """
    first = bisect_left(among, start, key=lambda index: edits[index].end)
    for index in among[first:]:
        edit = edits[index]
        if edit.start > end:
            break
        if start <= edit.start and edit.end <= end:
            yield index
        else:
            yield from _within(edits, inner, inner[index], start, end)
