"""CUDA API found in sources, and what a port would make of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class PortOutcome(StrEnum):
    """What a port would make of a name at a place."""

    MAPPED = "mapped"
    KEPT = "kept"
    """Right as it is."""
    UNSUPPORTED = "unsupported"
    UNMAPPED = "unmapped"
    """No rule knows it, or the text has another shape than the rule's."""


@dataclass
class ApiUse:
    """How often something stands in the sources."""

    name: str
    places: int = 0
    files: set[str] = field(default_factory=set)
    first: str = ""
    """`path:line`"""
    fates: Counter[PortOutcome] = field(default_factory=Counter)
    """Places by fate; empty without a target."""

    def add(self, path: str, line: int, places: int) -> None:
        """Count places in one file, the first of them on a line."""
        self.places += places
        self.files.add(path)
        self.first = self.first or f"{path}:{line}"


@dataclass
class Scan:
    """What was found."""

    files: Counter[str] = field(default_factory=Counter)
    """Sources by suffix."""
    lines: int = 0
    apis: dict[str, dict[str, ApiUse]] = field(default_factory=dict)
    """area -> name -> use; `other` holds vendor words that CUDA's headers do not declare."""
    headers: dict[str, dict[str, ApiUse]] = field(default_factory=dict)
    """area -> header -> use; `pytorch` holds PyTorch's own."""
    hazards: dict[str, ApiUse] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    """hazard -> what to check."""
    launches: ApiUse = field(default_factory=lambda: ApiUse("<<<>>>"))
    dynamic_shared: ApiUse = field(default_factory=lambda: ApiUse("extern __shared__"))


OTHER = "other"
"""The area of vendor words that CUDA's headers do not declare: PyTorch's names, or a project's."""
