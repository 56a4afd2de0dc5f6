"""Rules of `cuda_inventory.toml`, which assign names of CUDA's headers to API areas, or omit names."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

_FILE = Path(__file__).resolve().parent.parent / "cuda_inventory.toml"
RULES: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Name:
    """One declaration in a header."""

    name: str
    kind: str
    area: str
    namespace: str
    """Namespace that contains the name; empty for the global namespace and for macros."""
    defined: bool
    """False for a forward declaration such as `struct s;` or `extern int v;`, which any header may contain."""


def area_of(header: str) -> str | None:
    """API area of the header `component/path`; None for a header without public names."""
    for rule in RULES["headers"]:
        if fnmatchcase(header, rule["glob"]):
            return str(rule["area"]) if "area" in rule else None
    return None


def why_dropped(entry: Name) -> str | None:
    """Reason why the table omits a name; None if the table contains the name."""
    name = f"{entry.namespace}::{entry.name}".removeprefix("::")
    for rule in RULES["not_api"]:
        applies = fnmatchcase(f"{entry.area}/{entry.kind}", rule["in"])
        if applies and any(re.fullmatch(pattern, name) for pattern in rule["names"]):
            return str(rule["why"])
    return None
