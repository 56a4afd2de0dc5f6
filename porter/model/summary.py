"""A port in figures: residue, hazards, use of rules and evidence for names."""

from __future__ import annotations

from typing import NamedTuple

from porter.model.evidence import Collision, Replacement, collisions
from porter.model.port import Reason


class ResidueWord(NamedTuple):
    """One vendor word that is left, over all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    """`path:line` in the port."""
    rule: str
    note: str


class HazardTotal(NamedTuple):
    """One kind of hazard, over all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    note: str


class RuleUse(NamedTuple):
    """A rule and how often it decided."""

    key: str
    origin: str
    hits: int
    wanted: int
    """`expect: min_hits`."""
    note: str
    since: str = ""
    until: str = ""
    text: str = ""
    """First words of the upstream text that a patch changes."""


class Summary(NamedTuple):
    """Everything a report says."""

    target: str
    release: str
    selected: int
    edits: int
    residue: dict[Reason, tuple[ResidueWord, ...]]
    hazards: tuple[HazardTotal, ...]
    dead: tuple[RuleUse, ...]
    """Rules written singly that decided nothing."""
    unused_names: dict[str, tuple[int, int]]
    """Tables and lists of names: file -> (entries, entries never met)."""
    broken: tuple[RuleUse, ...]
    """Rules that met less than they expect."""
    names: tuple[Replacement, ...] = ()
    """CUDA's names that were replaced, weakest evidence first."""
    sdk: tuple[str, ...] = ()
    """Folders of the SDK whose headers were read for evidence."""

    def places(self, reason: Reason) -> int:
        """Places left for a reason."""
        return sum(word.count for word in self.residue.get(reason, ()))

    def collisions(self) -> tuple[Collision, ...]:
        """Target names that several of the replaced names became."""
        return collisions((one.name, one.becomes, one.evidence) for one in self.names)
