"""Uses of CUDA's API in sources, and the outcome that a port would have for each use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class PortOutcome(StrEnum):
    """Outcome of a port for a name at one place."""

    MAPPED = "mapped"
    KEPT = "kept"
    """The name is correct without a change."""
    UNSUPPORTED = "unsupported"
    UNMAPPED = "unmapped"
    """No rule matches the name, or the rewriter cannot apply the rule to the text (residue `ambiguous`)."""


@dataclass
class ApiUse:
    """Number of uses of one name in the sources."""

    name: str
    places: int = 0
    files: set[str] = field(default_factory=set)
    first: str = ""
    """`path:line` of the first use."""
    outcomes: Counter[PortOutcome] = field(default_factory=Counter)
    """Outcome -> number of places; empty without a target."""

    def add(self, path: str, line: int, places: int) -> None:
        """Add places in one file; `line` is the line of the first place."""
        self.places += places
        self.files.add(path)
        self.first = self.first or f"{path}:{line}"


@dataclass
class Scan:
    """Result of a scan."""

    files: Counter[str] = field(default_factory=Counter)
    """Suffix -> number of sources."""
    lines: int = 0
    apis: dict[str, dict[str, ApiUse]] = field(default_factory=dict)
    """Area -> name -> use; the area `other` holds vendor words that CUDA's headers do not declare."""
    headers: dict[str, dict[str, ApiUse]] = field(default_factory=dict)
    """Area -> header -> use; the area `pytorch` holds PyTorch's own headers."""
    hazards: dict[str, ApiUse] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    """Hazard -> note with the necessary check."""
    launches: ApiUse = field(default_factory=lambda: ApiUse("<<<>>>"))
    dynamic_shared: ApiUse = field(default_factory=lambda: ApiUse("extern __shared__"))


OTHER = "other"
"""Area of vendor words that CUDA's headers do not declare: names of PyTorch or of the project."""
