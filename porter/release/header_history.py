"""History of the selected headers: removed headers, their last releases, and the new headers of their definitions.

build_scripts/header_history collects the data from the header trees of the known releases and writes
mappings/pytorch/headers.json. For a newer release, porter searches the release's own tree.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base import regular_files, untrusted
from porter.base.errors import MappingError
from porter.cpp.defined_names import defined_names
from porter.mapping import library
from porter.model.moved_header import HeaderState, MovedHeader
from porter.model.versions import version
from porter.port import moved_definitions

FILE = "headers.json"
"""Name of the file in the mapping folder `pytorch`."""
_ROOTS = ("aten/src/ATen", "c10", "torch/headeronly", "torch/csrc")
"""Folders in which moved definitions are searched."""
_OTHER_DEVICES = frozenset(["xpu", "mps", "hip", "miopen", "mkldnn", "vulkan", "xnnpack"])
"""Folder names of other devices. These folders are not searched: their headers define the same names again."""
_MOST = 0.4
"""Smallest share of a removed header's names that the new header of its definitions must define."""


class GoneHeader(NamedTuple):
    """Header that some known release contains, but no newer known release."""

    last: str
    """Last known release with the header."""
    to: tuple[str, ...]
    """Headers of the next known release to which the definitions moved."""


class HeaderHistory(NamedTuple):
    """History of the selected headers over all known releases."""

    releases: tuple[str, ...]
    """Known releases whose header trees were read, oldest first."""
    gone: Mapping[str, GoneHeader]
    names: Mapping[str, tuple[str, ...]]
    """Maps a header of the newest known release to the names that the header defines."""

    def former(self, release: str) -> str:
        """Newest known release before `release`; empty if there is none."""
        older = [one for one in self.releases if version(one) < version(release)]
        return older[-1] if older else ""


def read(path: Path | None = None) -> HeaderHistory:
    """History from a file, by default from porter's own `headers.json`. Raises MappingError for a malformed file."""
    path = path or library.shipped() / "pytorch" / FILE
    try:
        data = untrusted.table(json.loads(regular_files.read_text(path)))
        gone = {
            name: GoneHeader(entry["last"], tuple(entry["to"]))
            for name, entry in data["gone"].items()
        }
        names = {name: tuple(words.split()) for name, words in data["names"].items()}
        return HeaderHistory(tuple(data["releases"]), gone, names)
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        help = "run build_scripts/header_history again"
        raise MappingError("is not a history of headers", str(path), help) from None


def moved(tree: Path, release: str, ported: Collection[str]) -> tuple[MovedHeader, ...]:
    """Selected headers without their former definitions: first upstream's shims, then headers that the release lacks.

    `ported` holds the upstream paths of the ported files.
    """
    return (*_shims(tree, ported), *_gone(tree, release, ported, read()))


def _shims(tree: Path, ported: Collection[str]) -> Iterator[MovedHeader]:
    for path in sorted(ported):
        if not path.endswith(moved_definitions.HEADERS):
            continue
        text = _text(tree / path, moved_definitions.LARGEST_SHIM)
        if not moved_definitions.is_shim(text):
            continue
        to = moved_definitions.new_place(path, text, lambda other: (tree / other).is_file())
        if to:
            yield _header(path, HeaderState.SHIM, (to,), "", ported)


def _gone(
    tree: Path, release: str, ported: Collection[str], history: HeaderHistory
) -> Iterator[MovedHeader]:
    for path, entry in history.gone.items():
        is_older = version(entry.last) < version(release)
        if is_older and path not in ported and not (tree / path).exists():
            to = tuple(place for place in entry.to if (tree / place).is_file())
            yield _header(path, HeaderState.GONE, to, entry.last, ported)
    newest = history.releases[-1]
    if version(newest) < version(release):
        lost = {path: names for path, names in history.names.items() if not (tree / path).exists()}
        places = new_places(tree, lost)
        for path in sorted(lost):
            yield _header(path, HeaderState.GONE, places[path], newest, ported)


def _header(
    path: str, state: HeaderState, to: tuple[str, ...], last: str, ported: Collection[str]
) -> MovedHeader:
    return MovedHeader(path, state, to, last, tuple(one for one in to if one not in ported))


def new_places(tree: Path, lost: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Maps the path of each removed header to the headers of the tree that now contain its definitions.

    `lost` maps the path of a removed header to the names that it defined. A header of the tree is in the result if it
    defines at least two fifths of these names. For a header with the file name of the removed header, one of the names
    suffices; if the removed header defined no names, its file name suffices.
    """
    places: dict[str, list[str]] = {path: [] for path in lost}
    words = {word for names in lost.values() for word in names}
    if not lost:
        return {}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words))) or '(?!)'})\b")
    file_names = {path.rpartition("/")[2] for path in lost}
    for place in _headers(tree):
        text = _text(tree / place)
        named = place.rpartition("/")[2] in file_names
        if not named and not pattern.search(text):
            continue
        defined = defined_names(text)
        for path, names in lost.items():
            shared = len(defined.intersection(names))
            same_name = named and place.rpartition("/")[2] == path.rpartition("/")[2]
            if (shared > 0 and (same_name or shared >= _MOST * len(names))) or (
                same_name and not names
            ):
                places[path].append(place)
    return {path: tuple(sorted(found)) for path, found in places.items()}


def _headers(tree: Path) -> Iterator[str]:
    """Paths of the headers in which moved definitions are searched."""
    for root in _ROOTS:
        for folder, below, files in os.walk(tree / root):
            below[:] = sorted(name for name in below if name not in _OTHER_DEVICES)
            relative = os.path.relpath(folder, tree)
            yield from (
                f"{relative}/{name}"
                for name in sorted(files)
                if name.endswith(moved_definitions.HEADERS)
            )


def _text(place: Path, most: int = regular_files.MAX_BYTES) -> str:
    """Text of a header; empty if the header is unreadable or has more than `most` bytes."""
    try:
        return regular_files.read_bytes(place, most).decode("latin-1")
    except OSError:
        return ""
