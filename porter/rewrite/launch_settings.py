"""Settings of a kernel launch: the commas between `<<<` and `>>>`.

    fill<<<grid,
    #ifdef SMALL
      32
    #else
      256
    #endif
      >>>(p);

A preprocessor condition may select among settings. If its branches have different numbers of commas, the settings that
a branch omits receive their defaults; such a condition must contain the last comma.
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
    """Number of settings, with the omitted settings in `defaults`: 2 to 4."""
    close: Token
    """The token `>>>`."""
    defaults: list[tuple[int, int]]
    """Omitted settings: the offset at which the default belongs, and the number of the comma before the default."""
    overrides: bool
    """True if a comma and a setting that replaces the default may follow the default."""


class _Branch(NamedTuple):
    """Branch of a preprocessor condition."""

    tokens: Sequence[Token]
    seen: int
    """Number of commas from `<<<` to the end of the branch."""
    ends_condition: bool
    """True if the branch ends with another condition."""


class _Condition:
    """Preprocessor condition whose branches are being read."""

    def __init__(self, before: int, begin: int, begins_after_condition: bool) -> None:
        self.before = before
        """Number of commas before the condition."""
        self.first = self.begin = begin
        """Indexes of the first token of the condition and of the current branch."""
        self.begins_after_condition = begins_after_condition
        """True if no token lies between another condition and this one."""
        self.branches: list[_Branch] = []
        self.has_else = False

    def end_branch(self, branch: _Branch) -> None:
        """End the current branch."""
        self.branches.append(branch)
        self.begin += len(branch.tokens)

    def is_uniform(self) -> bool:
        """Test whether the number of commas does not depend on the condition."""
        counts = {branch.seen for branch in self.branches}
        return len(counts) == 1 and (self.has_else or self.before in counts)

    def adds_one(self) -> bool:
        """Test whether each branch is empty or consists of a comma and one setting."""
        return all(
            branch.seen == self.before + bool(branch.tokens)
            and (not branch.tokens or branch.tokens[0].text == ",")
            for branch in self.branches
        )

    def omitted(self) -> list[tuple[int, int]]:
        """Settings that branches omit, as in `LaunchSettings.defaults`; empty if a branch cannot receive them."""
        most = max(branch.seen for branch in self.branches)
        found: list[tuple[int, int]] = []
        for branch in self.branches:
            if branch.seen == most:
                continue
            if not branch.tokens or branch.tokens[-1].text == "," or branch.ends_condition:
                return []
            found += [(branch.tokens[-1].end, number) for number in range(branch.seen, most)]
        return found if self.has_else else []


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
    numbering = _Numbering(loud)
    # At one index, conditions precede the token.
    for index, word in sorted([*conditions, *((at, "") for at in found)], key=_place):
        if not (numbering.condition(index, word) if word else numbering.comma(index)):
            return None
    if numbering.open or not 1 <= numbering.seen <= 3:
        return None
    given = numbering.seen + 1
    return LaunchSettings(numbering.numbered, given, close, numbering.defaults, numbering.overrides)


class _Numbering:
    """Numbers of the commas, for all branches of the conditions. The methods return False for settings without port."""

    def __init__(self, loud: Sequence[Token]) -> None:
        self.seen = 0
        """Number of commas up to the current token, on the path through the last branches."""
        self.numbered: list[tuple[Token, int]] = []
        self.defaults: list[tuple[int, int]] = []
        self.overrides = False
        self.open: list[_Condition] = []
        self._loud = loud
        self._ends: set[int] = set()
        """Indexes of the tokens after conditions."""

    def comma(self, index: int) -> bool:
        """Count the comma at `index`."""
        self.numbered.append((self._loud[index], self.seen))
        self.seen += 1
        return not self.defaults

    def condition(self, index: int, word: str) -> bool:
        """Begin or end a branch before the token at `index`."""
        if word.startswith("if"):
            self.open.append(_Condition(self.seen, index, index in self._ends))
            return True
        if not self.open:
            return False
        current = self.open[-1]
        tokens = self._loud[current.begin : index]
        current.end_branch(_Branch(tokens, self.seen, index in self._ends))
        if word != "endif":
            current.has_else = word == "else"
            self.seen = current.before
            return True
        self.open.pop()
        self._ends.add(index)
        return current.is_uniform() or self._differing(current)

    def _differing(self, condition: _Condition) -> bool:
        """Complete the settings of a condition whose branches have different numbers of them."""
        if self.open or self.defaults or condition.before < 1:
            return False
        if condition.adds_one():
            before = self._loud[condition.first - 1]
            if before.text == "," or condition.begins_after_condition:
                return False
            self.numbered = [one for one in self.numbered if one[0].start < before.end]
            self.defaults = [(before.end, condition.before)]
            self.overrides = True
            self.seen = condition.before + 1
            return True
        self.defaults = condition.omitted()
        self.seen = max(branch.seen for branch in condition.branches)
        return bool(self.defaults)


def _place(event: tuple[int, str]) -> tuple[int, bool]:
    return event[0], not event[1]
