"""Position automaton of a regular expression. Its paths are the paths that Python's backtracking engine tries.

A position is a part of the expression that matches one character: the automaton of `ab*` has two positions (V.
Glushkov, 1961). An edge leads from a position to a position that can match the next character, and holds the number of
ways in which the engine can get there. Characters are Latin-1, because porter reads text as Latin-1; a set of
characters is a mask of 256 bits. A position matches either only word characters or only other characters, so `\\b` is
exact.
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
"""Position before the first character, from which every path starts."""
_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
_MAX_WRITTEN_OUT = 64
"""Largest upper bound of a repeat whose body is copied once for each repetition. A higher bound counts as unbounded."""
_MAX_NODES = 4000


class NotRegularError(Exception):
    """Refusal of an expression that is too large, or that no finite automaton can represent."""


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
    """Positions of an expression, and the edges between them."""

    masks: list[int] = field(default_factory=list)
    """Mask of the characters that a position matches, indexed by the number of the position."""
    edges: dict[int, dict[int, int]] = field(default_factory=dict)
    """Maps a position (or START) to a table, which maps each next position to the number of ways to get there."""
    accepting: set[int] = field(default_factory=set)
    """Positions after which the expression can end, independent of the following text."""

    def is_word(self, position: int) -> bool:
        """Test whether a position matches word characters."""
        return position != START and bool(self.masks[position] & WORD)


def automaton(pattern: str, *, search: bool, bounded: bool) -> Automaton:
    """Build the automaton of a pattern.

    If `search` is True, a match can begin anywhere in a text; if False, the pattern matches a whole identifier. If
    `bounded` is True, a repeat with an upper bound (`x{0,3}`) is written out; if False, the repeat becomes a loop
    like `x*`. Raises NotRegularError, and re.error for a malformed pattern.
    """
    tree = parser.parse(pattern, re.ASCII)
    return _Builder(bounded, ALL if search else WORD).build(tree, search)


def choices(pattern: str) -> int:
    """Largest number of alternatives and optional parts on one path through a pattern."""
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
    """Builds an automaton in two steps.

    The first step builds a graph, in which positions and free steps join the nodes. A free step leads from one node
    to another without matching a character. The second step removes the nodes and the free steps.
    """

    def __init__(self, bounded: bool, alphabet: int) -> None:
        self.bounded = bounded
        self.alphabet = alphabet
        self.masks: list[int] = []
        self.after: list[int] = []
        """Node that follows a position, indexed by the number of the position."""
        self.positions: list[list[int]] = []
        """Positions that start at a node, indexed by the number of the node."""
        self.free: list[list[tuple[int, Any]]] = []
        """Free steps from a node, indexed by the number of the node: (end node, condition). None is always true."""
        self.steps = 0
        """Number of calls of `reachable`. The number is limited, to limit the run time."""

    def build(self, tree: Any, search: bool) -> Automaton:
        first = self.node()
        if search:
            self.position(first, ALL, first)
            begin = self.node()
            self.step(first, begin)
        else:
            begin = first
        final = self.sequence(tree, tree.state.flags, begin)
        made = Automaton(self.masks)
        for position in (START, *range(len(self.masks))):
            node = first if position == START else self.after[position]
            found = made.edges[position] = {}
            for other, conditions in self.reachable(node, final, set(), ()):
                if other is None:
                    # At the end of a match, the only condition that may remain is the end of the text.
                    if all(condition in _ENDS for condition in conditions):
                        made.accepting.add(position)
                elif all(_holds(made, position, other, condition) for condition in conditions):
                    found[other] = found.get(other, 0) + 1
        return made

    def node(self) -> int:
        self.positions.append([])
        self.free.append([])
        if len(self.free) > _MAX_NODES:
            raise NotRegularError("it is too large to be checked")
        return len(self.free) - 1

    def step(self, start: int, end: int, condition: Any = None) -> None:
        self.free[start].append((end, condition))

    def position(self, start: int, mask: int, end: int | None = None) -> int:
        after = self.node() if end is None else end
        for part in (mask & self.alphabet & WORD, mask & self.alphabet & ~WORD):
            if part:
                self.masks.append(part)
                self.after.append(after)
                self.positions[start].append(len(self.masks) - 1)
        return after

    def sequence(self, items: Any, flags: int, at: int) -> int:
        for op, argument in items:
            at = self.one(op, argument, flags, at)
        return at

    def one(self, op: Any, argument: Any, flags: int, at: int) -> int:
        if op in (c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN):
            return self.position(at, reads(op, argument, flags))
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
            raise NotRegularError(
                "a counted repeat (`{m,n}`) of an expression that can match the empty text"
            )
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
        """Yield (position, conditions on the path) for each position that can match the next character after a node.

        The position None means the end of a match, which is the node `final`. A position is yielded once for each path
        from the node. `path` holds the nodes already passed, and `conditions` their conditions.
        """
        self.steps += 1
        if self.steps > _MAX_NODES * 10 or len(path) > 400:
            raise NotRegularError("it is too large to be checked")
        if node == final:
            yield None, conditions
        for position in self.positions[node]:
            yield position, conditions
        for other, condition in self.free[node]:
            if other not in path:
                more = conditions if condition is None else (*conditions, condition)
                yield from self.reachable(other, final, path | {node}, more)


_ENDS = (c.AT_END, c.AT_END_STRING, c.AT_END_LINE)


def _holds(made: Automaton, position: int, other: int, condition: Any) -> bool:
    """Test whether a condition such as `\\b` allows a step from `position` to `other`; True if that is unknown."""
    if condition is c.AT_BOUNDARY:
        return made.is_word(position) != made.is_word(other)
    if condition is c.AT_NON_BOUNDARY:
        return made.is_word(position) == made.is_word(other)
    if condition in (c.AT_BEGINNING, c.AT_BEGINNING_STRING):
        return position == START
    return True


def reads(op: Any, argument: Any, flags: int) -> int:
    """Mask of the characters that one item of a parsed expression matches."""
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
