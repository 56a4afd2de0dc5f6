"""Result of the port stage: manifest, output folder and report."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from porter.model.manifest import Manifest
from porter.model.summary import Summary


class Ported(NamedTuple):
    """Manifest, output folder and file counts of a finished port."""

    manifest: Manifest
    folder: Path
    written: int
    """Number of files written by this run."""
    unchanged: int
    """Number of files reused from the previous run."""
    summary: Summary | None = None
    """Content of the report; None when this run wrote no report."""
