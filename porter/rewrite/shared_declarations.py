"""Declarations of shared memory that a file contains, for rules about dynamic shared memory.

extern __shared__ alignas(16) float buf[];
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porter.cpp.lex import Kind, Token, tokens
from porter.cpp.region import CLOSE, OPEN, SILENT
from porter.rewrite.brackets import Span, opening, tokens_before
from porter.rewrite.macros import breaks_line, in_macro
from porter.rewrite.source import Source

_DROPPED = frozenset(["extern", "__shared__", "__device__", "static"])
_SPECIFIERS = _DROPPED | {"volatile", "const"}
_ALIGN = frozenset(["alignas", "__align__", "__attribute__"])
_ALIGNAS = re.compile(r"alignas\b\s*\(")
_PARTS = (
    # `extern` and `__shared__` can be in different places: a macro's body is `__shared__`, or a macro contains the
    # `extern` of an array without a size.
    re.compile(
        r"\#[ \t]*define[ \t]+\w+(?:[ \t]|/\*[^*\n]*\*/)+(?P<at>__shared__)[ \t]*(?=\r?\n|//|/\*|\Z)"
    ),
    re.compile(r"(?P<at>\b__shared__)(?:[ \t]+[\w:<>]+)+?[ \t]+\w+[ \t]*\[[ \t]*\][ \t]*;"),
)
_REACH = 500
"""Largest distance, in characters, between the beginning of a declaration and its `__shared__`."""


class SharedDeclaration(NamedTuple):
    """Declaration of dynamic shared memory."""

    start: int
    end: int
    """Offset of the `;`, or of the end of the macro's body if a macro's body ends with the declaration."""
    align: Span | None
    type: tuple[Span, ...]
    """Spans of the type, split at specifiers that are dropped; empty if porter cannot parse the declaration."""
    name: Span
    bounds: tuple[Span, ...] = ()
    """Spans of the bounds after the first `[]`, with their brackets: `[4][N]` in `float tile[][4][N]`."""


class StaticAlignment(NamedTuple):
    """`alignas(...)` between the `__shared__` and the type of static shared memory."""

    start: int
    """Offset of the declaration's first specifier."""
    specifiers_end: int
    """End of the `__shared__`."""
    align: Span


def declarations(source: Source) -> list[SharedDeclaration]:
    """Declarations of a file that are both `extern` and `__shared__`; the two words can be in either order."""
    if not {"extern", "__shared__"} <= source.runs:
        return []
    found: list[SharedDeclaration] = []
    externs = source.places("extern")
    semicolon = end = -1
    for start in source.places("__shared__"):
        if source.at(start) is not None or start <= end:
            continue
        if semicolon < start:
            semicolon = _semicolon(source, start)
        # Most shared memory is static, and has no `extern` near. This test is faster than reading tokens.
        nearest = bisect_left(externs, start - _REACH)
        if nearest < len(externs) and externs[nearest] < semicolon:
            declared = _before(source, start)
            end = _after(source, start, declared)
            if any(token.text == "extern" for token in declared):
                found.append(_read(declared, end))
    return found


def _semicolon(source: Source, start: int) -> int:
    """Offset of the first `;` in code at or after an offset; the end of the text if there is none."""
    found = source.text.find(";", start)
    while found >= 0:
        inside = source.at(found)
        if inside is None:
            return found
        found = source.text.find(";", inside.end)
    return len(source.text)


def _before(source: Source, shared: int) -> list[Token]:
    """Tokens of a declaration before its `__shared__`, which is at offset `shared`."""
    loud = tokens_before(source, shared, _REACH)
    first = _specifiers(loud, len(loud))
    externs = [at for at, token in enumerate(loud) if token.text == "extern"]
    if externs and all(_in_type(token) for token in loud[externs[-1] : first]):
        first = _specifiers(loud, externs[-1])
    return loud[first:]


def _specifiers(loud: Sequence[Token], end: int) -> int:
    """Index of the first token of the specifiers that precede the token at index `end`: `alignas(16) extern`."""
    at = end
    while at > 0:
        token = loud[at - 1]
        if token.text in _SPECIFIERS:
            at -= 1
        elif token.kind is Kind.STRING and at > 1 and loud[at - 2].text == "extern":
            at -= 2
        elif token.text == ")" and (bracket := opening(loud, at - 1) or 0) > 0:
            if loud[bracket - 1].text not in _ALIGN:
                break
            at = bracket - 1
        else:
            break
    return at


def _in_type(token: Token) -> bool:
    return token.kind in (Kind.IDENT, Kind.NUMBER) or token.text in "<>,:*&"


def _after(source: Source, shared: int, declared: list[Token]) -> int:
    """Append the rest of a declaration, from its `__shared__` on, to the tokens `declared`.

    Returns the offset of the declaration's end.
    """
    macro = in_macro(source.text, shared)
    depth = 0
    for token in tokens(source.text, shared):
        ends_macro = token.kind is Kind.BLANK and macro and breaks_line(token.text)
        if ends_macro or (token.text == ";" and depth == 0):
            return token.start
        if token.kind is Kind.PUNCT:
            depth += (token.text in OPEN) - (token.text in CLOSE)
        if depth < 0 or token.text in ("{", "}"):
            return token.start
        if token.kind not in SILENT:
            declared.append(token)
    return len(source.text)


def in_parts(source: Source) -> list[int]:
    """Offsets of each `__shared__` whose `extern` may be elsewhere, because a macro contains one of the two words."""
    if "__shared__" not in source.runs:
        return []
    whole = declarations(source)
    starts = [found.start for found in whole]

    def is_whole(at: int) -> bool:
        before = bisect_right(starts, at) - 1
        return before >= 0 and at < whole[before].end

    return [
        match.start("at")
        for pattern in _PARTS
        for match in pattern.finditer(source.text)
        if source.at(match.start("at")) is None and not is_whole(match.start("at"))
    ]


def static_alignments(source: Source) -> Iterator[StaticAlignment]:
    """Alignments of static shared memory after `__shared__`, as in `__shared__ alignas(16) float a[4];`."""
    if not {"alignas", "__shared__"} <= source.runs:
        return
    taken = {at for found in declarations(source) for at in range(found.start, found.end)}
    for start in source.places("__shared__"):
        shared_end = start + len("__shared__")
        begin = source.after(shared_end)
        if source.at(start) is not None or start in taken or not _ALIGNAS.match(source.text, begin):
            continue
        region = source.region(begin)
        at = region.index(source.after(begin + len("alignas")))
        close = region.close(at) if at is not None else None
        if close is not None:
            before = _before(source, start)
            first = before[0].start if before else start
            yield StaticAlignment(first, shared_end, (begin, region.tokens[close].end))


def _read(declared: Sequence[Token], end: int) -> SharedDeclaration:
    """Parts of a declaration: `extern __shared__ [align] type name[]`."""
    align: Span | None = None
    pieces: list[list[Token]] = [[]]
    at = 0
    while at < len(declared):
        token = declared[at]
        if token.text in _ALIGN and at + 1 < len(declared) and declared[at + 1].text == "(":
            close = _closing(declared, at + 1)
            inside = declared[at + 2 : close]
            if token.text == "__attribute__":
                inside = inside[
                    3:-2
                ]  # the attribute's argument, as in `__attribute__((aligned(16)))`
            align = (inside[0].start, inside[-1].end) if inside and not align else align
            at = close
            pieces.append([])
        elif token.text in _DROPPED or token.kind is Kind.STRING:
            pieces.append([])
        else:
            pieces[-1].append(token)
        at += 1
    start = declared[0].start
    words = [token for piece in pieces for token in piece]
    words, bounds = _split(words)
    brackets = [token.text for token in words if token.text in "[]="]
    named = _name(words)
    if brackets != ["[", "]"] or words[-1].text != "]" or named <= 0:
        return SharedDeclaration(start, end, align, (), (start, start))
    cut = words[named].start
    typed = [[token for token in piece if token.start < cut] for piece in pieces]
    spans = tuple((piece[0].start, piece[-1].end) for piece in typed if piece)
    return SharedDeclaration(start, end, align, spans, (cut, words[-3].end), bounds)


def _split(words: list[Token]) -> tuple[list[Token], tuple[Span, ...]]:
    """Tokens up to the first `[]`, and the spans of the bounds after it. All tokens if other tokens follow."""
    texts = [token.text for token in words]
    first = next((at for at in range(len(texts) - 1) if texts[at : at + 2] == ["[", "]"]), None)
    if first is None:
        return words, ()
    bounds: list[Span] = []
    at = first + 2
    while at < len(words):
        close = _closing(words, at) if texts[at] == "[" else at
        if texts[at] != "[" or texts[close] != "]" or close == at + 1:
            return words, ()
        bounds.append((words[at].start, words[close].end))
        at = close + 1
    return words[: first + 2], tuple(bounds)


def _name(words: Sequence[Token]) -> int:
    """Index of the first token of the name before the last `[]`; -1 if there is no name.

    In a macro, the name may consist of several tokens joined by `##`.
    """
    at = len(words) - 3
    if at < 0 or words[at].kind is not Kind.IDENT:
        return -1
    while at >= 3 and words[at - 1].text == words[at - 2].text == "#":
        at -= 3
    return at


def _closing(declared: Sequence[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(declared)):
        depth += (declared[index].text in OPEN) - (declared[index].text in CLOSE)
        if depth == 0:
            return index
    return len(declared) - 1
