"""Names that CUDA's own headers declare, by API area: `mappings/cuda/inventory.json` for one release, and
`newer.json` in the same folder for names that later releases introduced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porter.base.errors import MappingError
from porter.mapping import json_table

FILE = "inventory.json"
NEWER = "newer.json"


@dataclass(frozen=True)
class NewerRelease:
    """Names that one release introduced. The release is later than the release of the inventory."""

    product: str
    """`CUDA`, or a library with versions of its own: `cuDNN`, `NCCL`, `cuSPARSELt`."""
    version: str
    """Version of the product: `12.8`."""
    areas: Mapping[str, tuple[str, ...]]
    """Maps an API area to its names, sorted."""


@dataclass(frozen=True)
class Inventory:
    """Every function, type, enumerator and macro of one CUDA release."""

    cuda: str
    """CUDA release, `12.4`."""
    areas: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Maps an API area to kinds (functions, types, enumerators, macros), and each kind to its names, sorted."""
    namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Maps a namespace to the names that are declared in the namespace."""
    newer: tuple[NewerRelease, ...] = ()
    """Later releases with the names that they introduced, oldest first for each product."""

    def names(self, area: str) -> list[str]:
        """All names of an area, of all kinds."""
        return [name for names in self.areas.get(area, {}).values() for name in names]

    def area_of(self) -> dict[str, str]:
        """Maps each name to its API area, including the names of newer releases."""
        newer = {
            name: area
            for release in self.newer
            for area, names in release.areas.items()
            for name in names
        }
        return newer | {name: area for area in self.areas for name in self.names(area)}

    def members_of(self, namespace: str) -> frozenset[str]:
        """Names in a namespace, among them the namespaces nested in it. Empty for an unknown namespace."""
        prefix = f"{namespace}::"
        nested = {
            space.removeprefix(prefix).partition("::")[0]
            for space in self.namespaces
            if space.startswith(prefix)
        }
        return frozenset(nested.union(self.namespaces.get(namespace, ())))

    def everything_in(self, namespace: str) -> frozenset[str]:
        """Names in a namespace and in the namespaces nested in it. Empty for an unknown namespace."""
        within = [
            names
            for space, names in self.namespaces.items()
            if space == namespace or space.startswith(f"{namespace}::")
        ]
        return self.members_of(namespace).union(*within)

    def chains_of(self) -> dict[str, list[str]]:
        """Maps each name in a namespace to its qualified names: `Sum` to `cub::Sum`."""
        chains: dict[str, list[str]] = {}
        for space, names in self.namespaces.items():
            for name in names:
                chains.setdefault(name, []).append(f"{space}::{name}")
        return chains


def read(path: Path) -> Inventory:
    """Read the inventory in a file, with the names of newer releases if `newer.json` is in the same folder.

    Raises MappingError for a malformed file.
    """
    data = json_table.read(path, "an inventory")
    newer = path.with_name(NEWER)
    releases = _newer_releases(newer) if newer.exists() else ()
    try:
        areas = {
            area: {kind: tuple(names) for kind, names in kinds.items()}
            for area, kinds in data["areas"].items()
        }
        spaces = {space: tuple(names) for space, names in data.get("namespaces", {}).items()}
        return Inventory(data["cuda"], areas, spaces, releases)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MappingError(f"is not an inventory: {error}", str(path)) from None


def _newer_releases(path: Path) -> tuple[NewerRelease, ...]:
    data = json_table.read(path, "an inventory")
    try:
        return tuple(
            NewerRelease(
                str(entry["product"]),
                _version(entry["version"]),
                {str(area): _names(names) for area, names in entry["areas"].items()},
            )
            for entry in data["releases"]
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MappingError(f"is not a table of newer names: {error}", str(path)) from None


def _version(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\d+(\.\d+)*", value, re.ASCII):
        raise ValueError(f"version {value!r}")
    return value


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise TypeError("names are no list of texts")
    return tuple(value)
