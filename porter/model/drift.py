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
    """File that both ports have, with different content or paths."""

    before: LockedFile
    after: LockedFile
    cause: DriftCause
    text: str | None = None
    """Unified diff; None when the texts are equal or one of the texts is unavailable."""

    @property
    def moved(self) -> bool:
        """Test whether the two ports have different upstream paths or ported paths for the file."""
        return (self.before.path, self.before.to) != (self.after.path, self.after.to)

    @property
    def rewritten(self) -> bool:
        """Test whether the upstream texts, the ported texts or the numbers of edits differ."""
        return (self.before.sha_in, self.before.sha_out, self.before.edits) != (
            self.after.sha_in,
            self.after.sha_out,
            self.after.edits,
        )


@dataclass(frozen=True, slots=True)
class CountPair:
    """Count in the first port and in the second port, with the name of what is counted."""

    name: str
    """Word, name in a rule, reason, hazard, ported path, `files` or `edits`."""
    before: int
    after: int
    place: str = ""
    """`path:line` of a word's first occurrence in the second port or, if the second port lacks the word, in the first
    port. Empty if unknown."""


@dataclass(frozen=True, slots=True)
class RuleDrift:
    """Rule with a different number of hits in the two ports."""

    rule: str
    """Key of the rule."""
    before: int
    after: int
    names: tuple[CountPair, ...] = ()
    """For a rule about several names (`names`, `family`): the names whose numbers of hits differ."""


@dataclass(frozen=True)
class Drift:
    """All differences between two ports. A pair is (value in the first port, value in the second port)."""

    target: tuple[str, str]
    release: tuple[str, str]
    totals: tuple[CountPair, ...]
    """Numbers of files and edits, of residue for each reason, and of each hazard. Equal numbers are included."""
    added: tuple[LockedFile, ...] = ()
    removed: tuple[LockedFile, ...] = ()
    changed: tuple[FileDrift, ...] = ()
    """Changed or moved files, sorted by upstream path."""
    rules: tuple[RuleDrift, ...] = ()
    residue: Mapping[Reason, tuple[CountPair, ...]] = field(default_factory=dict)
    """Maps a reason to the words of residue whose numbers of occurrences differ."""
    hazards: Mapping[str, tuple[CountPair, ...]] = field(default_factory=dict)
    """Maps a hazard to the ported paths in which its numbers of occurrences differ."""

    @property
    def equal(self) -> bool:
        """Test whether the two ports are equal."""
        return (
            self.target[0] == self.target[1]
            and self.release[0] == self.release[1]
            and not (self.added or self.removed or self.changed)
            and not (self.rules or self.residue or self.hazards)
        )
