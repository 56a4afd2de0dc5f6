r"""Lossless lexer for C++ and CUDA: `"".join(t.text for t in lex(s)) == s` for every `s`.

>>> [t.text for t in lex("f<<<1, n>>>(x);")][:4]
['f', '<<<', '1', ',']

`lex` returns every token, blanks and comments included. `opaque` is twenty times faster and returns only the tokens
that are not plain code: comments, literals, directives and launches. Plain code is the text between these tokens.

A text is the bytes of a file, decoded as Latin-1 (`decode`) with one character for each byte. Therefore offsets are
byte offsets, and invalid bytes are preserved. The lexer uses no grammar of C++, because a port must handle all files:
tree-sitter's CUDA grammar has error nodes in more than half of PyTorch 2.6.0's CUDA files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """Kind of a token."""

    COMMENT = "COMMENT"
    STRING = "STRING"
    """String literal, raw or ordinary. An encoding prefix is an identifier token before the literal."""
    CHAR = "CHAR"
    INCLUDE = "INCLUDE"
    """`#include <x>` or `#include "x"`, to the closing bracket or quote."""
    CONDITION = "CONDITION"
    """`#if`, `#ifdef`, `#ifndef`, `#elif`, `#elifdef` or `#elifndef`, up to the first comment or the end of the logical
    line."""
    MESSAGE = "MESSAGE"
    """`#error` or `#warning`, up to the first comment or the end of the logical line."""
    DIRECTIVE = "DIRECTIVE"
    """`#` and the name of a directive that has no kind of its own. The rest of the line consists of further tokens.
    `#x` in the body of a macro is no directive."""
    CHEVRON_OPEN = "CHEVRON_OPEN"
    """`<<<`, also with blanks: `<< <`"""
    CHEVRON_CLOSE = "CHEVRON_CLOSE"
    """`>>>`, also with blanks: `>> >`"""
    IDENT = "IDENT"
    NUMBER = "NUMBER"
    BLANK = "BLANK"
    """White space and line splices."""
    PUNCT = "PUNCT"


class Token(NamedTuple):
    """Kind, offset and text of a token."""

    kind: Kind
    start: int
    """Offset of the first character."""
    text: str

    @property
    def end(self) -> int:
        """Offset after the last character."""
        return self.start + len(self.text)

    @property
    def left_angles(self) -> int:
        """Number of opening angle brackets: 1 for `<`, 3 for `<<<` and `<< <`, 0 for other tokens."""
        return 3 if self.kind is Kind.CHEVRON_OPEN else int(self.text == "<")

    @property
    def right_angles(self) -> int:
        """Number of closing angle brackets: 1 for `>`, 3 for `>>>` and `>> >`, 0 for other tokens."""
        return 3 if self.kind is Kind.CHEVRON_CLOSE else int(self.text == ">")


# Quantifiers are possessive (`++`, `*+`), because no match here needs backtracking. Repeated groups are in atomic
# groups instead, because Python before 3.11.5 matches possessive groups wrongly (gh-106052). Every input takes linear
# time. An unclosed comment or raw string is one token up to the end of the text. Inside other unclosed literals and
# include paths, no position starts a new search for the end (`_ESCAPE` ensures this).
_SPLICE = r"\\[ \t]*\r?\n"
_TO_LINE_END = rf"(?>(?:[^\\\n/]++|{_SPLICE}|\\|/(?![/*]))*)"
_NUMBER = r"\.?[0-9](?>(?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*)"
_RAW_START = r"(?:\b|(?<=\bu8)|(?<=\b[uUL]))R\""
_CHEVRON_OPEN = r"(?<!<)(?<!operator)(?<!operator )<<[ \t]*+<(?!<)"
"""nvcc accepts blanks in the brackets of a launch: clang-format writes `<< <`. No other C++ has this sequence, except
`operator<< <T>`."""
_HASH = r"(?<!\#)\#[ \t]*"
"""The character `#` and the blanks after it. The second character of `##` does not match."""
_DIRECTIVES = (
    "define|undef|else|endif|pragma|line|include(?:_next)?|import|error|warning|embed|ident|sccs|assert|unassert"
    "|cmakedefine(?:01)?"
)
"""Directives of C++23, GCC and CMake, except conditions. `include`, `error` and `warning` match here only if they lack
the text that INCLUDE or MESSAGE requires."""
_ESCAPE = r"\\[\\\"']"

_OPAQUE = {
    Kind.COMMENT: rf"//(?>(?:[^\\\n]++|{_SPLICE}|\\)*)|/\*(?s:.*?)(?:\*/|\Z)",
    Kind.STRING: (
        rf"{_RAW_START}(?P<delimiter>[^()\\\s]{{0,16}})\((?s:.*?)(?:\)(?P=delimiter)\"|\Z)"
        r"|\"(?>(?:[^\"\\\n]++|\\\r\n|\\(?s:.))*)\""
    ),
    Kind.CHAR: r"'(?>(?:[^'\\\n]++|\\(?s:.))*)'",
    Kind.INCLUDE: rf"{_HASH}include(?:_next)?[ \t]*(?:<[^<>\n]*>|\"[^\"\n]*\")",
    Kind.CONDITION: rf"{_HASH}(?:ifn?def|if|elifn?def|elif)\b{_TO_LINE_END}",
    Kind.MESSAGE: rf"{_HASH}(?:error|warning)[ \t]{_TO_LINE_END}",
    Kind.DIRECTIVE: rf"{_HASH}(?:{_DIRECTIVES})\b",
    Kind.CHEVRON_OPEN: _CHEVRON_OPEN,
}
_CODE = {
    Kind.CHEVRON_CLOSE: r">>[ \t]*+>",
    Kind.IDENT: rf"(?:u8|[uUL])(?=R\")|(?!{_RAW_START})[A-Za-z_][A-Za-z0-9_]*+",
    Kind.NUMBER: _NUMBER,
    Kind.BLANK: rf"(?>(?:[ \t\r\n\f\v]|{_SPLICE})+)",
    Kind.PUNCT: rf"{_ESCAPE}|(?s:.)",
}


def _alternatives(pieces: dict[Kind, str]) -> str:
    return "|".join(f"(?P<{kind}>{piece})" for kind, piece in pieces.items())


_LEX = re.compile(_alternatives({**_OPAQUE, **_CODE}), re.ASCII)
# The regular expression itself skips plain code, so that the loop in Python runs once for each opaque token. A number
# is skipped as a whole, so that the quote in 1'000 starts no character literal.
_SKIP = rf"[^R\"'/#0-9<\\]++|{_ESCAPE}|\\|\b{_NUMBER}|\B[0-9]|/(?![/*])|(?!{_CHEVRON_OPEN})<|(?!{_RAW_START})R"
_SCAN = re.compile(rf"(?>(?:{_SKIP})*)(?:{_alternatives(_OPAQUE)}|(?s:.)|\Z)", re.ASCII)
_LAUNCH = re.compile(_CHEVRON_OPEN)


def has_launch(text: str) -> bool:
    """Test whether a text contains the opening brackets of a launch, in code or elsewhere."""
    return "<<" in text and _LAUNCH.search(text) is not None


def _by_group(pattern: re.Pattern[str]) -> list[Kind]:
    """Token kinds, indexed by `match.lastindex`: the number of the group that closed last."""
    numbers = pattern.groupindex
    # The group `delimiter` closes before its outer group STRING, so `lastindex` never has the number of `delimiter`.
    kinds = {numbers[kind]: kind for kind in Kind if kind in numbers}
    return [kinds.get(number, Kind.PUNCT) for number in range(pattern.groups + 1)]


_LEX_KINDS = _by_group(_LEX)
_SCAN_KINDS = _by_group(_SCAN)


def decode(raw: bytes) -> str:
    """Decode bytes as Latin-1, one character for each byte; `encode` is the inverse."""
    return raw.decode("latin-1")


def encode(text: str) -> bytes:
    """Encode text as Latin-1; the inverse of `decode`."""
    return text.encode("latin-1")


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """Yield the tokens of `text` from offset `start`, where a token must begin."""
    for match in _LEX.finditer(text, start):
        yield Token(_LEX_KINDS[match.lastindex or 0], match.start(), match[0])


def lex(text: str) -> list[Token]:
    """All tokens of `text`, in order and without gaps."""
    return [
        Token(_LEX_KINDS[match.lastindex or 0], match.start(), match[0])
        for match in _LEX.finditer(text)
    ]


def opaque(text: str) -> list[Token]:
    """Tokens of `text` that are not plain code, in order: the kinds that `Kind` lists before `CHEVRON_CLOSE`."""
    return [
        Token(_SCAN_KINDS[group], match.start(group), match[group])
        for match in _SCAN.finditer(text)
        if (group := match.lastindex)
    ]
