"""Names that CUDA's own headers declare, by API area: `mappings/cuda/inventory.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.base import regular_files, untrusted
from porter.base.errors import MappingError


@dataclass(frozen=True)
class Inventory:
    """Every function, type, enumerator and macro of one CUDA release."""

    cuda: str
    """CUDA release, `12.4`."""
    areas: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Area -> kind (functions, types, enumerators, macros) -> names, sorted."""
    namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Namespace -> names declared in it."""

    def names(self, area: str) -> list[str]:
        """All names of an area, of all kinds."""
        return [name for names in self.areas.get(area, {}).values() for name in names]

    def area_of(self) -> dict[str, str]:
        """Name -> area."""
        return {name: area for area in self.areas for name in self.names(area)}

    def chains_of(self) -> dict[str, list[str]]:
        """Name -> its spellings with a namespace: `Sum` -> `cub::Sum`."""
        chains: dict[str, list[str]] = {}
        for space, names in self.namespaces.items():
            for name in names:
                chains.setdefault(name, []).append(f"{space}::{name}")
        return chains


def read(path: Path) -> Inventory:
    """Inventory in a file. Raises MappingError for a malformed file."""
    try:
        data = untrusted.json_data(regular_files.read_bytes(path))
        areas = {
            area: {kind: tuple(names) for kind, names in kinds.items()}
            for area, kinds in data["areas"].items()
        }
        spaces = {space: tuple(names) for space, names in data.get("namespaces", {}).items()}
        return Inventory(data["cuda"], areas, spaces)
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MappingError(f"is not an inventory: {error}", str(path)) from None
