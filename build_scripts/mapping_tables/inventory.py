"""Names that CUDA's headers declare. cuda_inventory.py writes them to `mappings/cuda/inventory.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mapping_tables.errors import TableError


@dataclass(frozen=True)
class Inventory:
    """Every function, type, enumerator, variable and macro of one CUDA release."""

    cuda: str
    """CUDA release whose headers were read: `12.4`."""
    areas: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Maps an API area to a map from kind (`functions`, `macros`, ...) to names. Each name occurs once."""
    namespaces: Mapping[str, tuple[str, ...]]
    """Maps a namespace to its names; only names that are never declared outside a namespace."""

    def names(self, area: str) -> list[str]:
        """All names of an API area, sorted."""
        return sorted(name for names in self.areas[area].values() for name in names)

    @cached_property
    def area_of(self) -> dict[str, str]:
        """Maps each name to its API area."""
        return {name: area for area in self.areas for name in self.names(area)}

    @cached_property
    def macros(self) -> frozenset[str]:
        """Macros of all API areas."""
        return frozenset(name for kinds in self.areas.values() for name in kinds.get("macros", ()))

    @cached_property
    def namespaces_of(self) -> dict[str, list[str]]:
        """Maps each name that is declared only in namespaces to these namespaces, sorted."""
        found: dict[str, list[str]] = {}
        for namespace in sorted(self.namespaces):
            for name in self.namespaces[namespace]:
                found.setdefault(name, []).append(namespace)
        return found


def read(mappings: Path) -> Inventory:
    """Read the inventory in a mapping folder. Raises TableError if the inventory is missing or invalid."""
    path = mappings / "cuda" / "inventory.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        areas = {
            area: {kind: tuple(names) for kind, names in kinds.items()}
            for area, kinds in data["areas"].items()
        }
        namespaces = {space: tuple(names) for space, names in data["namespaces"].items()}
        return Inventory(data["cuda"], areas, namespaces)
    except OSError as error:
        advice = "create it with build_scripts/cuda_inventory.py, or use another folder with --mappings DIR"
        raise TableError(f"{path}: {error.strerror}", advice) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TableError(f"{path} is no inventory: {error!r}") from None
