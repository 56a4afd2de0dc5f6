"""Plan of a port: source path and ported path of each file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from porter.model.project_names import ProjectNames


class PortJob(NamedTuple):
    """One file to port."""

    path: str
    """Upstream path."""
    to: str
    """Ported path under `src/`."""
    reason: str
    """Reason for which the file was selected."""
    path_hits: tuple[int, ...] = ()
    """Indexes of the rules that changed the upstream path to the ported path."""
    copied: bool = False
    """True when the file is copied unchanged, file mode included."""


class PortPlan(NamedTuple):
    """All files of a port, and the new spellings of their paths in includes."""

    jobs: tuple[PortJob, ...]
    moved: Mapping[str, str]
    """Maps the path of a ported file, as upstream's includes spell it, to the path that the port's includes need."""
    names: ProjectNames | None = None
    """Names of the project; None for PyTorch, and for sources that use PyTorch's names as PyTorch's own sources do."""
