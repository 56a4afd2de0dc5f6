"""Facts about ROCm beyond HIPIFY's tables: `import_hipify.toml`."""

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
    """Area with a ROCm library."""

    library: str
    """Name of the library in reasons."""
    headers: tuple[Headers, ...]
    spellings: tuple[tuple[re.Pattern[str], str], ...]
    """Prefix of CUDA's names -> prefix of the library's names."""


@dataclass(frozen=True)
class Knowledge:
    """Content of the file."""

    areas: Mapping[str, Area]
    without_library: frozenset[str]
    """Areas without a ROCm library, and thus without a table."""
    other_meaning: Mapping[str, str]
    """CUDA name with another meaning in ROCm -> the difference."""
    reasons: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]
    """Area -> (pattern, reason): names that contain the pattern are unsupported for the reason. The first pattern
    decides."""
    namespaces: Mapping[str, str]
    """Namespace -> reason why names that HIP lacks in it are unsupported."""
    proper: re.Pattern[str]
    common: frozenset[str]

    def is_proper(self, name: str) -> bool:
        """Test whether the name of a namespace member alone shows that it is CUDA's."""
        return bool(self.proper.match(name)) and name not in self.common


def read(path: Path) -> Knowledge:
    """Facts in a TOML file. Raises PlanError when the file is unreadable."""
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
