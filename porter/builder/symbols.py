"""The symbols of objects and libraries, by `nm`; what was read once is kept, by size and time of the file."""

from __future__ import annotations

import contextlib
import marshal
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.builder.toolchain import plain
from porter.errors import BuildError

_FORMAT = 1
_AT_ONCE = 64
"""Files that one nm reads."""


class Symbols(NamedTuple):
    """The symbols of one file that others may define or need, mangled."""

    defined: frozenset[str]
    undefined: frozenset[str]
    """Without weak ones, which may stay so, and without those that name the version of a system's library, where the
    linker has found them."""


class SymbolTable:
    """Reads symbols, and keeps them in a file."""

    def __init__(self, place: Path) -> None:
        """`place`: the file; it need not be there, and one that cannot be read counts as empty."""
        self.place = place
        self.known: dict[str, tuple[int, int, tuple[str, ...], tuple[str, ...]]] = {}
        self.changed = False
        with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
            form, known = marshal.loads(place.read_bytes())
            if form == _FORMAT:
                self.known = known

    def of(self, files: Sequence[Path], *, dynamic: bool = False) -> list[Symbols]:
        """The symbols of each of the files: of objects, or those of shared libraries (`dynamic`).

        Raises BuildError when nm is missing or cannot read one.
        """
        stamps = {str(file): _stamp(file) for file in files}
        stale = [file for file, stamp in stamps.items() if self.known.get(file, ())[:2] != stamp]
        for index in range(0, len(stale), _AT_ONCE):
            self._read(stale[index : index + _AT_ONCE], stamps, dynamic)
        return [
            Symbols(frozenset(self.known[str(file)][2]), frozenset(self.known[str(file)][3]))
            for file in files
        ]

    def save(self) -> None:
        """Keep what was read; a place that takes no data is done without."""
        if not self.changed:
            return
        known = {file: entry for file, entry in self.known.items() if os.path.exists(file)}  # noqa: PTH110
        with contextlib.suppress(OSError):
            self.place.write_bytes(marshal.dumps((_FORMAT, known)))

    def _read(self, files: list[str], stamps: dict[str, tuple[int, int]], dynamic: bool) -> None:
        self.changed = True
        lines = nm(["-D"] if dynamic else ["-g"], files)
        for file, symbols in _by_file(files, lines):
            self.known[file] = (*stamps[file], *symbols)


def nm(options: Sequence[str], files: Sequence[str]) -> list[str]:
    """The lines that nm writes in POSIX format. Raises BuildError when it fails."""
    command = ["nm", *options, "--format=posix", *files]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=plain())
    except OSError as error:
        help = "it comes with the compiler (Debian: apt install binutils)"
        raise BuildError(f"nm does not start: {error.strerror}", help=help) from None
    if done.returncode != 0:
        raise BuildError(f"symbols cannot be read: {done.stderr.strip()}")
    return done.stdout.splitlines()


def demangled(names: Iterable[str]) -> dict[str, str]:
    """Mangled name -> the name as it is written in C++ (the same, without c++filt)."""
    listed = list(names)
    try:
        done = subprocess.run(
            ["c++filt"], input="\n".join(listed), capture_output=True, text=True, check=False
        )
    except OSError:
        return dict(zip(listed, listed, strict=True))
    lines = done.stdout.splitlines()
    return dict(zip(listed, lines, strict=True)) if len(lines) == len(listed) else {}


def _by_file(
    files: list[str], lines: list[str]
) -> Iterable[tuple[str, tuple[tuple[str, ...], tuple[str, ...]]]]:
    """What nm says of each file; with several files, a line `file:` stands before each one's symbols."""
    pieces: dict[str, list[str]] = {file: [] for file in files}
    current = pieces[files[0]]
    for line in lines:
        if line.endswith(":") and line[:-1] in pieces:
            current = pieces[line[:-1]]
        else:
            current.append(line)
    for file, own in pieces.items():
        defined, undefined = [], []
        for line in own:
            name, kind = line.split(" ", 2)[:2]
            plain_name, _, version = name.partition("@")
            if kind == "U":
                if not version:
                    undefined.append(name)
            elif kind not in "wv":
                defined.append(plain_name)
        yield file, (tuple(defined), tuple(undefined))


def _stamp(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError as error:
        raise BuildError(f"cannot be read: {error.strerror}", str(file)) from None
    return status.st_size, status.st_mtime_ns
