"""Search for matching brackets: the arguments of a call, and the end of a template argument list.

The search uses tokens only, not a C++ parser. It reads `a < b, c > (d)` as a template argument list, as C++ does if
`a` is a template.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from porter.cpp.lex import Kind, Token, lex
from porter.cpp.region import CLOSE, OPEN, SILENT, Region
from porter.rewrite.source import Source

_AFTER_TEMPLATE = frozenset("([{)]},;:")
"""Tokens, besides `>>>`, that may follow the `>` of a template argument list. An operand follows the `>` of a
comparison `a > b`."""

Span = tuple[int, int]


def arguments(region: Region, start: int) -> tuple[list[Span], int] | None:
    """Spans of a call's arguments, without surrounding blanks, and the offset of the `)`. The `(` is at `start`.

    None if the `)` is missing. None also if a preprocessor condition lies among the arguments, because the number of
    arguments then depends on the condition.
    """
    first = region.index(start)
    last = region.close(first) if first is not None else None
    if first is None or last is None or region.has_directive(first, last):
        return None
    close = region.tokens[last].start
    solid = list(region.outer(first + 1, last))
    loud = [token for token in solid if token.kind is not Kind.COMMENT]
    if not loud:
        return [], close
    ends = [*(loud[at].start for at in commas(loud)), close]
    spans: list[Span] = []
    at = 0
    for end in ends:
        begin = at
        while at < len(solid) and solid[at].start < end:
            at += 1
        spans.append(_trimmed(solid[begin:at], end))
        at += 1
    return spans, close


def commas(loud: Sequence[Token]) -> list[int]:
    """Indexes of the commas outside all brackets. `loud` is a list of tokens without blanks and comments."""
    found: list[int] = []
    templates = template_ends(loud)
    closes = [at for at, token in enumerate(loud) if token.kind is Kind.CHEVRON_CLOSE]
    depth, at = 0, 0
    while at < len(loud):
        token = loud[at]
        if token.kind is Kind.CHEVRON_OPEN:
            next_close = bisect_left(closes, at)
            at = closes[next_close] if next_close < len(closes) else at
        elif token.kind is Kind.PUNCT:
            if token.text in OPEN:
                depth += 1
            elif token.text in CLOSE:
                depth -= 1
            elif token.text == "," and depth == 0:
                found.append(at)
            elif token.text == "<" and depth == 0:
                at = templates.get(at, at)
        at += 1
    return found


def template_ends(loud: Sequence[Token]) -> dict[int, int]:
    """Maps the index of the `<` of a template argument list to the index of its `>`.

    A list inside `()`, `[]` or `{}`, and a `<` that begins no list, have no entry.
    """
    ends: dict[int, int] = {}
    open_: list[int] = []
    depth = 0
    for index, token in enumerate(loud):
        if token.kind is Kind.CHEVRON_CLOSE and depth == 0:
            if len(open_) >= 3:
                ends[open_[-3]] = index
                del open_[-3:]
            else:
                open_.clear()
        if token.kind is not Kind.PUNCT:
            continue
        if token.text in OPEN:
            depth += 1
        elif token.text in CLOSE:
            depth -= 1
        elif depth:
            continue
        elif token.text == "<":
            if index == 0 or loud[index - 1].kind is not Kind.IDENT:
                open_.clear()
            else:
                open_.append(index)
        elif token.text == ">" and not is_arrow(loud, index):
            after = loud[index + 1] if index + 1 < len(loud) else None
            if open_:
                begin = open_.pop()
                if after is None or after.right_angles == 3 or after.text in _AFTER_TEMPLATE:
                    ends[begin] = index
        elif token.text in ";?|" or (token.text == ":" and not _is_scope(loud, index)):
            open_.clear()
    return ends


def _is_scope(loud: Sequence[Token], at: int) -> bool:
    return ":" in (loud[at - 1].text, loud[at + 1].text if at + 1 < len(loud) else "")


def is_arrow(loud: Sequence[Token], at: int) -> bool:
    """Test whether the `>` at index `at` ends a `->` or begins a `>=`."""
    before = at > 0 and loud[at - 1].text == "-" and loud[at - 1].end == loud[at].start
    after = at + 1 < len(loud) and loud[at + 1].text == "=" and loud[at + 1].start == loud[at].end
    return before or after


def opening(loud: Sequence[Token], at: int) -> int | None:
    """Index of the opening bracket that matches the closing bracket at index `at`; None if there is none."""
    depth = 0
    for index in range(at, -1, -1):
        if loud[index].kind is Kind.PUNCT:
            depth += (loud[index].text in CLOSE) - (loud[index].text in OPEN)
            if depth == 0:
                return index
    return None


def code_start(source: Source, ends: str, offset: int, reach: int) -> int:
    """Offset after the last character before `offset` that is in `ends`. With `;{}`, this is a statement's beginning.

    Characters in comments and literals do not count. The search covers at most `reach` characters before `offset`; if
    it finds no such character, the result is the beginning of the searched text.
    """
    first = max(0, offset - reach)
    last = offset
    while (found := max(source.text.rfind(end, first, last) for end in ends)) >= 0:
        if source.at(found) is None:
            return found + 1
        last = found
    inside = source.at(first)
    return inside.end if inside and inside.start < first and inside.end <= offset else first


def tokens_before(source: Source, offset: int, reach: int) -> list[Token]:
    """Tokens, without blanks and comments, from the beginning of a statement up to `offset` inside it.

    Offsets are those of the file. `reach` limits the search for the beginning (`code_start`).
    """
    begin = code_start(source, ";{}", offset, reach)
    return [
        token._replace(start=begin + token.start)
        for token in lex(source.text[begin:offset])
        if token.kind not in SILENT
    ]


def _trimmed(inside: Sequence[Token], end: int) -> Span:
    """Span of the tokens `inside`, with the line break after a final line comment. Without tokens: empty, at `end`."""
    if not inside:
        return end, end
    last = inside[-1]
    ends_line = last.kind is Kind.COMMENT and last.text.startswith("//")
    return inside[0].start, last.end + ends_line


def lost_lines(source: Source, start: int, end: int, parts: Iterable[str | Span]) -> str:
    """Line breaks that a span has in excess of its replacement `parts`; empty if it has none in excess.

    The caller appends the line breaks to the replacement, so that later lines keep their numbers. Inside a macro, they
    have backslashes.
    """
    kept = sum(
        part.count("\n") if isinstance(part, str) else source.lines_in(*part) for part in parts
    )
    lost = source.lines_in(start, end) - kept
    return source.line_break(start, end) * lost if lost > 0 else ""
