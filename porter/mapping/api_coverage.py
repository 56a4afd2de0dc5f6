"""Coverage of CUDA's API by a target's mappings, counted in names of CUDA's own headers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from porter.mapping.inventory import Inventory
from porter.mapping.resolve_name import UNMAPPED, Decider, ResolvedName
from porter.model.evidence import Collision, Evidence, collisions
from porter.model.rules import Layer, RuleSet, Status
from porter.rewrite.kinds import order

if TYPE_CHECKING:
    from porter.mapping.sdk import Sdk


@dataclass(frozen=True)
class Area:
    """Names of one area of the inventory, grouped by the decision about them."""

    area: str
    mapped: Mapping[str, Evidence]
    """Maps each name that a rule replaces or accepts to the evidence that the target declares the resulting name."""
    unsupported: Mapping[str, str]
    """Maps each name with the status unsupported, todo or removed to the reason."""
    unclassified: tuple[str, ...]
    """Names that no rule about CUDA's API matches."""

    @property
    def total(self) -> int:
        """Number of names in the area."""
        return len(self.mapped) + len(self.unsupported) + len(self.unclassified)

    def graded(self, evidence: Evidence) -> int:
        """Number of mapped names with the given evidence."""
        return sum(grade is evidence for grade in self.mapped.values())

    def reasons(self) -> list[tuple[str, int]]:
        """List of (reason, number of unsupported names with this reason), most frequent reason first."""
        counted = Counter(self.unsupported.values())
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True)
class Coverage:
    """Coverage of CUDA's API by one target."""

    target: str
    cuda: str
    """CUDA release of the inventory."""
    areas: tuple[Area, ...]
    collisions: tuple[Collision, ...]
    """Target names, each of which replaces several CUDA names."""
    newer: tuple[Area, ...] = ()
    """Names that later releases introduced, one `Area` for each release (`CUDA 12.8`); `total` does not count them."""

    @cached_property
    def total(self) -> Area:
        """Sum of all areas; a name in two areas counts twice."""
        return Area(
            "total",
            {f"{area.area}: {n}": how for area in self.areas for n, how in area.mapped.items()},
            {
                f"{area.area}: {n}": why
                for area in self.areas
                for n, why in area.unsupported.items()
            },
            tuple(name for area in self.areas for name in area.unclassified),
        )


def measure(rules: RuleSet, inventory: Inventory, sdk: Sdk | None = None) -> Coverage:
    """Classify every name of the inventory, with evidence from the SDK's headers if `sdk` is given.

    A name that is matched only by a family for PyTorch's own names is unclassified: such a family renames every name
    that contains `CUDA`, which is no evidence that the target has the API.
    """
    measured = _Measured(Decider(rules, sdk), inventory.chains_of(), {})
    areas = tuple(measured.area(area, inventory.names(area)) for area in inventory.areas)
    collided = collisions(measured.renamed.values())
    newer = tuple(
        measured.area(
            f"{release.product} {release.version}",
            [name for names in release.areas.values() for name in names],
        )
        for release in inventory.newer
    )
    return Coverage(rules.target, inventory.cuda, areas, collided, newer)


@dataclass(frozen=True)
class _Measured:
    decider: Decider
    chains: Mapping[str, list[str]]
    """Maps a name to its qualified names, for example `cub::Sum`."""
    renamed: dict[str, tuple[str, str, Evidence]]
    """Maps each renamed name to (name, replacement, evidence)."""

    def area(self, area: str, names: list[str]) -> Area:
        mapped, unsupported = {}, {}
        unclassified = []
        for name in dict.fromkeys(names):
            decisions = self.decisions(name)
            if not decisions:
                unclassified.append(name)
            elif known := next((d for d in decisions if d.status == Status.SUPPORTED), None):
                mapped[name] = known.evidence or Evidence.GUESSED
                own = known.rule is None or known.rule.layer is Layer.PYTORCH
                if known.replace and known.replace != name and not own:
                    self.renamed[name] = (name, known.replace, mapped[name])
            else:
                unsupported[name] = decisions[0].note
        return Area(area, mapped, unsupported, tuple(unclassified))

    def decisions(self, name: str) -> list[ResolvedName]:
        """Resolution of the unqualified name; without a rule about it, resolutions of all its qualified names.

        Empty if one of the qualified names has no rule. A family for PyTorch's names does not count as a rule.
        """
        alone = self.decider.decide(name)
        if _is_about_api(alone):
            return [alone]
        found = [self.decider.decide_chain(chain) for chain in self.chains.get(name, ())]
        return found if all(_is_about_api(decision) for decision in found) else []


def _is_about_api(decision: ResolvedName) -> bool:
    rule = decision.rule
    if decision.status == UNMAPPED or rule is None:
        return False
    return not (rule.layer is Layer.PYTORCH and order.kind(rule.kind).names_by_pattern)
