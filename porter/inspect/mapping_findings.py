"""Findings of `porter mapping check` for several targets, in rule files and in other mapping files."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from porter.base.errors import MappingError, Problem
from porter.inspect import target_files
from porter.mapping.check import MappingCheck, check
from porter.mapping.checks import Finding, Severity
from porter.mapping.library import MappingLibrary


class CheckedMappings(NamedTuple):
    """Results of checking the mappings of some targets."""

    done: tuple[MappingCheck, ...]
    """Results for the targets whose mappings could be loaded."""
    findings: tuple[Finding, ...]
    """Findings of all targets. A finding in a file that several targets share appears once."""
    refused: tuple[Problem, ...]
    """Errors in files that could not be loaded."""

    @property
    def errors(self) -> list[Problem]:
        """Problems that make a port wrong or impossible."""
        return [*self.refused, *(f.problem for f in self.findings if f.severity is Severity.ERROR)]

    def with_findings(self, target: str, more: Sequence[Finding]) -> CheckedMappings:
        """Copy with additional findings about a target."""
        done = tuple(
            dataclasses.replace(one, findings=(*one.findings, *more))
            if one.target == target
            else one
            for one in self.done
        )
        return self._replace(done=done, findings=(*self.findings, *more))

    @property
    def warnings(self) -> list[Problem]:
        """Problems of rules without effect."""
        return [f.problem for f in self.findings if f.severity is Severity.WARNING]


def check_targets(library: MappingLibrary, targets: Iterable[str]) -> CheckedMappings:
    """Check the mappings of targets, and return the results. Raises UsageError for an unknown target."""
    done: list[MappingCheck] = []
    refused: dict[Problem, None] = {}
    for name in targets:
        try:
            done.append(check(library, name))
        except MappingError as error:
            refused.update(dict.fromkeys(error.problems))
        refused.update(dict.fromkeys(target_files.problems(library, name)))
    findings = dict.fromkeys(finding for found in done for finding in found.findings)
    return CheckedMappings(tuple(done), tuple(findings), tuple(refused))
