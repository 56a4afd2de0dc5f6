"""Include folders of a compilation, and the files that the `#include` directives of a source denote."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

_INCLUDE = re.compile(
    r"^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(?:/\*[^*\n]*\*/[ \t]*)?([\"<])([^\">\n]+)[\">]",
    re.M,
)
_NAMED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+\w+[ \t]+([\"<])([^\">\n]+\.(?:c|cc|cpp|cu|cuh|cxx|h|hh|hpp|hxx|inc|inl))[\">]",
    re.M,
)
"""Definition of a macro that may name a header: `#include HEADER`. The suffix tells a header from other files."""
_OPTIONS = ("-iquote", "-I", "-isystem", "-idirafter")
"""Options that add an include folder, in the order in which g++ searches their folders."""
_CUDA_FOLDER = "cuda_runtime_api.h"
"""Header that identifies the include folder of a CUDA toolkit."""
_PYBIND11 = "/pybind11/"
"""Folder of pybind11's headers in a path."""


class Include(NamedTuple):
    """Include path of a source."""

    path: str
    quoted: bool


def includes(text: str) -> list[Include]:
    """Include paths of a source, also those that macros name, without duplicates.

    Paths under false conditions are included.
    """
    found = (
        Include(match[2], match[1] == '"')
        for pattern in (_INCLUDE, _NAMED)
        for match in pattern.finditer(text)
    )
    return list(dict.fromkeys(found))


class SearchPath:
    """Include folders in the order of search.

    `outside` are folders whose headers are not ported: those of PyTorch, of Python, of the target's runtime. Folders
    of CUDA's own headers are not ported either, and neither is pybind11, which PyTorch's headers include: a header and
    its port, both included, define everything twice.
    """

    def __init__(self, options: Sequence[str], outside: Sequence[str]) -> None:
        self._outside = tuple(f"{os.path.realpath(place)}/" for place in outside)
        folders = [folder for option in _OPTIONS for folder in _folders(options, option)]
        self.quoted = [os.path.abspath(folder) for folder in _folders(options, "-iquote")]  # noqa: PTH100
        self.all = [os.path.abspath(folder) for folder in dict.fromkeys(folders)]  # noqa: PTH100
        self._usable = {folder: self._is_own(folder) for folder in self.all}

    @property
    def own(self) -> list[str]:
        """Absolute paths of the folders whose headers are ported, in the order of search."""
        return [folder for folder in self.all if self._usable[folder]]

    def find(self, include: Include, beside: str) -> str:
        """Absolute path of the file that an include in a file of the folder `beside` denotes.

        Empty if there is no such file, or if porter does not port it.
        """
        if os.path.isabs(include.path):  # noqa: PTH117
            place = os.path.normpath(include.path)
            return place if os.path.isfile(place) and not self.is_outside(place) else ""  # noqa: PTH113
        places = [beside] if include.quoted else []
        for folder in (*places, *self.all):
            if not include.quoted and folder in self.quoted:
                continue
            place = os.path.normpath(f"{folder}/{include.path}")
            if os.path.isfile(place):  # noqa: PTH113
                is_own = folder == beside or self._usable[folder]
                return place if is_own and not self.is_outside(place) else ""
        return ""

    def is_outside(self, place: str) -> bool:
        """Test whether a file lies in one of the folders that are not ported, or is a header of pybind11."""
        before, found, _ = place.rpartition(_PYBIND11)
        if found and os.path.isfile(f"{before}{_PYBIND11}pybind11.h"):  # noqa: PTH113
            return True
        return f"{os.path.realpath(place)}/".startswith(self._outside)

    def _is_own(self, folder: str) -> bool:
        return not self.is_outside(folder) and not os.path.isfile(f"{folder}/{_CUDA_FOLDER}")  # noqa: PTH113


def _folders(options: Sequence[str], wanted: str) -> list[str]:
    found = []
    rest = iter(options)
    for word in rest:
        if word == wanted:
            found.append(next(rest, ""))
        elif word.startswith(wanted) and len(word) > len(wanted):
            found.append(word[len(wanted) :])
    return [folder for folder in found if folder]


def mirrored(options: Sequence[str], mirror: str, search: SearchPath) -> list[str]:
    """Options of a compilation with the folder of ported headers before each folder whose headers are ported."""
    own = set(search.own)
    out: list[str] = []
    rest = iter(options)
    for word in rest:
        option = next((one for one in _OPTIONS if word.startswith(one)), None)
        if option is None:
            out.append(word)
            continue
        folder = word[len(option) :] or next(rest, "")
        place = os.path.abspath(folder)  # noqa: PTH100
        folders = [f"{mirror}{place}", folder] if place in own else [folder]
        for one in folders:
            out += [f"-I{one}"] if option == "-I" else [option, one]
    return out
