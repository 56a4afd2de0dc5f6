"""Checks of well-formed mappings, one module for each kind of finding.

A check is a function from `Target` to findings. `CHECKS` in `porter/mapping/check.py` lists all checks.

May import: the packages that `porter.mapping` may import.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from porter.base.errors import Problem
from porter.mapping.argument_counts import ArgumentCounts
from porter.mapping.document import Document
from porter.mapping.inventory import Inventory
from porter.mapping.load import Loaded, LoadedEntry
from porter.mapping.newer_names import is_about_newer
from porter.mapping.schema import RuleEntry
from porter.mapping.source_locations import NameLocations
from porter.model.rules import Origin, Rule, RuleSet
from porter.rewrite.kinds import order


class Severity(StrEnum):
    """Severity of a finding: an error means a wrong port; a warning means a useless or doubtful rule."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """Result of a check: one problem in a mapping file."""

    severity: Severity
    check: str
    """Name of the check: `duplicate`, `chain` ..."""
    problem: Problem


def error(check: str, place: Origin | str, text: str, help: str = "") -> Finding:
    """Create a finding of severity `error`: with this rule, the port would be wrong."""
    return Finding(Severity.ERROR, check, Problem(text, str(place), help))


def warning(check: str, place: Origin | str, text: str, help: str = "") -> Finding:
    """Create a finding of severity `warning`: the rule is useless or doubtful."""
    return Finding(Severity.WARNING, check, Problem(text, str(place), help))


@dataclass(frozen=True)
class Target:
    """Mappings of one target, as input of the checks.

    Iteration yields (rule, mapping entry) for each rule, without the generated rules for newer names.
    """

    loaded: Loaded
    rules: RuleSet
    """Rule set with the rules for all releases."""
    inventory: Inventory
    origins: NameLocations
    profile_document: Document
    arguments: ArgumentCounts

    @cached_property
    def written(self) -> tuple[RuleEntry, ...]:
        """Mapping entries of the rules, in the order of the rules, without the generated rules for newer names."""
        by_place: dict[tuple[Origin, str], deque[LoadedEntry]] = defaultdict(deque)
        for entry in self.loaded.entries:
            by_place[entry.origin, entry.kind].append(entry)
        # One line of JSON may contain several rules of a kind; rules and entries are paired in their order.
        return tuple(by_place[rule.origin, rule.kind].popleft().model for rule in self._of_entries)

    @cached_property
    def _of_entries(self) -> list[Rule]:
        """Rules from mapping entries, without the generated rules for newer names."""
        return [rule for rule in self.rules.rules if not is_about_newer(rule)]

    def __iter__(self) -> Iterator[tuple[Rule, RuleEntry]]:
        return zip(self._of_entries, self.written, strict=True)


def title(rule: Rule, name: str = "") -> str:
    """Title of a rule in messages: `name 'cudaMalloc'`, `launch`."""
    shown = name or rule.match
    if order.kind(rule.kind).is_construct or not shown:
        return f"'{rule.kind}'"
    return f"{'name' if name else rule.kind} '{shown}'"
