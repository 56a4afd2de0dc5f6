"""Search for mentions of PyTorch's headers in the backend's sources and in the mappings, with their lines."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from porter.base import resources
from porter.cpp.lex import decode
from porter.mapping.places import Places
from porter.model.rules import RuleSet
from porter.rewrite.kinds.path import INCLUDE_ROOTS

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.M)
_SUFFIXES = frozenset({".h", ".cpp", ".cu", ".cuh"})


class BackendFile(NamedTuple):
    """Source file of the backend."""

    path: str
    """Path that begins with the backend's folder: `backend/csrc/Hooks.cpp`."""
    text: str

    def includes(self) -> Iterator[tuple[str, int]]:
        """Include paths in the file, each with its line number."""
        for match in _INCLUDE.finditer(self.text):
            yield match[1], self.text.count("\n", 0, match.start()) + 1


class Mention(NamedTuple):
    """Mention of a header. The header must exist in the release."""

    path: str
    """Path from the root of a tree."""
    place: str
    """`file:line` of the mention."""
    selects: bool = False
    """True if the mention is an entry of the selection."""


def backend(folder: Path | None = None) -> tuple[BackendFile, ...]:
    """Source files of the backend in `folder`, sorted by path. The default is porter's own backend."""
    folder = folder or resources.folder("backend")
    return tuple(
        BackendFile(f"backend/{path.relative_to(folder).as_posix()}", decode(path.read_bytes()))
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SUFFIXES and path.is_file()
    )


def resolve(include: str, known: frozenset[str], beside: str = "") -> str:
    """Path, from the root, of the header that an include path denotes; empty if the tree lacks it.

    `known` are the headers of the tree, and `beside` is the path of the including file.
    """
    for root in INCLUDE_ROOTS:
        if root + include in known:
            return root + include
    near = posixpath.normpath(posixpath.join(posixpath.dirname(beside), include))
    return near if beside and near in known else ""


def mentions(
    files: tuple[BackendFile, ...], rules: RuleSet, places: Places, known: frozenset[str]
) -> Iterator[Mention]:
    """Mentions of headers in the backend's sources `files`, in the selection and in `patch` rules.

    `known`: the headers to look for, as paths from the root of the tree. `places` formats lines of mapping files.
    """
    for file in files:
        for include, line in file.includes():
            if path := resolve(include, known):
                yield Mention(path, f"{file.path}:{line}")
    for folder in rules.selection.folders:
        for name in folder.only:
            path = f"{folder.folder}/{name}"
            if path in known:
                word = name.rpartition("/")[2]
                place = places.of_word(folder.origin.file, word, folder.origin.line)
                yield Mention(path, place, selects=True)
    for index in rules.of_kind("patch"):
        rule = rules.rules[index]
        if rule.match in known:
            yield Mention(rule.match, places.of(rule.origin))
