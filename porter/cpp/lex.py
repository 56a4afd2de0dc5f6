r"""Lossless C++/CUDA tokens: `"".join(t.text for t in lex(s)) == s` for every `s`.

>>> [t.text for t in lex("f<<<1, n>>>(x);")][:4]
['f', '<<<', '1', ',']

`lex` gives every token, blanks and comments included. `opaque` gives, twenty times faster, only what is not plain code:
comments, literals, directives and launches; the code is what lies between.

Text is bytes decoded as Latin-1 (`decode`), one character a byte, so that offsets are byte offsets and undecodable
bytes survive. There is no grammar: on PyTorch 2.6.0's sources tree-sitter's CUDA grammar has error nodes in more than
half of the files, and a port must not stop there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a token is."""

    COMMENT = "COMMENT"
    STRING = "STRING"
    """A string literal, raw or not; its encoding prefix is an identifier before it."""
    CHAR = "CHAR"
    INCLUDE = "INCLUDE"
    """`#include <x>` or `#include "x"`, to the closing bracket or quote."""
    CONDITION = "CONDITION"
    """`#if`, `#ifdef`, `#elif` and their like to the end of its logical line, comments left out."""
    MESSAGE = "MESSAGE"
    """`#error` or `#warning` to the end of its logical line."""
    DIRECTIVE = "DIRECTIVE"
    """`#` and the name of any other directive; what follows is tokens of its own. `#x` of a macro's body is none."""
    CHEVRON_OPEN = "CHEVRON_OPEN"
    """`<<<`"""
    CHEVRON_CLOSE = "CHEVRON_CLOSE"
    """`>>>`"""
    IDENT = "IDENT"
    NUMBER = "NUMBER"
    BLANK = "BLANK"
    """White space and line splices."""
    PUNCT = "PUNCT"


class Token(NamedTuple):
    kind: Kind
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


# Quantifiers are possessive (`++`, `*+`; of a group: an atomic group, since Python before 3.11.5 does not backtrack
# inside a possessive one, gh-106052): nothing here ever needs to be given back. No input takes more than linear
# time: what is not closed is either one token to the end of the text (comments, raw strings), or has nothing in it
# at which the search for its end would begin again (other literals, include paths; hence `_ESCAPE`).
_SPLICE = r"\\[ \t]*\r?\n"
_TO_LINE_END = rf"(?>(?:[^\\\n/]++|{_SPLICE}|\\|/(?![/*]))*)"
_NUMBER = r"\.?[0-9](?>(?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])*)"
_RAW_START = r"(?:\b|(?<=\bu8)|(?<=\b[uUL]))R\""
_CHEVRON_OPEN = r"(?<!<)<<<(?!<)"
_HASH = r"(?<!\#)\#[ \t]*"
"""Not the second half of `##`."""
_DIRECTIVES = (
    "define|undef|else|endif|pragma|line|include(?:_next)?|import|error|warning|embed|ident|sccs|assert|unassert"
    "|cmakedefine(?:01)?"
)
"""Those of C++23 and GCC, and CMake's, that no other kind takes."""
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
    Kind.CHEVRON_CLOSE: r">>>",
    Kind.IDENT: rf"(?:u8|[uUL])(?=R\")|(?!{_RAW_START})[A-Za-z_][A-Za-z0-9_]*+",
    Kind.NUMBER: _NUMBER,
    Kind.BLANK: rf"(?>(?:[ \t\r\n\f\v]|{_SPLICE})+)",
    Kind.PUNCT: rf"{_ESCAPE}|(?s:.)",
}


def _alternatives(pieces: dict[Kind, str]) -> str:
    return "|".join(f"(?P<{kind}>{piece})" for kind, piece in pieces.items())


_LEX = re.compile(_alternatives({**_OPAQUE, **_CODE}), re.ASCII)
# Plain code is skipped inside the match, so that the loop in Python runs once per opaque token. A number is skipped
# whole: the quote in 1'000 opens no character literal.
_SKIP = rf"[^R\"'/#0-9<\\]++|{_ESCAPE}|\\|\b{_NUMBER}|\B[0-9]|/(?![/*])|(?!{_CHEVRON_OPEN})<|(?!{_RAW_START})R"
_SCAN = re.compile(rf"(?>(?:{_SKIP})*)(?:{_alternatives(_OPAQUE)}|(?s:.)|\Z)", re.ASCII)


def _by_group(pattern: re.Pattern[str]) -> list[Kind]:
    """The kind for each number of a group that can be the last to close in a match of a pattern."""
    numbers = pattern.groupindex
    # The group inside STRING closes before it does, and so is never the last.
    kinds = {numbers[kind]: kind for kind in Kind if kind in numbers}
    return [kinds.get(number, Kind.PUNCT) for number in range(pattern.groups + 1)]


_LEX_KINDS = _by_group(_LEX)
_SCAN_KINDS = _by_group(_SCAN)


def decode(raw: bytes) -> str:
    """`raw` as text of one character a byte; `encode` gives the bytes back."""
    return raw.decode("latin-1")


def encode(text: str) -> bytes:
    """The bytes that `decode` was given."""
    return text.encode("latin-1")


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The tokens of `text` from offset `start`, one by one."""
    for match in _LEX.finditer(text, start):
        yield Token(_LEX_KINDS[match.lastindex or 0], match.start(), match[0])


def lex(text: str) -> list[Token]:
    """All tokens of `text`, in order and without gaps."""
    return [
        Token(_LEX_KINDS[match.lastindex or 0], match.start(), match[0])
        for match in _LEX.finditer(text)
    ]


def opaque(text: str) -> list[Token]:
    """The tokens of `text` that are not plain code, in order: the kinds before `CHEVRON_CLOSE`."""
    return [
        Token(_SCAN_KINDS[group], match.start(group), match[group])
        for match in _SCAN.finditer(text)
        if (group := match.lastindex)
    ]
