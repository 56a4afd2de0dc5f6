"""The symbols of objects and libraries; what was read once is kept, by size and time of the file."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import columnar_json, elf
from porter.base.fs import stamp


class LinkSymbols(NamedTuple):
    """What one file defines and needs, mangled: see `porter.elf.Symbols`."""

    defined: frozenset[str]
    undefined: frozenset[str]


class _Entry(NamedTuple):
    """The symbols of a file as it was at a time."""

    stamp: str
    defined: frozenset[str]
    undefined: frozenset[str]


class SymbolTable:
    """Reads symbols, and keeps them in a file."""

    def __init__(self, place: Path) -> None:
        """`place`: the file; it need not be there, and one that cannot be read counts as empty."""
        self.place = place
        self.known: dict[str, _Entry] = {}
        self.changed = False
        with contextlib.suppress(OSError, ValueError):
            self.known = columnar_json.read_file(place, Mapping[str, _Entry])

    def of(self, files: Sequence[Path]) -> list[LinkSymbols]:
        """The symbols of each of the files: of objects, or what shared libraries export and ask for.

        Raises SourceError when one cannot be read.
        """
        return [self._of(file) for file in files]

    def save(self) -> None:
        """Keep what was read; a place that takes no data is done without."""
        if not self.changed:
            return
        known = {file: entry for file, entry in self.known.items() if os.path.exists(file)}  # noqa: PTH110
        with contextlib.suppress(OSError):
            columnar_json.write_file(self.place, Mapping[str, _Entry], known)

    def _of(self, file: Path) -> LinkSymbols:
        now = stamp([file])
        entry = self.known.get(str(file))
        if entry is None or entry.stamp != now:
            self.changed = True
            symbols = elf.read(file)
            entry = _Entry(now, symbols.defined, symbols.undefined)
            self.known[str(file)] = entry
        return LinkSymbols(entry.defined, entry.undefined)


def demangled(names: Iterable[str]) -> dict[str, str]:
    """Mangled name -> the name as it is written in C++ (the same, without c++filt)."""
    listed = list(names)
    if not listed:
        return {}
    try:
        done = subprocess.run(
            ["c++filt"], input="\n".join(listed), capture_output=True, text=True, check=False
        )
    except OSError:
        lines = listed
    else:
        lines = done.stdout.splitlines()
    return dict(zip(listed, lines if len(lines) == len(listed) else listed, strict=True))
