"""Result of rewriting one file: edits, rule hits, residue and hazards."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    """Reason why vendor text is left unchanged."""

    UNMAPPED = "unmapped"
    UNSUPPORTED = "unsupported"
    AMBIGUOUS = "ambiguous"
    IN_STRING = "in_string"
    INTENDED = "intended"
    OWN = "own"
    """The project declares the word itself. Only ports of projects other than PyTorch have this reason."""
    FOREIGN = "foreign"
    """Neither the project nor the headers of CUDA and PyTorch declare the word. Only ports of projects other than
    PyTorch have this reason."""


OF_PROJECTS = frozenset((Reason.OWN, Reason.FOREIGN))
"""Reasons that only ports of projects other than PyTorch have."""


class Edit(NamedTuple):
    """Replacement of one span of upstream text."""

    start: int
    end: int
    parts: tuple[str | tuple[int, int], ...]
    """New text: literal strings, and upstream spans (start, end), in which further edits apply."""
    rule: int
    """Index of the rule in the rule set; -1 for an added include, for a blank line that is removed in exchange for it,
    for the new path of a ported file, and for an added `template`."""
    name: str = ""
    """Matched identifier, for a rule about several names (`names`, `family`)."""


class Residue(NamedTuple):
    """Vendor word left unchanged in one file."""

    reason: Reason
    name: str
    line: int
    """Line of the first occurrence in the ported file, from 1."""
    places: int
    """Number of occurrences in the file."""
    rule: int = -1
    """Index of the deciding rule; -1 when no rule matched."""
    note: str = ""


class Hazard(NamedTuple):
    """Text that compiles and may be wrong, in one file."""

    name: str
    line: int
    places: int
    rule: int


class Rewrite(NamedTuple):
    """Result of rewriting one file."""

    text: str
    edits: tuple[Edit, ...] = ()
    """Edits in the order of the patched upstream text; empty when the text is unchanged."""
    hits: Mapping[tuple[int, str], int] = {}
    """Maps (index of the rule, name) to the number of hits. The name is empty except for rules about several names
    (`names`, `family`)."""
    residue: tuple[Residue, ...] = ()
    hazards: tuple[Hazard, ...] = ()
