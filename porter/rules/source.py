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
from porter.lex import Kind, Token, encode, opaque
from porter.model.port import Edit, Reason
from porter.model.rules import Rule, RuleSet, TokenClass

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_IDENT_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_RUNS = bytes(c if chr(c) in _IDENT_CHARS else 32 for c in range(256))
"""Bytes that part runs of identifier characters, made blank."""
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
    decided: set[int] = field(default_factory=set)
    """Where words stand in literals and comments about which a rule for names has decided."""

    @cached_property
    def opaque(self) -> list[Token]:
        """Comments, literals, directives and launches, in order."""
        return opaque(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.opaque]

    @cached_property
    def runs(self) -> set[str]:
        """Every run of letters, digits and underscores in the file: its words and its numbers."""
        return set(self._blanked.split())

    @cached_property
    def _blanked(self) -> str:
        """The text with a blank before and after it, and in the place of whatever is no identifier character."""
        return f" {encode(self.text).translate(_RUNS).decode('ascii')} "

    @cached_property
    def vocabulary(self) -> str:
        """All runs in one lower-case text: what is no part of it is no part of a word or number of the file."""
        return " ".join(self.runs).lower()

    @cached_property
    def words(self) -> set[str]:
        """Every word of the file, whatever it stands in: what `WORD` finds, in half of the time."""
        odd = [run for run in self.runs if run[0] <= "9"]
        return self.runs.difference(odd).union([run.lstrip("0123456789") for run in odd]) - {""}

    @cached_property
    def include_patterns(self) -> tuple[str, ...]:
        """What the `include` rules match, rule by rule."""
        return tuple(self.rules.rules[index].match for index in self.rules.includes)

    def at(self, offset: int) -> Token | None:
        """The opaque token that covers an offset."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0 and offset < self.opaque[index].end:
            return self.opaque[index]
        return None

    def places(self, word: str) -> list[int]:
        """Where a word stands, whatever it stands in."""
        found: list[int] = []
        blanked, size = self._blanked, len(word)
        start = blanked.find(word)
        while start >= 0:
            if blanked[start - 1] == " " and blanked[start + size] == " ":
                found.append(start - 1)
            start = blanked.find(word, start + size)
        return found

    def sites(self, words: Iterable[str]) -> Iterator[Site]:
        """Where the words stand, in order of place; include paths and names of directives are left out."""
        places = [(start, word) for word in words for start in self.places(word)]
        for start, word in sorted(places):
            token = self.at(start)
            if token is None:
                yield Site(start, word, TokenClass.CODE)
            elif where := _CLASS_OF.get(token.kind):
                yield Site(start, word, where)

    def parted(self, word: str) -> tuple[list[int], list[Site]]:
        """As `sites`, for one word: where it stands in code, and its other sites."""
        code: list[int] = []
        others: list[Site] = []
        starts, opaque = self._starts, self.opaque
        for start in self.places(word):
            index = bisect_right(starts, start) - 1
            if index < 0 or start >= starts[index] + len(opaque[index].text):
                code.append(start)
            elif where := _CLASS_OF.get(opaque[index].kind):
                others.append(Site(start, word, where))
        return code, others

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
