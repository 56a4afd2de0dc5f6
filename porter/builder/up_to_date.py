"""Skips a check if its inputs are unchanged since the check passed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from porter.base.fingerprint import Answer
from porter.base.fs import stamp, write_if_changed


class PassedCheck:
    """Record of the inputs with which a check passed, stored in a file of the build folder."""

    def __init__(self, place: Path, answer: Answer, files: Iterable[Path]) -> None:
        """`place`: file of the record.

        `answer`: fingerprint of the checking code. `files`: every file that the check reads.
        """
        self.place = place
        self.digest = f"{stamp(files)} {answer.code()}"

    def holds(self) -> bool:
        """Test whether the check passed with the same files and code."""
        with contextlib.suppress(OSError):
            return self.place.read_text(encoding="ascii") == self.digest
        return False

    def keep(self) -> None:
        """Record that the check passed."""
        write_if_changed(self.place, self.digest)
