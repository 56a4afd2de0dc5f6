"""Check of the mapping files that contain no rules.

These files contain budgets, expected failures, custom operators, build sets and registrations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porter.base.errors import MappingError, Problem
from porter.custom_ops import read as ops
from porter.mapping import budget, build_sets, expected_failures, registration
from porter.mapping.library import MappingLibrary


def problems(library: MappingLibrary, target: str) -> list[Problem]:
    """All errors in the mapping files that contain no rules.

    The files are the target's budget, expected failures and operators, and the build sets and registrations that all
    targets share. Raises UsageError for an unknown target.
    """
    readers: tuple[Callable[[MappingLibrary, str], object], ...] = (
        lambda library, target: budget.read(library, target),
        lambda library, target: expected_failures.read(
            library.special(target, expected_failures.FILE)
        ),
        lambda library, target: build_sets.check(library),
        lambda library, target: _registration(library),
        _own_operators,
    )
    found: dict[Problem, None] = dict.fromkeys(_misnamed_budgets(library, target))
    for reader in readers:
        try:
            reader(library, target)
        except MappingError as error:
            found.update(dict.fromkeys(error.problems))
    return list(found)


def _registration(library: MappingLibrary) -> None:
    place = library.special("pytorch", registration.FILE)
    if place.exists():
        registration.read(place)


def _own_operators(library: MappingLibrary, target: str) -> None:
    folder = library.own_ops(target)
    if folder:
        ops.parse(folder / ops.FILE, f"{target}/{folder.name}/{ops.FILE}")


def _misnamed_budgets(library: MappingLibrary, target: str) -> Iterator[Problem]:
    """Problems for budget files that porter ignores because they have a wrong suffix."""
    for place in sorted(library.root_of(target).iterdir()):
        if place.stem.lower() == "budget" and place.name != budget.FILE:
            text = f"is ignored: the name of the budget file is {budget.FILE}"
            yield Problem(text, place.name, f"rename it to {budget.FILE}")
