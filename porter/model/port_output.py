"""A port on disk, as it was found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from porter.model.lock import Lock
from porter.model.manifest import Manifest


@dataclass(frozen=True)
class Output:
    """A port and what is at hand of it."""

    place: Path
    """As the caller gave it."""
    lock: Lock
    """What is there now: a ported file that was changed by hand has the hash of its present text,
    one that was removed is left out."""
    folder: Path | None = None
    """The output folder; None for a lock file."""
    manifest: Manifest | None = None
    changed: tuple[str, ...] = ()
    """Upstream paths of files whose port was changed by hand, sorted."""
    missing: tuple[str, ...] = ()
    """Upstream paths of files whose port was removed, sorted."""
    foreign: tuple[str, ...] = ()
    """Paths under `src/` that the manifest does not name, sorted."""

    def file(self, to: str) -> Path | None:
        """The ported file with that path under `src/`; None for a lock file."""
        return self.folder / "src" / to if self.folder else None
