"""How two ports differ: drift, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from porter.model.lock import LockedFile
from porter.model.port import Reason


class DriftCause(StrEnum):
    """Why a ported file differs."""

    UPSTREAM = "upstream"
    """Upstream's file differs."""
    RULES = "rules"
    """The same upstream file came out differently."""
    HAND = "hand"
    """The ported file is not as porter wrote it."""


@dataclass(frozen=True, slots=True)
class FileDrift:
    """A file that both ports have, and that differs or lies elsewhere."""

    before: LockedFile
    after: LockedFile
    cause: DriftCause
    text: str | None = None
    """Unified text, when both texts are at hand and differ."""

    @property
    def moved(self) -> bool:
        """Whether the upstream or the ported path differs."""
        return (self.before.path, self.before.to) != (self.after.path, self.after.to)

    @property
    def rewritten(self) -> bool:
        """Whether upstream's text, the ported text or the edits between them differ."""
        return (self.before.sha_in, self.before.sha_out, self.before.edits) != (
            self.after.sha_in,
            self.after.sha_out,
            self.after.edits,
        )


@dataclass(frozen=True, slots=True)
class CountPair:
    """How often something was found in the one port and in the other."""

    name: str
    before: int
    after: int
    place: str = ""
    """`path:line` of the first one in the port, where that is known: the second port's, or the
    first's when it is in the first only."""


@dataclass(frozen=True, slots=True)
class RuleDrift:
    """A rule that decided other things, or other numbers of them."""

    rule: str
    """Its key."""
    before: int
    after: int
    names: tuple[CountPair, ...] = ()
    """The names that differ, for bulk rules and families."""


@dataclass(frozen=True)
class Drift:
    """Everything in which two ports differ; empty when they are equal."""

    target: tuple[str, str]
    release: tuple[str, str]
    totals: tuple[CountPair, ...]
    """Files, edits, places of residue by reason and of hazards by name, equal ones included."""
    added: tuple[LockedFile, ...] = ()
    removed: tuple[LockedFile, ...] = ()
    changed: tuple[FileDrift, ...] = ()
    """By upstream path; files that only moved included."""
    rules: tuple[RuleDrift, ...] = ()
    residue: Mapping[Reason, tuple[CountPair, ...]] = field(default_factory=dict)
    """Reasons for which something differs."""
    hazards: Mapping[str, tuple[CountPair, ...]] = field(default_factory=dict)
    """Hazard -> ported paths in which its places differ in number."""

    @property
    def equal(self) -> bool:
        """Whether the ports do not differ at all."""
        return (
            self.target[0] == self.target[1]
            and self.release[0] == self.release[1]
            and not (self.added or self.removed or self.changed)
            and not (self.rules or self.residue or self.hazards)
        )
