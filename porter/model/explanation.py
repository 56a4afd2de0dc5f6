"""Results of `porter explain`: candidate rules for a name; edits, residue and hazards of a file with their rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RuleRef:
    """Reference to a rule in a result of `porter explain`."""

    kind: str
    match: str
    origin: str
    layer: str
    area: str
    note: str = ""


@dataclass(frozen=True)
class Candidate:
    """Rule that could apply to a name."""

    about: str
    """Name that the rule matches; for a qualified name `a::b`, the matched part."""
    rule: RuleRef
    status: str
    becomes: str | None
    """New name; None when the name is not replaced."""
    where: str
    """Description of the places in which the rule applies."""
    decides: bool
    """False when rules of higher precedence decide at all places in which the rule applies."""


@dataclass(frozen=True)
class ExplainedPlace:
    """Edit, residue or hazard at a place of a file."""

    kind: str
    """`edit`, `patch`, `left` or `hazard`."""
    line: int
    """First line in the upstream file, from 1."""
    ported_line: int
    """First line in the ported file, from 1."""
    lines: int
    """Number of upstream lines."""
    column: int
    """First column in the upstream line, from 1."""
    before: str
    after: str
    rules: tuple[RuleRef, ...]
    """Rules that matched; may be empty."""
    why: str
    """Reason and note."""


@dataclass(frozen=True)
class FileExplained:
    """Upstream text and ported text of one file, with all places and the mapping of lines."""

    upstream: str
    ported: str
    places: tuple[ExplainedPlace, ...]
    """Places in the order of the file."""
    lines: tuple[tuple[int, int], ...]
    """Pair (upstream line, ported line) for each line of the patched upstream text; 0 when a file lacks the line."""
