"""Reader of `asm` statements: the text of the instructions and the operands.

asm volatile("bfe.u32 %0, %1, %2, 8;" : "=r"(field) : "r"(word), "r"(first));
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from porter.cpp.lex import Kind, Token, tokens
from porter.cpp.region import CLOSE, DIRECTIVES, OPEN, SILENT

_QUALIFIERS = frozenset(["volatile", "__volatile__", "__volatile", "inline"])
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_LONGEST = 500
"""Largest number of tokens of a statement."""
_MOST_TEXTS = 8
"""Largest number of texts of one statement."""

Expand = Callable[[str, Sequence[str]], Sequence[str]]
"""Function from a macro's name and arguments to the texts of its definitions; no text if one has another value."""


class AsmStatement(NamedTuple):
    """An `asm` statement."""

    end: int
    """Offset after the `)`."""
    text: str
    """Text of the instructions, without C++ escapes."""
    operands: tuple[tuple[str, int, int], ...]
    """Outputs, then inputs: name (`%[name]`) or empty text, and span of the expression in the parentheses."""
    has_operands: bool
    """True if a `:` follows the text. `%%` in the text then denotes `%`."""


def read(text: str, start: int, expand: Expand) -> list[AsmStatement]:
    """Read the statement whose word `asm` ends at `start`.

    The statement has several results if its text contains a macro with several definitions; none if porter cannot parse
    it.
    """
    inside: list[Token] = []
    depth = 0
    for token in tokens(text, start):
        if token.kind in SILENT:
            continue
        if token.kind in DIRECTIVES or len(inside) > _LONGEST:
            return []
        if depth == 0 and token.text != "(":
            if token.text in _QUALIFIERS:
                continue
            return []
        if token.kind is Kind.PUNCT:
            depth += (token.text in OPEN) - (token.text in CLOSE)
            if depth == 0:
                return _statement(inside[1:], token.end, expand)
        inside.append(token)
    return []


def _statement(inside: list[Token], end: int, expand: Expand) -> list[AsmStatement]:
    sections = _sections(inside)
    operands: list[tuple[str, int, int]] = []
    for section in sections[1:3]:
        for part in _operands(section):
            if (operand := _operand(part)) is None:
                return []
            operands.append(operand)
    has_operands = len(sections) > 1
    return [
        AsmStatement(end, text, tuple(operands), has_operands=has_operands)
        for text in _texts(sections[0], expand)
    ]


def _texts(section: list[Token], expand: Expand) -> list[str]:
    """Texts of adjacent literals and macros: `"cp.async" HINT(128) " [%0], [%1], 16;"`."""
    pieces: list[Sequence[str]] = []
    at = 0
    while at < len(section):
        token = section[at]
        at += 1
        if token.kind is Kind.STRING and token.text[0] == '"':
            pieces.append([content(token)])
        elif token.kind is Kind.IDENT:
            given: list[str] = []
            if at < len(section) and section[at].text == "(":
                close = next((i for i, one in enumerate(section) if i > at and one.text == ")"), 0)
                given = [one.text for one in section[at + 1 : close] if one.text != ","]
                at = close + 1
            pieces.append(expand(token.text, given))
        else:
            return []
    texts = ["".join(words) for words in product(*pieces)] if pieces else []
    return texts if len(texts) <= _MOST_TEXTS else []


def content(token: Token) -> str:
    """Text of a string literal, without C++ escapes."""
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), token.text[1:-1])


def _sections(inside: list[Token]) -> list[list[Token]]:
    return list(_split(inside, ":"))


def _split(inside: list[Token], separator: str) -> Iterator[list[Token]]:
    """Yield the tokens between separators outside all brackets. An empty list has no operands, but one section."""
    if not inside and separator == ",":
        return
    part: list[Token] = []
    depth = 0
    for token in inside:
        if token.kind is Kind.PUNCT:
            depth += (token.text in OPEN) - (token.text in CLOSE)
            if depth == 0 and token.text == separator:
                yield part
                part = []
                continue
        part.append(token)
    yield part


def _operands(section: list[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each operand. nvcc permits operands without a comma between them: `"r"(a) "l"(b)`."""
    for part in _split(section, ","):
        begin = 0
        for at in range(1, len(part)):
            if part[at].kind is Kind.STRING and part[at - 1].text == ")":
                yield part[begin:at]
                begin = at
        yield part[begin:]


def _operand(part: list[Token]) -> tuple[str, int, int] | None:
    """Name and span of the operand `[name] "=r" (expression)`."""
    name = ""
    if len(part) > 3 and part[0].text == "[" and part[2].text == "]":
        name, part = part[1].text, part[3:]
    if len(part) < 4 or part[0].kind is not Kind.STRING or part[1].text != "(":
        return None
    return (name, part[2].start, part[-2].end) if part[-1].text == ")" else None
