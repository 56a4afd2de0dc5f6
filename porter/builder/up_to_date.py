"""Answers that hold as long as the files they were found from are the same, so that nothing new costs nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from porter.base.fs import stamp, write_if_changed


class PassedCheck:
    """Remembers, in a file, from which files an answer was found that there was nothing to say."""

    def __init__(self, place: Path, files: Iterable[Path]) -> None:
        """`files` are all that the answer depends on."""
        self.place = place
        self.digest = stamp(files)

    def holds(self) -> bool:
        """Whether the answer was found for the very same files."""
        with contextlib.suppress(OSError):
            return self.place.read_text(encoding="ascii") == self.digest
        return False

    def keep(self) -> None:
        """Remember that it was."""
        write_if_changed(self.place, self.digest)
