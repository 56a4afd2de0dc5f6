"""Check of a target's mappings: errors found while loading, and findings of every check in `checks/`."""

from __future__ import annotations

from dataclasses import dataclass

from porter.base.errors import MappingError
from porter.mapping import argument_counts, document, inventory
from porter.mapping.checks import (
    Finding,
    Severity,
    Target,
    areas,
    call_arguments,
    chains,
    dead_rules,
    main_header,
    replacements,
    rival_rules,
    spelling,
)
from porter.mapping.checks import examples as example_checks
from porter.mapping.compile import compile_rules
from porter.mapping.library import MappingLibrary
from porter.mapping.load import Loaded, load
from porter.mapping.source_locations import NameLocations

CHECKS = (
    rival_rules.find,
    chains.find,
    dead_rules.find,
    replacements.find,
    call_arguments.find,
    spelling.find,
    areas.find,
    main_header.find,
    example_checks.find,
)
"""Every check, in the order in which they run."""


@dataclass(frozen=True)
class MappingCheck:
    """Result of checking the mappings of one target: numbers of rules, names and examples, and the findings."""

    target: str
    rules: int
    names: int
    """Number of identifiers that rules list one by one, without the names that regular expressions match."""
    examples: int
    findings: tuple[Finding, ...]
    """Findings, sorted by file and line."""

    def count(self, severity: Severity) -> int:
        """Number of findings of the given severity."""
        return sum(finding.severity is severity for finding in self.findings)


def check(library: MappingLibrary, target: str, loaded: Loaded | None = None) -> MappingCheck:
    """Check all mappings of a target. `loaded` is the result of `load` if the caller has it.

    Raises MappingError, with every error, for mappings that cannot be loaded, and UsageError for an unknown target.
    """
    loaded = loaded or load(library, target)
    names = inventory.read(library.special("cuda", "inventory.json"))
    rules = compile_rules(loaded, names, release="")
    profile_document = document.read(
        library.special(target, "target.yaml"), f"{target}/target.yaml"
    )
    origins, counts = NameLocations(library, target), argument_counts.read(library)
    seen = Target(loaded, rules, names, origins, profile_document, counts)
    findings = {finding: None for find in CHECKS for finding in find(seen)}
    return MappingCheck(
        target=target,
        rules=len(rules.rules),
        names=len(rules.exact),
        examples=sum(rule.example is not None for rule in rules.rules),
        findings=tuple(sorted(findings, key=_by_place)),
    )


def refuse_wrong_rules(library: MappingLibrary, target: str, loaded: Loaded) -> None:
    """Check all mappings of a target. Raises MappingError with the findings of severity `error`, if there are any."""
    found = check(library, target, loaded).findings
    wrong = [finding.problem for finding in found if finding.severity is Severity.ERROR]
    if wrong:
        raise MappingError(wrong)


def _by_place(finding: Finding) -> tuple[str, int, str]:
    file, _, line = finding.problem.place.rpartition(":")
    return file, int(line) if line.isdigit() else 0, finding.problem.text
