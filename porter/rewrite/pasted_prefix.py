"""Replacement of a prefix that begins many names of CUDA: `cuda` of `cudaMalloc`, `cudaFree` ..."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from porter.model.rules import Resolution
from porter.rewrite.resolver import Resolver

_AGREEMENT = 0.9
"""Share of the renamed names that must have the same new prefix."""
_VERSIONED = re.compile(r"_v[0-9]+\Z")
"""End of names that CUDA's macros insert; programs do not paste them."""
_SAMPLES = ("Xx", "_XX")


class Prefix(NamedTuple):
    """New text of a prefix, with an example of a name and its rule."""

    text: str
    example: str
    rule: int


def prefix_of(new: str, rest: str) -> str | None:
    """Beginning of the name `new` before `rest`; None if the name does not end in `rest`, or is `rest`."""
    before = new.removesuffix(rest)
    return before if rest and before and before != new else None


def common_prefix(resolver: Resolver, word: str) -> Prefix | None:
    """New text for a prefix, if the rules rename nearly all names that begin with it in the same way; else None.

    Rules that are limited to some files, and names that the target lacks, do not count. None if the project declares a
    name that begins with the prefix.
    """
    if resolver.owners and any(_begins(name, word) for name in resolver.owners.names.own):
        return None
    found: Counter[str | None] = Counter()
    examples: dict[str, Prefix] = {}
    names = [name for name in resolver.rules.exact if _begins(name, word)]
    for name in sorted(names) + [word + end for end in _SAMPLES]:
        verdict = resolver.verdict(name)
        chosen: Resolution | None = (*verdict.exact, verdict.family)[0]
        if not chosen or chosen.replace is None or _VERSIONED.search(name):
            continue
        new = prefix_of(chosen.replace, name[len(word) :])
        found[new] += 1
        if new:
            examples.setdefault(new, Prefix(new, name, chosen.rule))
    for new, count in found.most_common(1):
        if new and count >= _AGREEMENT * found.total():
            return examples[new]
    return None


def _begins(name: str, word: str) -> bool:
    """Test whether a name begins with a prefix and continues with another part of a name."""
    rest = name.removeprefix(word)
    return rest not in ("", name) and (word.endswith("_") or not rest[0].islower())
