"""Totals of a port: residue, hazards, use of rules and evidence for names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from porter.model.evidence import Collision, Replacement, collisions
from porter.model.moved_header import MovedHeader
from porter.model.overlay import OverlaidFile
from porter.model.rewrite_result import Reason


class ResidueWord(NamedTuple):
    """Totals of one word of residue, over all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    """`path:line` in the port."""
    rule: str
    note: str


class HazardTotal(NamedTuple):
    """Totals of one kind of hazard, over all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    note: str


class RuleUse(NamedTuple):
    """Rule with its number of hits."""

    key: str
    origin: str
    hits: int
    wanted: int
    """Minimum number of hits that the rule expects (`expect: min_hits`)."""
    note: str
    since: str = ""
    until: str = ""
    text: str = ""
    """Beginning of the upstream text that a patch changes; empty for other rules."""


class Summary(NamedTuple):
    """Content of a report."""

    target: str
    release: str
    selected: int
    edits: int
    residue: dict[Reason, tuple[ResidueWord, ...]]
    hazards: tuple[HazardTotal, ...]
    dead: tuple[RuleUse, ...]
    """Rules without hits, except rules of tables and lists of names."""
    unused_names: dict[str, tuple[int, int]]
    """Mapping file with a table or lists of names -> (number of entries, number of entries without hits)."""
    broken: tuple[RuleUse, ...]
    """Rules with fewer hits than expected."""
    names: tuple[Replacement, ...] = ()
    """Replaced names of CUDA, weakest evidence first."""
    sdk: tuple[str, ...] = ()
    """Folders of the SDK whose headers were read as evidence."""
    overlays: Mapping[str, OverlaidFile] = {}
    """Upstream path -> overlays of the file."""
    moved: tuple[MovedHeader, ...] = ()
    """Headers of the selection whose definitions upstream has moved or removed."""

    def places(self, reason: Reason) -> int:
        """Number of places whose residue has the given reason."""
        return sum(word.count for word in self.residue.get(reason, ()))

    def collisions(self) -> tuple[Collision, ...]:
        """Target names that replace several names of CUDA."""
        return collisions((one.name, one.becomes, one.evidence) for one in self.names)
