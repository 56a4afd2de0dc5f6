"""Region: the tokens and matching brackets of a part of a text, read on demand and only once.

Nested calls and adjacent launches share the tokens of one region.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from porter.cpp.lex import Kind, Token, tokens

OPEN, CLOSE = "([{", ")]}"
SILENT = (Kind.BLANK, Kind.COMMENT)
DIRECTIVES = (Kind.DIRECTIVE, Kind.CONDITION, Kind.INCLUDE, Kind.MESSAGE)


class Region:
    """Tokens of a text from offset `begin`, where a token must begin. The first token has index 0."""

    def __init__(self, text: str, begin: int) -> None:
        self.begin = begin
        self.read_to = begin
        """Offset up to which the tokens have been read."""
        self.tokens: list[Token] = []
        self._starts: list[int] = []
        self._unread = tokens(text, begin)
        self._open: list[int] = []
        self._close: dict[int, int] = {}
        self._directives: list[int] = []

    def token(self, index: int) -> Token | None:
        """Token at an index; None after the last token."""
        while index >= len(self.tokens):
            if not self._read():
                return None
        return self.tokens[index]

    def index(self, offset: int) -> int | None:
        """Index of the token that begins at `offset`; None when no token begins at `offset`."""
        while self.read_to <= offset:
            if not self._read():
                return None
        index = bisect_left(self._starts, offset)
        return index if self._starts[index : index + 1] == [offset] else None

    def close(self, index: int) -> int | None:
        """Index of the token that closes the opening bracket at `index`; None when the bracket stays open."""
        while index not in self._close:
            if not self._read():
                return None
        return self._close[index]

    def has_directive(self, first: int, last: int) -> bool:
        """Test whether the tokens `first` to `last - 1` contain a directive.

        `#include`, `#error` and `#warning` do not count.
        """
        at = bisect_left(self._directives, first)
        return at < len(self._directives) and self._directives[at] < last

    def between(self, begin: int, end: int) -> list[Token]:
        """Tokens whose first character lies at offset `begin` or later, and before offset `end`."""
        while self.read_to < end:
            if not self._read():
                break
        return self.tokens[bisect_left(self._starts, begin) : bisect_left(self._starts, end)]

    def outer(self, first: int, last: int) -> Iterator[Token]:
        """Yield the tokens `first` to `last - 1`, except blanks and the tokens inside brackets.

        The tokens must have been read, for example by `close`.
        """

        at = first
        while at < last:
            token = self.tokens[at]
            if token.kind is not Kind.BLANK:
                yield token
            inside = self._close.get(at, at)
            at = inside if at < inside < last else at + 1

    def _read(self) -> bool:
        token = next(self._unread, None)
        if token is None:
            return False
        index = len(self.tokens)
        self.tokens.append(token)
        self._starts.append(token.start)
        self.read_to = token.end
        if token.kind is Kind.PUNCT:
            if token.text in OPEN:
                self._open.append(index)
            elif token.text in CLOSE and self._open:
                self._close[self._open.pop()] = index
        elif token.kind in (Kind.DIRECTIVE, Kind.CONDITION):
            self._directives.append(index)
        return True
