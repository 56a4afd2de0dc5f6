"""Reader of the symbols of objects and libraries."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import elf
from porter.base.file_records import FileRecords
from porter.base.fingerprint import Answer

SYMBOLS = Answer("link-symbols", ("base", "builder"))


class LinkSymbols(NamedTuple):
    """Mangled symbols that one file defines, and mangled symbols that it needs (see `porter.base.elf.ElfSymbols`)."""

    defined: frozenset[str]
    undefined: frozenset[str]


class SymbolTable:
    """Symbols of objects and libraries, stored in a file of the build folder between runs."""

    def __init__(self, place: Path) -> None:
        """`place`: path of the file that stores the symbols."""
        self._records = FileRecords(place, SYMBOLS, LinkSymbols)

    def of(self, files: Sequence[Path]) -> list[LinkSymbols]:
        """Symbols of each object, or exports and imports of each shared library, in the order of `files`.

        Raises SourceError when a file cannot be read.
        """
        return [self._records.of(file, _read) for file in files]

    def save(self) -> None:
        """Write the symbols of all files to the table's own file."""
        self._records.save()


def _read(file: Path) -> LinkSymbols:
    symbols = elf.read(file)
    return LinkSymbols(symbols.defined, symbols.undefined)


def demangled(names: Iterable[str]) -> dict[str, str]:
    """Maps a mangled name to its C++ name, which the program c++filt finds, or to itself if c++filt is missing."""
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
