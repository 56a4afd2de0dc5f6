"""Results of `porter mapping check` as a table and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from porter.base.errors import Problem
from porter.mapping.check import MappingCheck
from porter.mapping.checks import Finding, Severity
from porter.report.tables import Line, Table, aligned


def document(
    done: Sequence[MappingCheck], findings: Sequence[Finding], refused: Sequence[Problem]
) -> dict[str, Any]:
    """Plain data for `--json`: numbers for each target, and all findings.

    `refused` are the errors of the mappings that could not be loaded; they are listed as findings.
    """
    problems = [("error", "load", problem) for problem in refused]
    problems += [(str(f.severity), f.check, f.problem) for f in findings]
    return {
        "targets": {
            found.target: {
                "rules": found.rules,
                "names": found.names,
                "examples": found.examples,
                "errors": found.count(Severity.ERROR),
                "warnings": found.count(Severity.WARNING),
            }
            for found in done
        },
        "findings": [
            {"severity": severity, "check": check, "place": p.place, "text": p.text, "help": p.help}
            for severity, check, p in problems
        ],
    }


def lines(done: Sequence[MappingCheck]) -> Iterator[Line]:
    """Lines of the table `totals`; none without targets."""
    shown = totals(done)
    if shown.rows:
        yield from aligned(shown)


def totals(done: Sequence[MappingCheck]) -> Table:
    """Table of the checked targets, with the numbers of rules, names, examples, errors and warnings."""
    rows = []
    for found in done:
        numbers = (found.rules, found.names, found.examples)
        counts = (found.count(Severity.ERROR), found.count(Severity.WARNING))
        rows.append((found.target, *map(str, (*numbers, *counts))))
    columns = ("target", "rules", "names", "examples", "errors", "warnings")
    return Table("", columns, tuple(rows), frozenset(range(1, len(columns))))
