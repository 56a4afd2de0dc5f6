"""Names in the headers of a vendor's SDK.

An identifier counts as present when it occurs in the code of a header, outside comments and literals. This is weaker
than a declaration found by a compiler, but works for an SDK's headers on any machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.base.errors import Problem, SourceError, UsageError
from porter.cpp.lex import Kind, decode, opaque
from porter.rewrite.source import WORD

_SUFFIXES = frozenset({"", ".h", ".hh", ".hpp", ".hxx", ".cuh", ".inc", ".inl", ".ipp"})
"""Suffixes of headers; headers of C++ libraries may have none."""
_LARGEST = 16 << 20
"""Size limit of a header in bytes."""
_NO_CODE = frozenset({Kind.COMMENT, Kind.STRING, Kind.CHAR, Kind.MESSAGE})


@dataclass(frozen=True)
class Sdk:
    """Identifiers and headers of an SDK."""

    folders: tuple[str, ...]
    """Folders that were read, as the user named them."""
    words: frozenset[str]
    """All identifiers in the code of the headers."""
    headers: frozenset[str]
    """Paths of each header relative to every folder above the header: `hip/hip_runtime.h` and `hip_runtime.h`."""

    def has(self, words: Sequence[str]) -> bool:
        """Test whether the headers contain all the words."""
        return self.words.issuperset(words)


def read(folders: Sequence[Path]) -> Sdk:
    """Read the names of an SDK in one or more folders.

    Raises UsageError with every folder that contains no header, SourceError for an unreadable header.
    """
    words: set[str] = set()
    headers: set[str] = set()
    problems = []
    for folder in folders:
        before = len(headers)
        for path in header_files(folder):
            parts = path.relative_to(folder).parts
            headers.update("/".join(parts[start:]) for start in range(len(parts)))
            words |= words_of(path)
        if len(headers) == before:
            what = "contains no header" if folder.is_dir() else "is no folder"
            help = "give --sdk the folder with the SDK's headers"
            problems.append(Problem(what, str(folder), help))
    if problems:
        raise UsageError(problems)
    return Sdk(tuple(map(str, folders)), frozenset(words), frozenset(headers))


def header_files(folder: Path) -> Iterator[Path]:
    """Yield the headers in a folder and its subfolders. Links are followed; each folder is read once."""
    seen = set()
    for place, folders, files in os.walk(folder, followlinks=True):
        # In SDKs, folders contain links to each other.
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        for name in files:
            path = Path(place, name)
            if path.suffix.lower() in _SUFFIXES and path.is_file():
                yield path


def words_of(path: Path) -> set[str]:
    """Identifiers in the code of a header; an empty set for a binary or a huge file.

    Raises SourceError for an unreadable file.
    """
    try:
        if path.stat().st_size > _LARGEST:
            return set()
        raw = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(path)) from None
    if b"\0" in raw[:4096]:
        return set()  # A program or an archive: a file without a suffix need not be a header.
    text = decode(raw)
    found: set[str] = set()
    start = 0
    for token in opaque(text):
        if token.kind in _NO_CODE:
            found.update(WORD.findall(text, start, token.start))
            start = token.end
    found.update(WORD.findall(text, start))
    return found
