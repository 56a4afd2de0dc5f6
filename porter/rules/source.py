"""One upstream file as the rules see it: its text, what is not plain code in it, and where its words stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from porter.globs import matches
from porter.lex import Kind, Token, opaque
from porter.model.port import Edit, Reason
from porter.model.rules import Rule, RuleSet, TokenClass

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_IDENT_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_CLASS_OF = {
    Kind.COMMENT: TokenClass.COMMENT,
    Kind.STRING: TokenClass.STRING,
    Kind.CHAR: TokenClass.STRING,
    Kind.MESSAGE: TokenClass.STRING,
    Kind.CONDITION: TokenClass.CONDITION,
}


class Site(NamedTuple):
    """An identifier at a place."""

    start: int
    word: str
    where: TokenClass


class Left(NamedTuple):
    """A place where vendor text stays."""

    start: int
    reason: Reason
    name: str
    rule: int
    note: str


@dataclass
class Source:
    """A file being rewritten; rules add to `edits`, `hits` and `left`."""

    path: str
    """Upstream path from the root of the tree, with forward slashes."""
    text: str
    rules: RuleSet
    moved: Mapping[str, str]
    """How an include of a ported file was spelled -> how it is spelled in the port."""
    edits: list[Edit] = field(default_factory=list)
    hits: Counter[tuple[int, str]] = field(default_factory=Counter)
    left: list[Left] = field(default_factory=list)

    @cached_property
    def opaque(self) -> list[Token]:
        """Comments, literals, directives and launches, in order."""
        return opaque(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.opaque]

    @cached_property
    def words(self) -> set[str]:
        """Every word of the file, whatever it stands in."""
        return set(WORD.findall(self.text))

    def at(self, offset: int) -> Token | None:
        """The opaque token that covers an offset."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0 and offset < self.opaque[index].end:
            return self.opaque[index]
        return None

    def sites(self, words: Iterable[str]) -> Iterator[Site]:
        """Where the words stand in code and in conditions, in order of place."""
        found: list[tuple[int, str]] = []
        text, size = self.text, len(self.text)
        for word in words:
            start = text.find(word)
            while start >= 0:
                end = start + len(word)
                if (start == 0 or text[start - 1] not in _IDENT_CHARS) and (
                    end == size or text[end] not in _IDENT_CHARS
                ):
                    found.append((start, word))
                start = text.find(word, end)
        found.sort()
        for start, word in found:
            token = self.at(start)
            if token is None:
                yield Site(start, word, TokenClass.CODE)
            elif token.kind is Kind.CONDITION:
                yield Site(start, word, TokenClass.CONDITION)
            elif where := _CLASS_OF.get(token.kind):
                yield Site(start, word, where)

    def applies(self, rule: Rule, where: TokenClass | None = None) -> bool:
        """Whether a rule is for this file, and for that class of token."""
        if where is not None and where not in rule.classes:
            return False
        if rule.only_in and not matches(self.path, rule.only_in):
            return False
        return not (rule.not_in and matches(self.path, rule.not_in))

    def edit(self, start: int, end: int, new: str, rule: int, name: str = "") -> None:
        """Replace a span by a literal, and count the rule."""
        self.edits.append(Edit(start, end, (new,), rule, name))

    def hit(self, rule: int, name: str = "") -> None:
        """Count a rule that decided about a place."""
        self.hits[rule, name] += 1

    def leave(self, start: int, reason: Reason, name: str, rule: int = -1, note: str = "") -> None:
        """Record vendor text that stays."""
        self.left.append(Left(start, reason, name, rule, note))
