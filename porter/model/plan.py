"""What a port is to be made of: its files, each with where it comes from and where it goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class PortJob(NamedTuple):
    """One file of a port: where it comes from, where it goes, why it is there."""

    path: str
    to: str
    reason: str
    path_hits: tuple[int, ...] = ()
    copied: bool = False
    """Taken over byte for byte, file mode included."""


class PortPlan(NamedTuple):
    """What a port is to be made of."""

    jobs: tuple[PortJob, ...]
    moved: Mapping[str, str]
    """How an include of a ported file was spelled -> how it is spelled in the port."""
