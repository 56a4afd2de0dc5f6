"""What stands between brackets: the arguments of a call, and where a list of template arguments ends.

There is no parser, so `a < b, c > (d)` is read as C++ reads it when `a` is a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from porter.lex import Kind, Token, tokens
from porter.rules.source import Source

SILENT = (Kind.BLANK, Kind.COMMENT)
OPEN, CLOSE = "([{", ")]}"
_AFTER_TEMPLATE = frozenset([*"([{)]},;:", ">>>"])
"""What follows a list of template arguments; in a comparison something that begins an operand follows."""
_BRACKET = re.compile(r"[()\[\]{}]")
_BREAK = re.compile(r"(?:[ \t]*\\[ \t]*)?\r?\n")

Span = tuple[int, int]


def arguments(text: str, start: int) -> tuple[list[Span], int] | None:
    """Spans of the arguments of a call whose `(` is at `start`, blanks trimmed, and the offset of its `)`.

    None when the parentheses do not close, or when a preprocessor condition stands among the arguments, which leaves
    open how many they are.
    """
    found = _to_close(text, start)
    if found is None:
        return None
    loud = [token for token in found if token.kind not in SILENT]
    if any(token.kind in (Kind.CONDITION, Kind.DIRECTIVE) for token in loud):
        return None
    close = found[-1].start
    if len(loud) == 2:
        return [], close
    solid = [token for token in found[1:-1] if token.kind is not Kind.BLANK]
    ends = [*(loud[at].start for at in commas(loud, 1, len(loud) - 1)), close]
    spans: list[Span] = []
    at = 0
    for end in ends:
        first = at
        while at < len(solid) and solid[at].start < end:
            at += 1
        spans.append(_trimmed(solid[first:at], end))
        at += 1
    return spans, close


def closing(source: Source, start: int) -> tuple[int, bool] | None:
    """Offset of the `)` that closes the `(` at `start`, and whether anything but comments stands between."""
    depth = 0
    for bracket in _BRACKET.finditer(source.text, start):
        if source.at(bracket.start()) is None:
            depth += 1 if bracket[0] in OPEN else -1
            if depth == 0:
                loud = (
                    token for token in tokens(source.text, start + 1) if token.kind not in SILENT
                )
                return bracket.start(), next(loud).start < bracket.start()
    return None


def commas(loud: Sequence[Token], first: int, last: int) -> list[int]:
    """Indexes of the commas of `loud[first:last]`, a text without blanks, that no bracket encloses."""
    found: list[int] = []
    depth, at = 0, first
    while at < last:
        token = loud[at]
        if token.kind is Kind.CHEVRON_OPEN:
            at = _launch_end(loud, at)
        elif token.kind is Kind.PUNCT:
            if token.text in OPEN:
                depth += 1
            elif token.text in CLOSE:
                depth -= 1
            elif token.text == "," and depth == 0:
                found.append(at)
            elif token.text == "<" and depth == 0:
                at = template_end(loud, at) or at
        at += 1
    return found


def _launch_end(loud: Sequence[Token], at: int) -> int:
    """Index of the `>>>` that ends the settings of a launch, or of the `<<<` when none does."""
    for index in range(at, len(loud)):
        if loud[index].kind is Kind.CHEVRON_CLOSE:
            return index
    return at


def template_end(loud: Sequence[Token], at: int) -> int | None:
    """Index of the bracket that closes the list of template arguments which `loud[at]`, a `<`, begins.

    None when it begins none.
    """
    angle = depth = 0
    for index in range(at, len(loud)):
        token = loud[index]
        if token.kind is Kind.CHEVRON_CLOSE and depth == 0:
            angle -= 3
            if angle <= 0:
                return index if angle == 0 else None
        if token.kind is not Kind.PUNCT:
            continue
        if token.text in OPEN:
            depth += 1
        elif token.text in CLOSE:
            depth -= 1
            if depth < 0:
                return None
        elif depth:
            continue
        elif token.text == "<":
            if index == 0 or loud[index - 1].kind is not Kind.IDENT:
                return None
            angle += 1
        elif token.text == ">" and not is_arrow(loud, index):
            angle -= 1
            if angle == 0:
                after = loud[index + 1].text if index + 1 < len(loud) else ")"
                return index if after in _AFTER_TEMPLATE else None
        elif token.text in ";?|" or (token.text == ":" and not _is_scope(loud, index)):
            return None
    return None


def _is_scope(loud: Sequence[Token], at: int) -> bool:
    return ":" in (loud[at - 1].text, loud[at + 1].text if at + 1 < len(loud) else "")


def is_arrow(loud: Sequence[Token], at: int) -> bool:
    """Whether the `>` at an index is the end of `->`, or the beginning of `>=`."""
    before = at > 0 and loud[at - 1].text == "-" and loud[at - 1].end == loud[at].start
    after = at + 1 < len(loud) and loud[at + 1].text == "=" and loud[at + 1].start == loud[at].end
    return before or after


def opening(loud: Sequence[Token], at: int) -> int | None:
    """Index of the bracket that the one at an index closes."""
    depth = 0
    for index in range(at, -1, -1):
        if loud[index].kind is Kind.PUNCT:
            depth += (loud[index].text in CLOSE) - (loud[index].text in OPEN)
            if depth == 0:
                return index
    return None


def code_start(source: Source, ends: str, offset: int, reach: int) -> int:
    """Offset after the last of some characters in code before an offset, or else at the reach of the search."""
    first = max(0, offset - reach)
    last = offset
    while (found := max(source.text.rfind(end, first, last) for end in ends)) >= 0:
        if source.at(found) is None:
            return found + 1
        last = found
    inside = source.at(first)
    return inside.end if inside and inside.start < first and inside.end <= offset else first


def _to_close(text: str, start: int) -> list[Token] | None:
    """The tokens from the `(` at `start` to the `)` that closes it."""
    found: list[Token] = []
    depth = 0
    for token in tokens(text, start):
        found.append(token)
        if token.kind is Kind.PUNCT:
            if token.text in OPEN:
                depth += 1
            elif token.text in CLOSE:
                depth -= 1
                if depth == 0:
                    return found
    return None


def _trimmed(inside: Sequence[Token], end: int) -> Span:
    """From the first to the last token; a line's comment at the end keeps the line break that ends it."""
    if not inside:
        return end, end
    last = inside[-1]
    ends_line = last.kind is Kind.COMMENT and last.text.startswith("//")
    return inside[0].start, last.end + ends_line


def lost_lines(text: str, start: int, end: int, parts: Iterable[str | Span]) -> str:
    """The line breaks that a span loses when these parts take its place, with backslashes if it is in a macro."""
    breaks: list[str] = _BREAK.findall(text, start, end)
    kept = sum(
        part.count("\n") if isinstance(part, str) else text.count("\n", *part) for part in parts
    )
    lost = len(breaks) - kept
    if lost <= 0:
        return ""
    return next((one for one in breaks if "\\" in one), breaks[0]) * lost
