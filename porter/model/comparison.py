"""Comparison of the ports of one tree to two targets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple


class Difference(NamedTuple):
    """Place at which two ports differ by more than the replacement of one name by another."""

    path: str
    """Upstream path."""
    line: int
    """Line of the upstream text."""
    a: str
    """Text in the first target's port."""
    b: str
    rules_a: tuple[str, ...]
    """Keys of the first target's rules that changed the place; empty when no rule changed it."""
    rules_b: tuple[str, ...]


class PortComparison(NamedTuple):
    """All differences of two ports of a tree."""

    files: int
    """Number of files in both ports."""
    only_a: tuple[str, ...]
    """Upstream paths of files that only the first target selects."""
    only_b: tuple[str, ...]
    names: Mapping[str, frozenset[str]]
    """Name in the first target's port -> the different names at the same places in the second target's port."""
    other_words: int
    """Number of places in comments, literals and include paths at which one word differs."""
    differences: tuple[Difference, ...]

    @property
    def sources(self) -> Mapping[str, frozenset[str]]:
        """Name in the second target's port -> the different names at the same places in the first target's port."""
        found: dict[str, set[str]] = defaultdict(set)
        for name, others in self.names.items():
            for other in others:
                found[other].add(name)
        return {name: frozenset(others) for name, others in found.items()}

    @property
    def several(self) -> Mapping[str, frozenset[str]]:
        """Part of `names`: names to which several names in the second target's port correspond."""
        return {name: others for name, others in self.names.items() if len(others) > 1}

    @property
    def merged(self) -> Mapping[str, frozenset[str]]:
        """Part of `sources`: names to which several names in the first target's port correspond."""
        return {name: others for name, others in self.sources.items() if len(others) > 1}

    @property
    def one_to_one(self) -> int:
        """Number of names with one counterpart in both directions."""
        merged = self.merged
        return sum(
            len(others) == 1 and next(iter(others)) not in merged for others in self.names.values()
        )
