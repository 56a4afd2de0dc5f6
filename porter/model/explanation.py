"""Results of `porter explain`. For a name: the rules that match it. For a file: edits, residue and hazards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RuleRef:
    """Rule as `porter explain` shows it."""

    kind: str
    match: str
    origin: str
    """`file:line` of the rule in the mappings; for the main header, the file alone."""
    layer: str
    area: str
    note: str = ""
    key: str = ""
    """Unique identifier of the rule (`Rule.key`); empty for the main header."""


@dataclass(frozen=True)
class Candidate:
    """Rule that matches a name, and the effect of the rule on the name."""

    about: str
    """Name that the rule matches; for a qualified name `a::b`, the matched part."""
    rule: RuleRef
    status: str
    becomes: str | None
    """New name; None when the name is not replaced."""
    where: str
    """Description of the text to which the rule applies: `in code and conditions`."""
    decides: bool
    """False when rules of higher precedence decide in all text to which the rule applies."""


@dataclass(frozen=True)
class ExplainedPlace:
    """Edit, patch, residue or hazard in a file, with its position."""

    kind: str
    """`edit`, `patch`, `left` (residue) or `hazard`."""
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
    """Reason for the edit, residue or hazard, with the note of the rule; may be empty."""


@dataclass(frozen=True)
class FileExplained:
    """Upstream text and ported text of one file, with all edits, residue and hazards."""

    upstream: str
    ported: str
    places: tuple[ExplainedPlace, ...]
    """Edits, patches, residue and hazards, sorted by line and column."""
    lines: tuple[tuple[int, int], ...]
    """Pair (upstream line, ported line) for each line of the patched upstream text. The ported line is 0 for a line
    that the port removes."""
