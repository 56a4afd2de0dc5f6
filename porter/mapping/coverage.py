"""How much of CUDA's API a target's mappings speak of, counted in names of CUDA's own headers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from porter.mapping.inventory import Inventory
from porter.mapping.show import UNMAPPED, Decider, Decision
from porter.model.rules import Layer, RuleSet, Status


@dataclass(frozen=True)
class Area:
    """The names of one area of the inventory, by what becomes of them."""

    area: str
    mapped: tuple[str, ...]
    """Renamed, or right as they are."""
    unsupported: Mapping[str, str]
    """Name -> the reason: status unsupported, todo or removed."""
    unclassified: tuple[str, ...]
    """No rule for CUDA's API speaks of them."""

    @property
    def total(self) -> int:
        """How many names the area has."""
        return len(self.mapped) + len(self.unsupported) + len(self.unclassified)

    def reasons(self) -> list[tuple[str, int]]:
        """Why names are unsupported, the most frequent reason first."""
        counted = Counter(self.unsupported.values())
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True)
class Coverage:
    """The coverage of a target."""

    target: str
    cuda: str
    """CUDA release of the inventory."""
    areas: tuple[Area, ...]

    @cached_property
    def total(self) -> Area:
        """All areas together; a name of two areas counts in both."""
        return Area(
            "total",
            tuple(name for area in self.areas for name in area.mapped),
            {
                f"{area.area}: {n}": why
                for area in self.areas
                for n, why in area.unsupported.items()
            },
            tuple(name for area in self.areas for name in area.unclassified),
        )


def measure(rules: RuleSet, inventory: Inventory) -> Coverage:
    """What the rule set makes of every name of the inventory.

    A name that only a family for PyTorch's own names takes up is unclassified: those families
    rename whatever has `CUDA` in it, and say nothing about whether the target has such an API.
    """
    measured = _Measured(Decider(rules), inventory.chains_of())
    return Coverage(
        rules.target,
        inventory.cuda,
        tuple(measured.area(area, inventory.names(area)) for area in inventory.areas),
    )


@dataclass(frozen=True)
class _Measured:
    decider: Decider
    chains: Mapping[str, list[str]]
    """Name -> its spellings with a namespace."""

    def area(self, area: str, names: list[str]) -> Area:
        mapped, unclassified = [], []
        unsupported = {}
        for name in dict.fromkeys(names):
            decisions = self.decisions(name)
            if not decisions:
                unclassified.append(name)
            elif any(decision.status == Status.SUPPORTED for decision in decisions):
                mapped.append(name)
            else:
                unsupported[name] = decisions[0].note
        return Area(area, tuple(mapped), unsupported, tuple(unclassified))

    def decisions(self, name: str) -> list[Decision]:
        """What becomes of the name, else of each of its spellings; empty when one is left open."""
        alone = self.decider.decide(name)
        if _is_about_api(alone):
            return [alone]
        found = [self.decider.decide_chain(chain) for chain in self.chains.get(name, ())]
        return found if all(_is_about_api(decision) for decision in found) else []


def _is_about_api(decision: Decision) -> bool:
    rule = decision.rule
    if decision.status == UNMAPPED or rule is None:
        return False
    return not (rule.layer is Layer.PYTORCH and rule.kind == "family")
