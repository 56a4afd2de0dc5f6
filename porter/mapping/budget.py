"""Budget of residue: accepted number of occurrences of undecided vendor text in a port, from `budget.yaml`.

    simt:
      2.6.0: {unmapped: 0, ambiguous: 0}

A port must not exceed the numbers for its target and release; a reason without a number has the number 0. Residue with
a reason outside `BUDGETED` needs no budget, because the lock file counts its words by name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from porter.base.errors import MappingError, Problem, did_you_mean
from porter.mapping import document
from porter.mapping.document import Document
from porter.mapping.library import MappingLibrary
from porter.model.rewrite_result import Reason
from porter.model.rules import Origin

FILE = "budget.yaml"
BUDGETED = (Reason.UNMAPPED, Reason.AMBIGUOUS)
"""Reasons for undecided residue: reasons that can have a budget."""
_EXAMPLE = "for example 2.6.0: {unmapped: 0, ambiguous: 0}"


@dataclass(frozen=True)
class Budget:
    """Accepted residue for one target and release."""

    origin: Origin
    places: Mapping[Reason, int]
    """Maps each reason in `BUDGETED` to the accepted number of occurrences."""


def read(library: MappingLibrary, target: str) -> dict[str, Budget]:
    """Maps each PyTorch release to the target's budget, as in the budget file; empty without a budget file.

    The file lies in the mapping folder that contains the target.

    Raises MappingError with every error in the file, UsageError for an unknown target.
    """
    path = library.root_of(target) / FILE
    if not os.path.lexists(path):
        return {}
    return parse(document.read(path, FILE), library.targets()).get(target, {})


def parse(doc: Document, targets: list[str]) -> dict[str, dict[str, Budget]]:
    """Maps each target to its budgets by release. Raises MappingError with every error in the document.

    `targets` are the names of the known targets.
    """
    problems: list[Problem] = []
    budgets: dict[str, dict[str, Budget]] = {}
    for target, releases in _table(doc.data, doc, [], "a budget file", problems).items():
        if target not in targets:
            place = f"{doc.file}:{doc.line([target])}"
            problems.append(
                Problem(f"unknown target '{target}'", place, did_you_mean(target, targets))
            )
        for release, numbers in _table(releases, doc, [target], target, problems).items():
            path = [target, release]
            places = dict.fromkeys(BUDGETED, 0)
            for reason, number in _table(numbers, doc, path, release, problems).items():
                place = f"{doc.file}:{doc.line([*path, reason])}"
                if reason not in BUDGETED:
                    help = did_you_mean(reason, BUDGETED) or f"reasons: {', '.join(BUDGETED)}"
                    problems.append(Problem(f"'{reason}' has no budget", place, help))
                elif not (isinstance(number, str) and number.isascii() and number.isdigit()):
                    problems.append(
                        Problem(f"'{reason}' must be a number of places", place, _EXAMPLE)
                    )
                else:
                    places[Reason(reason)] = int(number)
            origin = Origin(doc.file, doc.line(path))
            budgets.setdefault(target, {})[release] = Budget(origin, places)
    if problems:
        raise MappingError(problems)
    return budgets


def _table(
    data: Any, doc: Document, path: list[str], what: str, problems: list[Problem]
) -> dict[str, Any]:
    if isinstance(data, dict):
        return data
    problems.append(Problem(f"{what} must be a table", f"{doc.file}:{doc.line(path)}", _EXAMPLE))
    return {}
