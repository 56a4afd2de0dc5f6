"""Operands of casts, for `hazard` rules that depend on the operand of a cast."""

from __future__ import annotations

import re

from porter.rewrite.brackets import code_start
from porter.rewrite.source import Source

_BRACKET = re.compile(r"[()\[\]{}]")
_PREFIX = re.compile(r"[\s*&+~!-]*")
_PRIMARY = re.compile(r"(?:::)?[\w.]+(?:::\w+)*")
_POSTFIX = re.compile(r"\s*(?:(?:\.|->)\s*\w+)*\s*")
_ARRAY = re.compile(r"[\s(]*&?\s*([A-Za-z_]\w*)\s*(?:(?:\[|\+).*)?", re.ASCII | re.DOTALL)
"""Expression that denotes an array, an element of an array, or an address in an array: `a`, `&a[i]`, `a + 4`."""
_TYPE_BEFORE = re.compile(r"[\w>*&]\s*$")
_NO_TYPE = re.compile(
    r"\b(?:return|else|case|goto|delete|new|typedef|using|extern|alignas)\b|aligned|__\w*align"
)
_NOT_LOCAL = re.compile(r"__(?:shared|constant|device)__|SHARED|smem")
_REACH = 300
"""Largest distance, in characters, between the beginning of an array's declaration and the array's name."""


def operand(source: Source, end: int) -> str:
    """Operand of a cast: the text after `static_cast<T>(`, `T(` or `(T)`, which ends at offset `end`.

    After an opening parenthesis, the operand extends to the closing parenthesis; after `(T)`, it is one expression.
    """
    text = source.text
    if text[end - 1] == "(":
        return text[end : _closing(source, end - 1)]
    at = _after(_PREFIX, text, end)
    if text[at : at + 1] != "(":
        at = _after(_PRIMARY, text, at)
    while True:
        at = _after(_POSTFIX, text, at)
        if at >= len(text) or text[at] not in "([":
            return text[end:at]
        at = _closing(source, at) + 1


def local_array(source: Source, cast: int, text: str) -> bool:
    """Test whether `text`, the operand of the cast at offset `cast`, denotes a local array or an element of one.

    An array whose declaration states an alignment does not count.
    """
    found = _ARRAY.fullmatch(text.strip().rstrip(")"))
    if not found:
        return False
    places = [at for at in source.places(found[1]) if at < cast and source.at(at) is None]
    return any(_declares(source, at, at + len(found[1])) for at in reversed(places))


def _declares(source: Source, start: int, end: int) -> bool:
    if source.text[end : end + 2].lstrip()[:1] != "[":
        return False
    before = source.text[code_start(source, ";{}", start, _REACH) : start]
    if not _TYPE_BEFORE.search(before) or _NO_TYPE.search(before) or _NOT_LOCAL.search(before):
        return False
    # A parameter with `[]` is a pointer, not an array. In an expression, the text before the name ends with an operator
    # or a bracket.
    return "(" not in before and "=" not in before and bool(re.match(r"\s*[\w:]", before))


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _closing(source: Source, start: int) -> int:
    """Offset of the bracket that closes the bracket at `start`; end of the text when none closes it."""
    depth = 0
    for bracket in _BRACKET.finditer(source.text, start):
        if source.at(bracket.start()) is None:
            depth += 1 if bracket[0] in "([{" else -1
            if depth == 0:
                return bracket.start()
    return len(source.text)
