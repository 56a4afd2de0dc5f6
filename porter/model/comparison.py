"""Differences between the ports of one tree to two targets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple


class Difference(NamedTuple):
    """Span of upstream text whose replacements in two ports differ by more than names.

    A patch of either target is a span of its own, if no other edit crosses it.
    """

    path: str
    """Upstream path."""
    line: int
    """Line of the text in the upstream file, from 1."""
    a: str
    """Replacement in the first target's port."""
    b: str
    rules_a: tuple[str, ...]
    """Keys of the first target's rules that replaced the text; empty when no rule replaced it."""
    rules_b: tuple[str, ...]


class PortComparison(NamedTuple):
    """All differences between the ports of one tree to two targets."""

    files: int
    """Number of files in both ports."""
    only_a: tuple[str, ...]
    """Upstream paths of files that only the first target selects."""
    only_b: tuple[str, ...]
    names: Mapping[str, frozenset[str]]
    """Maps a name in the first target's port to the names that the second target's port has instead."""
    other_words: int
    """Number of differing replacements in comments, literals and include paths."""
    differences: tuple[Difference, ...]

    @property
    def sources(self) -> Mapping[str, frozenset[str]]:
        """Maps a name in the second target's port to the names that the first target's port has instead."""
        found: dict[str, set[str]] = defaultdict(set)
        for name, others in self.names.items():
            for other in others:
                found[other].add(name)
        return {name: frozenset(others) for name, others in found.items()}

    @property
    def several(self) -> Mapping[str, frozenset[str]]:
        """Part of `names`: names with several counterparts in the second target's port."""
        return {name: others for name, others in self.names.items() if len(others) > 1}

    @property
    def merged(self) -> Mapping[str, frozenset[str]]:
        """Part of `sources`: names with several counterparts in the first target's port."""
        return {name: others for name, others in self.sources.items() if len(others) > 1}

    @property
    def one_to_one(self) -> int:
        """Number of pairs of names that correspond only to each other."""
        merged = self.merged
        return sum(
            len(others) == 1 and next(iter(others)) not in merged for others in self.names.values()
        )
