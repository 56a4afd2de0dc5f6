"""Uses of CUDA's API in sources, and the effect that a port would have on each use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class PortOutcome(StrEnum):
    """Effect of a port on one use of a name."""

    MAPPED = "mapped"
    KEPT = "kept"
    """The name is correct without a change."""
    UNSUPPORTED = "unsupported"
    UNMAPPED = "unmapped"
    """No rule matches the name."""
    AMBIGUOUS = "ambiguous"
    """A rule matches the name, but not in the context of this use."""


@dataclass
class ApiUse:
    """All uses of one name, header or construct in the scanned sources."""

    name: str
    places: int = 0
    """Number of uses."""
    files: set[str] = field(default_factory=set)
    first: str = ""
    """`path:line` of the first use."""
    outcomes: Counter[PortOutcome] = field(default_factory=Counter)
    """Maps an outcome to the number of uses; empty for a scan without a target."""

    def add(self, path: str, line: int, places: int) -> None:
        """Add the uses in the file `path`: `places` is their number, `line` is the line of the first use."""
        self.places += places
        self.files.add(path)
        self.first = self.first or f"{path}:{line}"


@dataclass
class Scan:
    """Uses of CUDA's API, headers, hazards and launches that a scan found."""

    files: Counter[str] = field(default_factory=Counter)
    """Maps a suffix to the number of sources."""
    lines: int = 0
    apis: dict[str, dict[str, ApiUse]] = field(default_factory=dict)
    """Maps an area, then a name, to the uses. Area `other` holds vendor words that CUDA's headers do not declare."""
    headers: dict[str, dict[str, ApiUse]] = field(default_factory=dict)
    """Maps an area, then an include path, to the uses. Area `pytorch` holds PyTorch's own headers."""
    hazards: dict[str, ApiUse] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    """Maps a hazard to a note with the check that the user must make."""
    launches: ApiUse = field(default_factory=lambda: ApiUse("<<<>>>"))
    dynamic_shared: ApiUse = field(default_factory=lambda: ApiUse("extern __shared__"))


OTHER = "other"
"""Area of vendor words that CUDA's headers do not declare: names of PyTorch or of the project."""
