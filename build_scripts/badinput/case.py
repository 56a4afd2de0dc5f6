"""Invalid input for a command, as data: the command, files to prepare, and permitted exit codes."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

OK, FINDINGS, USAGE, MAPPING, SOURCE, OVERLAY, REGISTER, BUILD, VERIFY = range(9)
INTERRUPTED = 130
Codes = frozenset[int]
REFUSED: Codes = frozenset({USAGE, MAPPING, SOURCE})


class Fifo(NamedTuple):
    """Named pipe to which no process writes."""


class Socket(NamedTuple):
    """Unix socket on which no process listens."""


class Folder(NamedTuple):
    """Empty folder."""


class Gone(NamedTuple):
    """Removal of an existing file."""


class Link(NamedTuple):
    """Symbolic link."""

    to: str


class Sparse(NamedTuple):
    """Sparse file of NUL bytes, which takes no disk space."""

    size: int


class Swap(NamedTuple):
    """Replacement of a text in an existing file."""

    old: str
    new: str


Thing = str | bytes | Fifo | Socket | Folder | Gone | Link | Sparse | Swap


class Case(NamedTuple):
    """One invalid input for a command."""

    name: str
    args: tuple[str | bytes, ...]
    codes: Codes
    """Permitted exit codes."""
    files: Mapping[str, Thing] = {}
    """Maps a path in the folder of the case to the content that is prepared before the command runs."""
    env: Mapping[str, str | None] = {}
    """Maps the name of an environment variable to its value. None removes the variable."""
    stdin: str = os.devnull
    """Standard input of the command: a path, `closed`, or `=` followed by the text itself."""
    stdout: str = ""
    """Standard output of the command: a path, or `closed`. If empty, the output is captured."""
    stderr: str = ""
    says: str = ""
    """Regular expression that must occur in stderr."""
    help: bool = True
    """True if an error message must have a `help:` line."""
    fresh: bool = False
    """True if the case needs a new interpreter, because the interpreter reads the tested setting at its start."""
    gone: bool = False
    """True if the current folder is removed before the command runs."""
    signal: int = 0
    """Signal that is sent to the command; 0 for none."""
    after: float = 0.0
    """Seconds until the signal is sent."""
    writes: frozenset[str] = frozenset()
    """Paths of prepared files that the command may replace, even if it fails."""


def prepare(folder: Path, files: Mapping[str, Thing]) -> None:
    """Write the files of a case into its folder. Raises ValueError if a file lacks the text that a Swap replaces."""
    for path, thing in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(thing, Swap):
            text = place.read_text(encoding="utf-8")
            if thing.old not in text:
                raise ValueError(f"{path} does not hold {thing.old!r}")
            place.write_text(text.replace(thing.old, thing.new, 1), encoding="utf-8")
            continue
        if place.is_symlink() or place.is_file():
            place.unlink()
        _make(place, thing)


def _make(place: Path, thing: Thing) -> None:
    match thing:
        case str():
            place.write_text(thing, encoding="utf-8", errors="surrogatepass")
        case bytes():
            place.write_bytes(thing)
        case Fifo():
            os.mkfifo(place)
        case Folder():
            place.mkdir(exist_ok=True)
        case Link():
            place.symlink_to(thing.to)
        case Sparse():
            with place.open("wb") as file:
                file.truncate(thing.size)
        case Socket():
            # The name of a socket is limited to about 100 bytes; the folder of a case may have a longer path.
            before = Path.cwd()
            os.chdir(place.parent)
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(place.name)
            os.chdir(before)
