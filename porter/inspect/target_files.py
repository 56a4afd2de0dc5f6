"""Files of a folder of mappings that hold no rules: budgets, known failures, operators, the build, registrations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porter.base.errors import MappingError, Problem
from porter.custom_ops import read as ops
from porter.mapping import budget, build_sets, expected_failures, registration
from porter.mapping.library import MappingLibrary


def problems(library: MappingLibrary, target: str) -> list[Problem]:
    """Every mistake in the files that a target and the layers below it have besides their rules.

    Raises UsageError for an unknown target.
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
    """Budgets that nothing reads, because of their suffix."""
    for place in sorted(library.root_of(target).iterdir()):
        if place.stem.lower() == "budget" and place.name != budget.FILE:
            text = f"is not read: the budget is {budget.FILE}"
            yield Problem(text, place.name, f"rename it to {budget.FILE}")
