"""Rules that sort or drop the names of CUDA's headers: `cuda_inventory.toml`."""

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
    """One declaration that a header makes."""

    name: str
    kind: str
    area: str
    namespace: str
    """Empty for the global one and for macros."""
    defined: bool
    """False for `struct s;` and `extern int v;`, which may stand in anyone's header."""


def area_of(header: str) -> str | None:
    """The area of a header given as `component/path`; None when nothing in it is an API."""
    for rule in RULES["headers"]:
        if fnmatchcase(header, rule["glob"]):
            return str(rule["area"]) if "area" in rule else None
    return None


def why_dropped(entry: Name) -> str | None:
    """The reason that keeps a name out of the table, or None."""
    name = f"{entry.namespace}::{entry.name}".removeprefix("::")
    for rule in RULES["not_api"]:
        applies = fnmatchcase(f"{entry.area}/{entry.kind}", rule["in"])
        if applies and any(re.fullmatch(pattern, name) for pattern in rule["names"]):
            return str(rule["why"])
    return None
