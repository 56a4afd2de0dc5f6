"""Evidence that a target declares the names in a port.

A name is guessed by a pattern, listed by the target, or seen in the SDK's headers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Evidence(StrEnum):
    """Grade of certainty that the target declares a name, in order from weakest to strongest."""

    GUESSED = "guessed"
    LISTED = "listed"
    SEEN = "seen"

    def is_at_least(self, wanted: Evidence) -> bool:
        """Test whether the grade is as strong as `wanted` or stronger."""
        order = list(Evidence)
        return order.index(self) >= order.index(wanted)


MEANING = {
    Evidence.GUESSED: "from a family, or from a rule that all targets share; the target may lack the name",
    Evidence.LISTED: "from a table or a rule of the target",
    Evidence.SEEN: "found in the headers of the target's SDK",
}
"""Meaning of each grade in reports."""


class Replacement(NamedTuple):
    """CUDA name, the target name that replaces it, and the number of replacements in a port."""

    name: str
    """CUDA's spelling; for a rule about calls or headers, the text that the rule matches."""
    becomes: str
    evidence: Evidence
    rule: str
    """Key of the rule."""
    places: int
    """Number of hits."""
    files: int
    """Number of files with hits."""


class Collision(NamedTuple):
    """Target name that replaces several of CUDA's names."""

    becomes: str
    names: tuple[str, ...]
    """CUDA's names, sorted."""
    guessed: int
    """Number of items in `names` whose replacement is guessed."""


def collisions(found: Iterable[tuple[str, str, Evidence]]) -> tuple[Collision, ...]:
    """Collisions among the replacements `found`. A replacement is given as (CUDA's name, target name, evidence).

    Collisions with the most guessed names come first: a guess may have given one name to two different functions.
    """
    names: dict[str, dict[str, Evidence]] = defaultdict(dict)
    for name, becomes, evidence in found:
        names[becomes][name] = evidence
    collided = [
        Collision(becomes, tuple(sorted(of)), sum(e is Evidence.GUESSED for e in of.values()))
        for becomes, of in names.items()
        if len(of) > 1
    ]
    return tuple(sorted(collided, key=lambda one: (-one.guessed, one.becomes)))
