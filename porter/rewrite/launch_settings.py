"""Settings of a kernel launch: the commas between `<<<` and `>>>`.

    fill<<<grid,
    #ifdef SMALL
      32
    #else
      256
    #endif
      >>>(p);

A preprocessor condition may select among settings, if all its branches have the same number of commas. Otherwise, the
number of settings depends on the condition.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from porter.cpp.lex import Kind, Token
from porter.cpp.region import CLOSE, DIRECTIVES, OPEN, SILENT, Region
from porter.rewrite.brackets import commas, template_ends

_REACH = 4000
"""Largest distance, in characters, between `<<<` and the end of the settings."""
_CONDITION = re.compile(r"#\s*(if|ifdef|ifndef|elif|else|endif)\b", re.ASCII)


class LaunchSettings(NamedTuple):
    """Commas and end of the settings of a launch."""

    commas: list[tuple[Token, int]]
    """Each comma with the number of settings before it, minus 1. Branches of a condition repeat these numbers."""
    given: int
    """Number of settings: 2 to 4."""
    close: Token
    """The token `>>>`."""


class _Condition:
    """Preprocessor condition whose branches are being read."""

    def __init__(self, before: int) -> None:
        self.before = before
        """Number of commas before the condition."""
        self.after: int | None = None
        """Number of commas after the first branch; None during the first branch."""
        self.has_else = False

    def end_branch(self, seen: int) -> bool:
        """End a branch after `seen` commas. Returns False if another branch has another number of commas."""
        if self.after is None:
            self.after = seen
        return self.after == seen


def read(region: Region, opening: Token) -> LaunchSettings | None:
    """Settings of the launch with the token `<<<`; None if porter cannot parse the settings."""
    loud: list[Token] = []
    conditions: list[tuple[int, str]] = []
    at = region.index(opening.start)
    while at is not None and (token := region.token(at + 1)):
        at += 1
        if token.kind in SILENT:
            continue
        if token.kind is Kind.CHEVRON_OPEN or token.start - opening.end > _REACH:
            return None
        if token.kind in DIRECTIVES:
            word = _CONDITION.match(token.text)
            if not word:
                return None
            conditions.append((len(loud), word[1]))
            continue
        if (
            token.kind is Kind.CHEVRON_CLOSE
            and len(loud) not in template_ends([*loud, token]).values()
        ):
            return _numbered(loud, conditions, token)
        loud.append(token)
        if token.kind is not Kind.PUNCT:
            continue
        if token.text in CLOSE or token.text == ";":
            return None
        if token.text in OPEN:
            close = region.close(at)
            if close is None or region.has_directive(at, close):
                return None
            at = close
            loud.append(region.tokens[close])
    return None


def _numbered(
    loud: Sequence[Token], conditions: Sequence[tuple[int, str]], close: Token
) -> LaunchSettings | None:
    """Settings with the tokens `loud`. A condition precedes the token whose index `conditions` states."""
    found = commas(loud)
    ends = [-1, *found, len(loud)]
    if any(left + 1 == right for left, right in pairwise(ends)):
        return None
    numbered: list[tuple[Token, int]] = []
    open_: list[_Condition] = []
    seen = 0
    # At one index, conditions precede the token.
    for index, word in sorted([*conditions, *((at, "") for at in found)], key=_place):
        if not word:
            numbered.append((loud[index], seen))
            seen += 1
        elif word.startswith("if"):
            open_.append(_Condition(seen))
        elif not open_ or not open_[-1].end_branch(seen):
            return None
        elif word == "endif":
            condition = open_.pop()
            if not condition.has_else and condition.after != condition.before:
                return None
        else:
            open_[-1].has_else = word == "else"
            seen = open_[-1].before
    if open_ or not 1 <= seen <= 3:
        return None
    return LaunchSettings(numbered, seen + 1, close)


def _place(event: tuple[int, str]) -> tuple[int, bool]:
    return event[0], not event[1]
