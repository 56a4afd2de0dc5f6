"""Answers of `porter explain`: rules, candidates for a name, and what happened at each place of a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RuleRef:
    """A rule, as an answer names it."""

    kind: str
    match: str
    origin: str
    layer: str
    area: str
    note: str = ""


@dataclass(frozen=True)
class Candidate:
    """A rule that could decide about a name."""

    about: str
    """The name; of a chain `a::b` the part that the rule is about."""
    rule: RuleRef
    status: str
    becomes: str | None
    """None: the name stays."""
    where: str
    """In what places the rule applies."""
    decides: bool
    """False: stronger rules leave it no place."""


@dataclass(frozen=True)
class ExplainedPlace:
    """Something that was done, left or may be wrong, at a place of a file."""

    kind: str
    """`edit`, `patch`, `left` or `hazard`."""
    line: int
    """In the upstream file, from 1."""
    ported_line: int
    lines: int
    """How many lines it spans."""
    column: int
    """Where it begins in its upstream line, from 1."""
    before: str
    after: str
    rules: tuple[RuleRef, ...]
    """Empty: none matched."""
    why: str
    """Reason and note."""


@dataclass(frozen=True)
class FileExplained:
    """One file, before and after, and what lies between."""

    upstream: str
    ported: str
    places: tuple[ExplainedPlace, ...]
    """In order."""
    lines: tuple[tuple[int, int], ...]
    """Line upstream and in the port, of each line of the patched text; 0: it is not in the port."""
