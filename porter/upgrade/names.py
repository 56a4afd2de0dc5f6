"""Rows of `porter upgrade` about vendor names that are residue in B but not in A, with proposed rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from porter.mapping.places import Places
from porter.model.rewrite_result import Reason
from porter.model.rules import Origin, RuleSet
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.upgrade.ported import LeftWord, PortedTree

_LEFT = (Reason.UNMAPPED, Reason.AMBIGUOUS, Reason.UNSUPPORTED)
_NEIGHBOURS = 12
"""Number of alphabetical neighbours, before a name and after it, that are searched for an analogy."""
_FIRST_WORD = re.compile(r"_*(?:[A-Z0-9]+_|[A-Z]?[a-z0-9]+_?|[A-Z]+)")
"""First word of a name, which similar names share: `CUDA_` of `CUDA_R_4F_E2M1`, `cuda` of `cudaMalloc`."""


class Proposal(NamedTuple):
    """Proposed replacement of a name, made by analogy with a similar name."""

    name: str
    like: str
    """The similar name, which a rule replaces."""
    origin: Origin
    """File and line of the rule for the similar name. The rule for the new name belongs beside that rule."""


def rows(a: PortedTree, b: PortedTree, rules: RuleSet, places: Places) -> Iterator[UpgradeRow]:
    """Rows about names that are residue in B and are not residue in A for the same reason."""
    known = {(one.reason, one.name) for one in a.left}
    seen = set()
    patterns = Patterns(rules)
    for one in b.left:
        key = (one.reason, one.name)
        if one.reason in _LEFT and key not in known and key not in seen:
            seen.add(key)
            yield _row(one, patterns.proposal(one.name), places)


def _row(one: LeftWord, proposal: Proposal | None, places: Places) -> UpgradeRow:
    upstream = f"{one.path}:{one.line}"
    if one.reason is Reason.UNSUPPORTED:
        advice = f"the target lacks it ({one.note}): decide whether {upstream} is needed"
        return UpgradeRow(
            Subject.NAME, Change.NEW, Effect.CHECK, one.name, "", "", upstream, advice
        )
    if proposal is None:
        advice = f"no pattern fits: add a rule for the word in {upstream}"
        return UpgradeRow(
            Subject.NAME, Change.NEW, Effect.BREAKS, one.name, "", "", upstream, advice
        )
    advice = f"add `{one.name}: {proposal.name}` beside {proposal.like}; first use: {upstream}"
    place = places.of_word(proposal.origin.file, proposal.like, proposal.origin.line)
    return UpgradeRow(
        Subject.NAME, Change.NEW, Effect.BREAKS, one.name, "", proposal.name, place, advice
    )


class Patterns:
    """Proposes replacements by analogy with the replacements in a rule set."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._new = {
            name: found[0]
            for name, found in rules.exact.items()
            if found and found[0].replace and found[0].replace != name
        }
        self._sorted = sorted(self._new)

    def proposal(self, name: str) -> Proposal | None:
        """Replacement that most alphabetical neighbours of `name` suggest; None if no neighbour is similar."""
        at = bisect_left(self._sorted, name)
        near = self._sorted[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
        first = _FIRST_WORD.match(name)
        least = len(first[0]) if first else len(name)
        votes: Counter[str] = Counter()
        like: dict[str, str] = {}
        for other in near:
            common = _shared(name, other)
            replaced = self._new[other].replace or ""
            made = _alike(name, other, replaced)
            if common >= least and made:
                votes[made] += common
                best = like.get(made)
                if best is None or common > _shared(name, best):
                    like[made] = other
        if not votes:
            return None
        made = votes.most_common(1)[0][0]
        rule = self._rules.rules[self._new[like[made]].rule]
        return Proposal(made, like[made], rule.origin)


def _shared(one: str, other: str) -> int:
    """Length of the longest common prefix of two texts."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _alike(name: str, other: str, replaced: str) -> str:
    """Replacement of `name`, made by the change of prefix that turns `other` into `replaced`.

    Empty if `name` does not begin with the changed prefix.
    """
    tail = _shared(other[::-1], replaced[::-1])
    old, new = other[: len(other) - tail], replaced[: len(replaced) - tail]
    if old and name.startswith(old):
        return new + name[len(old) :]
    return ""
