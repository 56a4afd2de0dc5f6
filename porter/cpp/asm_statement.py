"""Reader of `asm` statements: the text of the instructions and the operands.

asm volatile("bfe.u32 %0, %1, %2, 8;" : "=r"(field) : "r"(word), "r"(first));
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from porter.cpp.lex import Kind, Token, tokens
from porter.cpp.region import CLOSE, DIRECTIVES, OPEN, SILENT

_QUALIFIERS = frozenset(["volatile", "__volatile__", "__volatile", "inline"])
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_LONGEST = 500
"""Largest number of tokens of a statement."""


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


def read(text: str, start: int) -> AsmStatement | None:
    """Read the statement whose word `asm` ends at `start`. None if porter cannot parse it."""
    inside: list[Token] = []
    depth = 0
    for token in tokens(text, start):
        if token.kind in SILENT:
            continue
        if token.kind in DIRECTIVES or len(inside) > _LONGEST:
            return None
        if depth == 0 and token.text != "(":
            if token.text in _QUALIFIERS:
                continue
            return None
        if token.kind is Kind.PUNCT:
            depth += (token.text in OPEN) - (token.text in CLOSE)
            if depth == 0:
                return _statement(inside[1:], token.end)
        inside.append(token)
    return None


def _statement(inside: list[Token], end: int) -> AsmStatement | None:
    sections = _sections(inside)
    strings = sections[0]
    if not strings or any(one.kind is not Kind.STRING or one.text[0] != '"' for one in strings):
        return None
    operands: list[tuple[str, int, int]] = []
    for section in sections[1:3]:
        for part in _operands(section):
            if (operand := _operand(part)) is None:
                return None
            operands.append(operand)
    return AsmStatement(
        end, "".join(map(_content, strings)), tuple(operands), has_operands=len(sections) > 1
    )


def _content(token: Token) -> str:
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
