"""Records about files, stored in one JSON file of a build folder. A run reads only new and changed files.

records = FileRecords(folder / ".symbols", Answer("symbols", ("base", "builder")), LinkSymbols)
symbols = records.of(Path("a.o"), read_symbols)
records.save()
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from porter.base import columnar_json
from porter.base.fingerprint import Answer
from porter.base.fs import stamp

T = TypeVar("T")


class FileRecords(Generic[T]):
    """A record for each file. It is recomputed when the file's size or time changes, or the code that computes it."""

    def __init__(self, place: Path | None, answer: Answer, of: type[T]) -> None:
        """Load the records of earlier runs.

        `place`: the JSON file, or None to store no records. A missing or damaged JSON file counts as empty.
        `of`: the record's type, a named tuple.
        """
        self.place = place
        self._code = answer.code()
        entry: Any = NamedTuple("entry", [("stamp", str), ("record", of)])  # type: ignore[valid-type]
        self._entry = entry
        self._known: dict[str, Any] = {}
        self._changed = False
        if place:
            with contextlib.suppress(OSError, ValueError):
                self._known = dict(columnar_json.read_file(place, Mapping[str, entry]))

    def of(self, file: Path, read: Callable[[Path], T]) -> T:
        """Record of a file, computed by `read` if no valid record exists. Raises SourceError for a missing file."""
        now = f"{stamp([file])} {self._code}"
        entry = self._known.get(str(file))
        if entry is None or entry.stamp != now:
            self._changed = True
            entry = self._known[str(file)] = self._entry(now, read(file))
        record: T = entry.record
        return record

    def save(self) -> None:
        """Write the records of all files that still exist; do nothing if no record is new. Write errors are ignored."""
        if self.place is None or not self._changed:
            return
        known = {file: entry for file, entry in self._known.items() if os.path.exists(file)}  # noqa: PTH110
        with contextlib.suppress(OSError):
            columnar_json.write_file(self.place, Mapping[str, self._entry], known)  # type: ignore[name-defined]
