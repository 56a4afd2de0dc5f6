"""State of a port on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from porter.model.lock import Lock
from porter.model.manifest import Manifest


@dataclass(frozen=True)
class Output:
    """Port read from an output folder or from a lock file."""

    place: Path
    """Path as the caller gave it."""
    lock: Lock
    """Lock of the files on disk. A file that was changed by hand has the hash of its present text; a removed file is
    absent."""
    folder: Path | None = None
    """Output folder; None for a lock file."""
    manifest: Manifest | None = None
    changed: tuple[str, ...] = ()
    """Upstream paths of the files whose ported file was changed by hand, sorted."""
    missing: tuple[str, ...] = ()
    """Upstream paths of the files whose ported file was removed, sorted."""
    foreign: tuple[str, ...] = ()
    """Paths under `src/` that the manifest does not name, sorted."""

    def file(self, to: str) -> Path | None:
        """Path on disk of the ported file `to`, given relative to `src/`; None for a port read from a lock file."""
        return self.folder / "src" / to if self.folder else None
