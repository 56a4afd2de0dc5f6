"""Finite automaton of a regular expression; its paths are the paths that Python's backtracking engine tries.

A letter is a position in the expression that reads one character. An edge leads from a letter to a letter that can be
read next, and counts the ways between the two. Characters are Latin-1, as porter reads text; a set of characters is a
mask of 256 bits. Each letter reads either word characters only or other characters only, which makes `\\b` exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from re import _constants as c  # type: ignore[attr-defined]  # private, but stable since 3.11
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ALL = (1 << 256) - 1
START = -1
"""Pseudo-letter before the first character, where every path begins."""
_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
_MAX_WRITTEN_OUT = 64
"""Highest bound of a repeat that is written out; a repeat with a higher bound is treated as unbounded."""
_MAX_NODES = 4000


class NotRegularError(Exception):
    """Expression that is too large or that no finite automaton represents; the text names the reason."""


def _mask(codes: Iterable[int]) -> int:
    mask = 0
    for code in codes:
        if code < 256:
            mask |= 1 << code
    return mask


def _matching(pattern: str) -> int:
    known = re.compile(pattern, re.ASCII)
    return _mask(code for code in range(256) if known.match(chr(code)))


WORD = _matching(r"\w")
_CATEGORIES = {
    c.CATEGORY_DIGIT: _matching(r"\d"),
    c.CATEGORY_SPACE: _matching(r"\s"),
    c.CATEGORY_WORD: WORD,
}
_NEGATED = {
    c.CATEGORY_NOT_DIGIT: c.CATEGORY_DIGIT,
    c.CATEGORY_NOT_SPACE: c.CATEGORY_SPACE,
    c.CATEGORY_NOT_WORD: c.CATEGORY_WORD,
}
_CASES = [(1 << ord(lower)) | (1 << ord(lower.upper())) for lower in "abcdefghijklmnopqrstuvwxyz"]


@dataclass
class Automaton:
    """Letters and the edges between them."""

    masks: list[int] = field(default_factory=list)
    """Letter -> set of characters that the letter reads."""
    edges: dict[int, dict[int, int]] = field(default_factory=dict)
    """Letter (or START) -> next letter -> number of ways."""
    accepting: set[int] = field(default_factory=set)
    """Letters after which the expression may end, for any following text."""

    def is_word(self, letter: int) -> bool:
        """Test whether the letter reads word characters."""
        return letter != START and bool(self.masks[letter] & WORD)


def automaton(pattern: str, *, search: bool, bounded: bool) -> Automaton:
    """Build the automaton of a pattern.

    With `search`, a match may begin anywhere in a text; without, a match is a whole identifier. With `bounded`, a
    repeat with a bound (`x{0,3}`) is written out; without, the repeat becomes a loop like `x*`. Raises NotRegularError,
    and re.error for a malformed pattern.
    """
    tree = parser.parse(pattern, re.ASCII)
    return _Builder(bounded, ALL if search else WORD).build(tree, search)


def choices(pattern: str) -> int:
    """Largest number of alternatives and optional parts that can follow one another in a pattern."""
    return _choices(parser.parse(pattern, re.ASCII))


def _choices(items: Any) -> int:
    total = 0
    for op, argument in items:
        if op is c.BRANCH:
            total += 1 + max(_choices(body) for body in argument[1])
        elif op in _REPEATS:
            total += int(argument[:2] == (0, 1)) + _choices(argument[2])
        elif op is c.SUBPATTERN:
            total += _choices(argument[3])
        elif op is c.ATOMIC_GROUP:
            total += _choices(argument)
    return total


class _Builder:
    """Builder of an automaton: a graph of nodes joined by letters and free steps, reduced to letters at the end.

    A free step leads from one node to another without reading a character.
    """

    def __init__(self, bounded: bool, alphabet: int) -> None:
        self.bounded = bounded
        self.alphabet = alphabet
        self.masks: list[int] = []
        self.after: list[int] = []
        """Letter -> node that follows the letter."""
        self.letters: list[list[int]] = []
        """Node -> letters that begin at the node."""
        self.free: list[list[tuple[int, Any]]] = []
        """Node -> end nodes of its free steps, each with the condition of the step (None: always possible)."""
        self.steps = 0
        """Calls of `reachable`, counted to limit the run time."""

    def build(self, tree: Any, search: bool) -> Automaton:
        first = self.node()
        if search:
            self.letter(first, ALL, first)
            begin = self.node()
            self.step(first, begin)
        else:
            begin = first
        final = self.sequence(tree, tree.state.flags, begin)
        made = Automaton(self.masks)
        for letter in (START, *range(len(self.masks))):
            node = first if letter == START else self.after[letter]
            found = made.edges[letter] = {}
            for other, conditions in self.reachable(node, final, set(), ()):
                if other is None:
                    # At the end of a match, the only condition that may remain is the end of the text.
                    if all(condition in _ENDS for condition in conditions):
                        made.accepting.add(letter)
                elif all(_holds(made, letter, other, condition) for condition in conditions):
                    found[other] = found.get(other, 0) + 1
        return made

    def node(self) -> int:
        self.letters.append([])
        self.free.append([])
        if len(self.free) > _MAX_NODES:
            raise NotRegularError("it is too large to be checked")
        return len(self.free) - 1

    def step(self, start: int, end: int, condition: Any = None) -> None:
        self.free[start].append((end, condition))

    def letter(self, start: int, mask: int, end: int | None = None) -> int:
        after = self.node() if end is None else end
        for part in (mask & self.alphabet & WORD, mask & self.alphabet & ~WORD):
            if part:
                self.masks.append(part)
                self.after.append(after)
                self.letters[start].append(len(self.masks) - 1)
        return after

    def sequence(self, items: Any, flags: int, at: int) -> int:
        for op, argument in items:
            at = self.one(op, argument, flags, at)
        return at

    def one(self, op: Any, argument: Any, flags: int, at: int) -> int:
        if op in (c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN):
            return self.letter(at, reads(op, argument, flags))
        if op is c.SUBPATTERN:
            _, added, removed, body = argument
            return self.sequence(body, (flags | added) & ~removed, at)
        if op is c.ATOMIC_GROUP:
            return self.sequence(argument, flags, at)
        if op is c.BRANCH:
            end = self.node()
            for body in argument[1]:
                begin = self.node()
                self.step(at, begin)
                self.step(self.sequence(body, flags, begin), end)
            return end
        if op in _REPEATS:
            low, high, body = argument
            return self.repeat(low, high, body, flags, at)
        if op is c.AT:
            end = self.node()
            loose = argument is c.AT_BEGINNING and flags & re.MULTILINE
            self.step(at, end, None if loose else argument)
            return end
        if op in (c.GROUPREF, c.GROUPREF_EXISTS):
            raise NotRegularError("back-references do not run in linear time")
        if op in (c.ASSERT, c.ASSERT_NOT):
            raise NotRegularError("look-around is not allowed")
        raise NotRegularError(f"'{str(op).lower()}' is not allowed")

    def repeat(self, low: int, high: int, body: Any, flags: int, at: int) -> int:
        is_counted = high is not c.MAXREPEAT
        if high == 0:
            return at
        if body.getwidth()[0] == 0 and (low > 1 or (is_counted and high > 1)):
            raise NotRegularError("a counted repeat of something that may be empty")
        write_out = is_counted and (high == 1 or (self.bounded and high <= _MAX_WRITTEN_OUT))
        if not write_out:
            begin = self.node()
            self.step(at, begin)
            end = self.sequence(body, flags, begin)
            out = self.node()
            self.step(end, begin)
            self.step(end, out)
            if low == 0:
                self.step(at, out)
            return out
        out = self.node()
        for count in range(high):
            if count >= low:
                self.step(at, out)
            begin = self.node()
            self.step(at, begin)
            at = self.sequence(body, flags, begin)
        self.step(at, out)
        return out

    def reachable(
        self, node: int, final: int, path: set[int], conditions: tuple[Any, ...]
    ) -> Iterable[tuple[int | None, tuple[Any, ...]]]:
        """Letters that can be read next from a node, each with the conditions on the way; None is the end of a match.

        A letter is yielded once for each way to the letter.
        """
        self.steps += 1
        if self.steps > _MAX_NODES * 10 or len(path) > 400:
            raise NotRegularError("it is too large to be checked")
        if node == final:
            yield None, conditions
        for letter in self.letters[node]:
            yield letter, conditions
        for other, condition in self.free[node]:
            if other not in path:
                more = conditions if condition is None else (*conditions, condition)
                yield from self.reachable(other, final, path | {node}, more)


_ENDS = (c.AT_END, c.AT_END_STRING, c.AT_END_LINE)


def _holds(made: Automaton, letter: int, other: int, condition: Any) -> bool:
    """Test whether a condition allows a step between two letters; an undecidable condition counts as allowed."""
    if condition is c.AT_BOUNDARY:
        return made.is_word(letter) != made.is_word(other)
    if condition is c.AT_NON_BOUNDARY:
        return made.is_word(letter) == made.is_word(other)
    if condition in (c.AT_BEGINNING, c.AT_BEGINNING_STRING):
        return letter == START
    return True


def reads(op: Any, argument: Any, flags: int) -> int:
    """Mask of the characters that one item of a parsed expression reads."""
    if op is c.ANY:
        return ALL if flags & re.DOTALL else ALL & ~(1 << ord("\n"))
    if op is c.NOT_LITERAL:
        return ALL & ~_folded(_mask([argument]), flags)
    if op is c.LITERAL:
        return _folded(_mask([argument]), flags)
    mask, negate = 0, False
    for kind, value in argument:
        if kind is c.NEGATE:
            negate = True
        elif kind is c.LITERAL:
            mask |= _mask([value])
        elif kind is c.RANGE:
            mask |= _mask(range(value[0], min(value[1], 255) + 1))
        elif value in _NEGATED:
            mask |= ALL & ~_CATEGORIES[_NEGATED[value]]
        else:
            mask |= _CATEGORIES[value]
    mask = _folded(mask, flags)
    return ALL & ~mask if negate else mask


def _folded(mask: int, flags: int) -> int:
    if flags & re.IGNORECASE:
        for both in _CASES:
            if mask & both:
                mask |= both
    return mask
