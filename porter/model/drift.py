"""Drift, the difference between two ports, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from porter.model.lock import LockedFile
from porter.model.rewrite_result import Reason


class DriftCause(StrEnum):
    """Cause of a difference between two ported files."""

    UPSTREAM = "upstream"
    """The upstream files differ."""
    RULES = "rules"
    """The rules rewrote the same upstream file differently."""
    HAND = "hand"
    """A user changed one of the two ported files."""


@dataclass(frozen=True, slots=True)
class FileDrift:
    """File of both ports whose content or path differs."""

    before: LockedFile
    after: LockedFile
    cause: DriftCause
    text: str | None = None
    """Unified diff; None when the texts are equal or one of the texts is unavailable."""

    @property
    def moved(self) -> bool:
        """Test whether the upstream path or the ported path differs."""
        return (self.before.path, self.before.to) != (self.after.path, self.after.to)

    @property
    def rewritten(self) -> bool:
        """Test whether the upstream text, the ported text or the number of edits differs."""
        return (self.before.sha_in, self.before.sha_out, self.before.edits) != (
            self.after.sha_in,
            self.after.sha_out,
            self.after.edits,
        )


@dataclass(frozen=True, slots=True)
class CountPair:
    """Name with its count in the first port and in the second port."""

    name: str
    before: int
    after: int
    place: str = ""
    """`path:line` of the first occurrence in the second port; if the second port has none, in the first port. Empty if
    unknown."""


@dataclass(frozen=True, slots=True)
class RuleDrift:
    """Rule with a different number of hits in the two ports."""

    rule: str
    """Key of the rule."""
    before: int
    after: int
    names: tuple[CountPair, ...] = ()
    """Names with different hits, for a rule about several names (`names`, `family`)."""


@dataclass(frozen=True)
class Drift:
    """All differences between two ports. Pairs hold the first port's value and the second port's value."""

    target: tuple[str, str]
    release: tuple[str, str]
    totals: tuple[CountPair, ...]
    """Numbers of files, edits, residue places by reason, and hazard places by hazard; equal numbers are included."""
    added: tuple[LockedFile, ...] = ()
    removed: tuple[LockedFile, ...] = ()
    changed: tuple[FileDrift, ...] = ()
    """Changed or moved files, sorted by upstream path."""
    rules: tuple[RuleDrift, ...] = ()
    residue: Mapping[Reason, tuple[CountPair, ...]] = field(default_factory=dict)
    """Reason -> words whose number of places differs."""
    hazards: Mapping[str, tuple[CountPair, ...]] = field(default_factory=dict)
    """Hazard -> ported paths of the files in which the number of the hazard's places differs."""

    @property
    def equal(self) -> bool:
        """Test whether the two ports are equal."""
        return (
            self.target[0] == self.target[1]
            and self.release[0] == self.release[1]
            and not (self.added or self.removed or self.changed)
            and not (self.rules or self.residue or self.hazards)
        )
