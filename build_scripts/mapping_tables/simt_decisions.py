"""Application of the simt runtime's plan: a decision about each name of the inventory, and errors in the plan."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mapping_tables.inventory import Inventory
from mapping_tables.simt_plan import Group, Plan


@dataclass(frozen=True)
class Decision:
    """Decision about one name. The name includes its namespace."""

    name: str
    area: str
    group: Group
    target: str

    @property
    def qualified(self) -> bool:
        """True if `name` includes a namespace."""
        return "::" in self.name


@dataclass(frozen=True)
class Decisions:
    """Decisions about all names, and errors in the plan."""

    decided: tuple[Decision, ...]
    problems: tuple[str, ...]

    @cached_property
    def by_name(self) -> dict[str, Decision]:
        """Maps a name, qualified by its namespace if it has one, to the decision."""
        return {decision.name: decision for decision in self.decided}


def decide(plan: Plan, inventory: Inventory) -> Decisions:
    """Decide about all names of the inventory. Returns the decisions and the errors in the plan.

    Errors are a name that no group matches, a pattern that matches no name, and two names with the same replacement.
    """
    decided: list[Decision] = []
    problems: list[str] = []
    hits: Counter[tuple[str, str]] = Counter()

    def take(group: Group, name: str) -> None:
        # A pattern that matches a name counts as used, even if an earlier pattern decides about the name.
        hits.update((group.place, p.pattern) for p in group.patterns if p.fullmatch(name))

    for area in inventory.areas:
        if area in plan.absent:
            continue
        section = plan.areas.get(area)
        for name in inventory.names(area):
            if name in inventory.namespaces_of:
                continue
            if plan.by_hand.pattern_of(name):
                take(plan.by_hand, name)
            elif section and (group := section.group_of(name)):
                take(group, name)
                decided.append(Decision(name, area, group, section.renamed(name)))
            else:
                problems.append(f"{name} ({area}): no group of the plan matches")
    for namespace, names in inventory.namespaces.items():
        section = plan.section_of(namespace)
        outer, _, last = namespace.rpartition("::")
        of_class = last if last in inventory.namespaces.get(outer, ()) else ""
        for name in names:
            # A static member exists if its class exists.
            if section and (group := section.group_of(of_class or name)):
                take(group, of_class or name)
                full = f"{namespace}::{name}"
                decided.append(Decision(full, section.area, group, full))
            elif inventory.area_of[name] not in plan.absent:
                problems.append(f"{namespace}::{name}: no group of the plan matches")
    for group in plan.groups():
        for pattern in group.patterns:
            if not hits[group.place, pattern.pattern]:
                problems.append(f"{group.place}: {pattern.pattern!r} decides no name")
    return Decisions(tuple(decided), (*problems, *_clashes(decided)))


def _clashes(decided: Iterable[Decision]) -> Iterator[str]:
    names: dict[str, set[str]] = defaultdict(set)
    for decision in decided:
        if decision.group.status == "supported":
            names[decision.target].add(re.sub(r"_v2(?=(_64)?$)", "", decision.name))
    for target, sources in sorted(names.items()):
        if len(sources) > 1:
            yield f"{target}: the new name of {' and of '.join(sorted(sources))}"
