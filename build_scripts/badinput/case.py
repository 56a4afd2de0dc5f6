"""A bad input as data: a command, what is prepared for it, and which exit codes are right."""

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
    """A named pipe that nobody writes to."""


class Socket(NamedTuple):
    """A socket that nobody listens to."""


class Folder(NamedTuple):
    """An empty folder."""


class Gone(NamedTuple):
    """Nothing: what was there is removed."""


class Link(NamedTuple):
    """A symbolic link."""

    to: str


class Sparse(NamedTuple):
    """A file of so many NUL bytes, which take no room."""

    size: int


class Swap(NamedTuple):
    """A file in which a text is replaced."""

    old: str
    new: str


Thing = str | bytes | Fifo | Socket | Folder | Gone | Link | Sparse | Swap


class Case(NamedTuple):
    """One bad input."""

    name: str
    args: tuple[str | bytes, ...]
    codes: Codes
    """Exit codes that are right."""
    files: Mapping[str, Thing] = {}
    """Path, from the folder of the case -> what is put there before the command runs."""
    env: Mapping[str, str | None] = {}
    """Environment variables that are set, or removed (None)."""
    stdin: str = os.devnull
    """A path, `closed`, or `=` and the text itself."""
    stdout: str = ""
    """A path, or `closed`; empty: it is kept."""
    stderr: str = ""
    says: str = ""
    """Regular expression that is found in the standard error."""
    help: bool = True
    """True if an error must say what to do."""
    fresh: bool = False
    """True if a new interpreter is started, since what is odd is read when one starts."""
    gone: bool = False
    """True if the folder in which the command is called is removed first."""
    signal: int = 0
    """Sent after a while."""
    after: float = 0.0
    """Seconds until the signal."""


def prepare(folder: Path, files: Mapping[str, Thing]) -> None:
    """Put what a case needs into its folder."""
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
            # The name of a socket is short; the folder of a case may be deep.
            before = Path.cwd()
            os.chdir(place.parent)
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(place.name)
            os.chdir(before)
