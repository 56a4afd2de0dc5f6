"""Result of the port stage."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from porter.model.manifest import Manifest
from porter.model.summary import Summary


class Ported(NamedTuple):
    """A finished port."""

    manifest: Manifest
    folder: Path
    written: int
    """Files written by this run."""
    unchanged: int
    """Files kept from the run before."""
    summary: Summary | None = None
    """What the report says, if this run wrote it."""
