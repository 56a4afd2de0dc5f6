r"""Literal texts of a regular expression. Every match contains one of them. Text without any of them needs no search.

>>> sorted(needles(r"\b(?:lane|warp)\w*\s*==\s*32"))
['lane', 'warp']
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from re import _constants as c  # type: ignore[attr-defined]  # private, but stable since 3.11
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
_NO_WIDTH = (c.AT, c.ASSERT, c.ASSERT_NOT)
_ENOUGH = 6
"""Length from which an opening text is not extended to several texts: longer texts are hardly rarer."""
_MOST_OPENINGS = 64
"""Largest number of opening texts: each is searched for separately."""
_Openings = set[tuple[str, bool]]
"""Texts with which matches begin. True: the text is the whole match, so that the text of the next item follows it."""
Needles = frozenset[str]
"""Set of lower-case texts. Every match of a pattern, in lower case, contains at least one of them."""


@functools.cache
def needles(pattern: str) -> Needles | None:
    """Set of lower-case texts such that every match, in lower case, contains at least one; None if no set is found.

    If several sets are possible, the result is the set whose shortest text is longest.
    """
    return _of_sequence(parser.parse(pattern, re.ASCII))


@functools.cache
def openings(pattern: str) -> Needles | None:
    """Set of lower-case texts such that every match, in lower case, begins with one; None if no set is found."""
    texts = {text for text, _ in _openings(parser.parse(pattern, re.ASCII))}
    if "" in texts:
        return None
    # A text that begins with another one finds nothing that the shorter text does not find.
    return frozenset(
        text for text in texts if not any(text.startswith(one) for one in texts if one != text)
    )


def any_of(found: Iterable[Needles | None]) -> Needles | None:
    """Union of the needles of several patterns; None if one of the patterns has no needles.

    A needle that contains another needle is omitted, because the shorter needle finds the same matches.
    """
    texts: set[str] = set()
    for one in found:
        if one is None:
            return None
        texts |= one
    return frozenset(text for text in texts if not any(other in text for other in texts - {text}))


@functools.cache
def alternatives(pattern: str) -> tuple[str, ...]:
    """Branches `a`, `b` and `c` of a pattern `a|b|c`. A pattern without top-level branches is returned whole."""
    if re.match(
        r"\(\?[aiLmsux]+\)", pattern
    ):  # Flags such as `(?i)` at the start apply to the whole pattern.
        return (pattern,)
    branches = [""]
    depth, in_class = 0, False
    for piece in re.findall(r"(?s)\\.|.", pattern):
        if in_class:
            # `]` at the start of a class is an ordinary character.
            in_class = piece != "]" or branches[-1].endswith(("[", "[^"))
        elif piece == "|" and depth == 0:
            branches.append("")
            continue
        else:
            in_class = piece == "["
            depth += {"(": 1, ")": -1}.get(piece, 0)
        branches[-1] += piece
    return tuple(branches)


def _of_sequence(tree: Any) -> Needles | None:
    found: list[Needles] = []
    literal = ""
    for op, argument in tree:
        text = _literal(op, argument)
        literal += text
        if not text:
            found.append(frozenset({literal}))
            literal = ""
            if inner := _of_part(op, argument):
                found.append(inner)
    found.append(frozenset({literal}))
    best = max(found, key=lambda texts: min(map(len, texts)))
    return best if all(best) else None


def _openings(tree: Any) -> _Openings:
    """Texts with which the matches of a sequence begin."""
    found: _Openings = {("", True)}
    for op, argument in tree:
        if op in _NO_WIDTH:
            continue
        more = _openings_of(op, argument)
        ended = {one for one in found if not one[1] or (len(one[0]) >= _ENOUGH and len(more) > 1)}
        longer = {(text, False) for text, _ in ended} | {
            (text + tail, is_whole) for text, _ in found - ended for tail, is_whole in more
        }
        if len(longer) > _MOST_OPENINGS:
            return {(text, False) for text, _ in found}
        found = longer
        if not any(is_whole for _, is_whole in found):
            break
    return found


def _openings_of(op: Any, argument: Any) -> _Openings:
    """Texts with which the matches of one item of a pattern begin."""
    if text := _literal(op, argument):
        return {(text, True)}
    if op is c.SUBPATTERN:
        return _openings(argument[3])
    if op is c.ATOMIC_GROUP:
        return _openings(argument)
    if op is c.BRANCH:
        return {one for branch in argument[1] for one in _openings(branch)}
    if op in _REPEATS:
        least, most, inner = argument
        if most == 1:
            return _openings(inner) | ({("", True)} if least == 0 else set())
        if least >= 1:
            return {(text, False) for text, _ in _openings(inner)}
    return {("", False)}


def _literal(op: Any, argument: Any) -> str:
    """Single text, in lower case, that an item of a pattern matches; empty if the item can match several texts."""
    if op is c.LITERAL:
        return chr(argument).lower() if argument < 128 else ""
    if op is c.IN and all(kind is c.LITERAL and value < 128 for kind, value in argument):
        letters = {chr(value).lower() for _, value in argument}
        return letters.pop() if len(letters) == 1 else ""
    if op in _REPEATS and argument[0] == argument[1] and len(argument[2]) == 1:
        return _literal(*argument[2][0]) * int(argument[0])
    return ""


def _of_part(op: Any, argument: Any) -> Needles | None:
    """Needles of an item that consists of sequences, such as a group or a branch; None if it has none."""
    if op is c.SUBPATTERN:
        return _of_sequence(argument[3])
    if op is c.ATOMIC_GROUP:
        return _of_sequence(argument)
    if op in _REPEATS and argument[0] >= 1:
        return _of_sequence(argument[2])
    if op is c.BRANCH:
        branches = [_of_sequence(branch) for branch in argument[1]]
        every = frozenset(text for branch in branches if branch for text in branch)
        return every if all(branches) else None
    return None
