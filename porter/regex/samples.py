"""Short sample texts that a regular expression matches, usually one or more for each alternative."""

from __future__ import annotations

import re
import string
from itertools import islice, product
from re import _constants as c  # type: ignore[attr-defined]  # private, but stable since 3.11
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from porter.regex.automaton import reads

_MOST = 64
_SHOWN = "xX1_" + string.printable
"""Candidates for the sample of a set of characters, best first. Names with the first ones seldom match a rule."""


def samples(pattern: str) -> list[str]:
    """Sample texts that a pattern matches as a whole; an empty list if none was found."""
    known = re.compile(pattern, re.ASCII)
    texts = dict.fromkeys(_sequence(parser.parse(pattern, re.ASCII)))
    return [text for text in texts if known.fullmatch(text)]


def _sequence(items: Any) -> list[str]:
    pieces = [_one(op, argument) for op, argument in items]
    return ["".join(texts) for texts in islice(product(*pieces), _MOST)]


def _one(op: Any, argument: Any) -> list[str]:
    if op is c.LITERAL:
        return [chr(argument)]
    if op in (c.ANY, c.IN, c.NOT_LITERAL):
        mask = reads(op, argument, 0)
        return [next((text for text in _SHOWN if mask >> ord(text) & 1), "")]
    if op is c.BRANCH:
        return [text for body in argument[1] for text in _sequence(body)]
    if op is c.SUBPATTERN:
        return _sequence(argument[3])
    if op is c.ATOMIC_GROUP:
        return _sequence(argument)
    if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        low, high, body = argument
        once = _sequence(body)
        counts = [count for count in (low, low + 1) if count <= high]
        return [text * count for count in counts for text in (once if count else [""])]
    return [""]
