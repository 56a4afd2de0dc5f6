"""What porting one file, and one tree, came to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    """Why vendor text is left."""

    UNMAPPED = "unmapped"
    UNSUPPORTED = "unsupported"
    AMBIGUOUS = "ambiguous"
    IN_STRING = "in_string"
    INTENDED = "intended"


class Edit(NamedTuple):
    """A span of upstream text and what takes its place."""

    start: int
    end: int
    parts: tuple[str | tuple[int, int], ...]
    """New text: literals, and spans of upstream text which are rewritten in turn."""
    rule: int
    """Index into the rule set; -1: the new place of a ported file, or the main header."""
    name: str = ""
    """The identifier that was matched, for bulk rules."""


class Residue(NamedTuple):
    """One vendor word left in one file."""

    reason: Reason
    name: str
    line: int
    """First line in the ported file."""
    places: int
    rule: int = -1
    """The rule that decided so; -1: none matched."""
    note: str = ""


class Hazard(NamedTuple):
    """Text that compiles and may be wrong."""

    name: str
    line: int
    places: int
    rule: int


class Rewrite(NamedTuple):
    """One file rewritten."""

    text: str
    edits: tuple[Edit, ...] = ()
    """In upstream order (after patches); empty means unchanged."""
    hits: Mapping[tuple[int, str], int] = {}
    """(rule, name) -> how often it decided; name is empty but for bulk rules and families."""
    residue: tuple[Residue, ...] = ()
    hazards: tuple[Hazard, ...] = ()
