"""Facts about ROCm that HIPIFY's tables lack, from `import_hipify.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mapping_tables.errors import PlanError
from mapping_tables.rocm import Headers


@dataclass(frozen=True)
class Area:
    """API area for which ROCm has a library."""

    library: str
    """Name of the ROCm library, for texts of reasons."""
    headers: tuple[Headers, ...]
    spellings: tuple[tuple[re.Pattern[str], str], ...]
    """Pairs of (pattern of a prefix of CUDA names, prefix of the library's names)."""


@dataclass(frozen=True)
class Knowledge:
    """Content of import_hipify.toml."""

    areas: Mapping[str, Area]
    without_library: frozenset[str]
    """API areas for which ROCm has no library. They have no table."""
    other_meaning: Mapping[str, str]
    """Maps a CUDA name whose meaning differs in ROCm to a description of the difference."""
    reasons: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]
    """Maps an API area to pairs of (pattern, reason). The first pattern found in an unsupported name decides."""
    namespaces: Mapping[str, str]
    """Maps a namespace to the reason why names that HIP lacks in this namespace are unsupported."""
    proper: re.Pattern[str]
    common: frozenset[str]

    def is_proper(self, name: str) -> bool:
        """Test whether the unqualified name of a namespace member identifies CUDA without the namespace."""
        return bool(self.proper.match(name)) and name not in self.common


def read(path: Path) -> Knowledge:
    """Read the facts in a TOML file. Raises PlanError if the file is invalid."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        reasons: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {}
        for group in data["reasons"]:
            found = [
                (re.compile(pattern), entry["why"])
                for entry in group["patterns"]
                for pattern in entry["find"]
            ]
            for area in group["areas"]:
                reasons[area] = (*reasons.get(area, ()), *found)
        return Knowledge(
            areas={
                area: Area(
                    entry["library"],
                    tuple(Headers(**headers) for headers in entry["headers"]),
                    tuple((re.compile(old), new) for old, new in entry.get("spellings", ())),
                )
                for area, entry in data["areas"].items()
            },
            without_library=frozenset(data["without_library"]),
            other_meaning={
                name: group["why"] for group in data["other_meaning"] for name in group["names"]
            },
            reasons=reasons,
            namespaces=data["namespaces"],
            proper=re.compile(data["words"]["proper"]),
            common=frozenset(data["words"]["common"]),
        )
    except (ValueError, KeyError, TypeError, re.error) as error:
        raise PlanError(f"{path}: {error!r}") from None
