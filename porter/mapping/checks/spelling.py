"""Check for misspelt names of the target: names with a part that occurs in no other name.

In `cudaMalloc -> acmeMaloc`, the part `maloc` occurs neither in CUDA's names nor in another name of the target.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from porter.base.errors import did_you_mean
from porter.mapping.checks import Finding, Target, warning
from porter.model.rules import Layer, Rule

CHECK = "spelling"
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
"""Part of an identifier in camel case or snake case: `cuda`, `Malloc`, `2`, `D`."""
_ENOUGH = 50
"""Smallest number of names for the check: among fewer names, a part that occurs once is normal."""


class _Name(NamedTuple):
    """A CUDA name, the target's name that replaces it, and the rule."""

    name: str
    new: str
    rule: Rule

    @property
    def added(self) -> Counter[str]:
        """Parts of the target's name that CUDA's name lacks."""
        return _parts(self.new) - _parts(self.name)


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each replacement with a part that occurs in no CUDA name and in no other name of the target.

    The profile's `spelling` lists parts that are correct although no further name has them.
    """
    profile = target.loaded.profile
    guards = {guard.macro for guard in profile.guards.values()}
    names = [one for one in _names(target) if one.new not in guards and not one.rule.note]
    if len(names) < _ENOUGH:
        return
    occurrences = Counter(part for one in names for part in one.added)
    own = {part for part, count in occurrences.items() if count > 1}
    own |= {one.lower.lower() for one in profile.libraries.values() if one.lower}
    known = own | {part for name in target.inventory.area_of() for part in _parts(name)}
    for one in names:
        for part in one.added:
            if part in known or part in profile.spelling or _is_composed(part, one.name, own):
                continue
            text = f"'{one.name}' becomes '{one.new}': '{part}' is in no other name"
            help = did_you_mean(part, known)
            help = help or f"correct the name, or add '{part}' to `spelling` of target.yaml"
            yield warning(CHECK, target.origins.of(one.rule, one.name), text, help)


def _is_composed(part: str, name: str, own: AbstractSet[str]) -> bool:
    """Test whether a part consists of one of the target's words and the end of a part of CUDA's name.

    In `mublasapi`, which replaces `cublasapi`, the target's word is `mublas`.
    """
    theirs = tuple(_parts(name))
    cuts = range(1, len(part))
    return any(part[:at] in own and any(one.endswith(part[at:]) for one in theirs) for at in cuts)


def _names(target: Target) -> Iterator[_Name]:
    """Yield each name that the target's own rules list and replace, once."""
    for name, resolutions in target.rules.exact.items():
        rule = target.rules.rules[resolutions[0].rule]
        new = resolutions[0].replace
        if rule.layer is Layer.TARGET and new and new != name:
            yield _Name(name, new, rule)


def _parts(name: str) -> Counter[str]:
    return Counter(part.lower() for part in _PART.findall(name))
