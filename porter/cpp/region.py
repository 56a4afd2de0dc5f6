"""A stretch of text read once: its tokens, as far as they are asked for, and where each bracket closes.

Calls stand in calls and launches beside launches: what one of them has read serves the next.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from porter.cpp.lex import Kind, Token, tokens

OPEN, CLOSE = "([{", ")]}"
SILENT = (Kind.BLANK, Kind.COMMENT)
DIRECTIVES = (Kind.DIRECTIVE, Kind.CONDITION, Kind.INCLUDE, Kind.MESSAGE)


class Region:
    """The tokens of a text from an offset on, which begins a token."""

    def __init__(self, text: str, begin: int) -> None:
        self.begin = begin
        self.read_to = begin
        """Offset up to which tokens are read."""
        self.tokens: list[Token] = []
        self._starts: list[int] = []
        self._unread = tokens(text, begin)
        self._open: list[int] = []
        self._close: dict[int, int] = {}
        self._directives: list[int] = []

    def token(self, index: int) -> Token | None:
        """The token with an index; None behind the last."""
        while index >= len(self.tokens):
            if not self._read():
                return None
        return self.tokens[index]

    def index(self, offset: int) -> int | None:
        """Index of the token that begins at an offset; None when none begins there."""
        while self.read_to <= offset:
            if not self._read():
                return None
        index = bisect_left(self._starts, offset)
        return index if self._starts[index : index + 1] == [offset] else None

    def close(self, index: int) -> int | None:
        """Index of the bracket that closes the one with an index; None when it stays open."""
        while index not in self._close:
            if not self._read():
                return None
        return self._close[index]

    def has_directive(self, first: int, last: int) -> bool:
        """Test whether a directive stands among the tokens of two indexes."""
        at = bisect_left(self._directives, first)
        return at < len(self._directives) and self._directives[at] < last

    def between(self, begin: int, end: int) -> list[Token]:
        """The tokens from an offset on that begin before another."""
        while self.read_to < end:
            if not self._read():
                break
        return self.tokens[bisect_left(self._starts, begin) : bisect_left(self._starts, end)]

    def outer(self, first: int, last: int) -> Iterator[Token]:
        """The tokens of an index up to another, blanks and what stands between brackets left out."""
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
