"""Totals of a port: residue, hazards, use of rules and evidence for names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from porter.model.evidence import Collision, Replacement, collisions
from porter.model.moved_header import MovedHeader
from porter.model.overlay import OverlaidFile
from porter.model.rewrite_result import Reason


class ResidueWord(NamedTuple):
    """Occurrences of one word of residue in all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    """`path:line` of the first occurrence in the port."""
    rule: str
    note: str


class HazardTotal(NamedTuple):
    """Occurrences of one kind of hazard in all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    """`path:line` of the first occurrence."""
    note: str


class RuleUse(NamedTuple):
    """Rule with its actual and its expected number of hits."""

    key: str
    origin: str
    hits: int
    wanted: int
    """Smallest number of hits that the rule expects (`expect: min_hits`)."""
    note: str
    since: str = ""
    until: str = ""
    text: str = ""
    """Beginning of the upstream text that a patch changes; empty for other rules."""


class Summary(NamedTuple):
    """Content of the report about a port."""

    target: str
    release: str
    selected: int
    """Number of ported files."""
    edits: int
    residue: dict[Reason, tuple[ResidueWord, ...]]
    hazards: tuple[HazardTotal, ...]
    dead: tuple[RuleUse, ...]
    """Rules without hits, except hazards and rules that a table or a list of names contains."""
    unused_names: dict[str, tuple[int, int]]
    """Maps a mapping file with a table or lists of names to (number of entries, number of entries without hits)."""
    broken: tuple[RuleUse, ...]
    """Rules with fewer hits than expected."""
    names: tuple[Replacement, ...] = ()
    """Replaced names of CUDA, weakest evidence first."""
    sdk: tuple[str, ...] = ()
    """Folders of the SDK whose headers were read as evidence."""
    overlays: Mapping[str, OverlaidFile] = {}
    """Maps an upstream path to the overlays of the file."""
    moved: tuple[MovedHeader, ...] = ()
    """Headers of the selection whose definitions upstream has moved or removed."""

    def places(self, reason: Reason) -> int:
        """Number of occurrences of residue with the given reason."""
        return sum(word.count for word in self.residue.get(reason, ()))

    def collisions(self) -> tuple[Collision, ...]:
        """Target names that replace several names of CUDA."""
        return collisions((one.name, one.becomes, one.evidence) for one in self.names)
