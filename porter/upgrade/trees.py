"""Trees to compare. The user gives each tree as a folder, or as a release whose tree is in the cache."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from porter.base import disk_cache, regular_files
from porter.base.errors import Problem, SourceError
from porter.model.upgrade import ComparedTree
from porter.model.versions import version
from porter.port import header_tree
from porter.port.select import release_of

_RELEASE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){1,2}")
_HEADER_FOLDERS = ("c10", "aten/src/ATen", "torch/csrc", "torch/headeronly", "torch/include/kineto")
_HEADER = (".h", ".hpp", ".cuh")


class Tree(NamedTuple):
    """Tree of one release, with a list of its headers."""

    root: Path
    release: str
    is_header_tree: bool
    headers: frozenset[str]
    """Paths, from the root, of the headers of c10, ATen and torch, except generated headers."""
    stamp: str
    """Hexadecimal digest of the root's path and of the names, sizes and times of all headers."""

    @property
    def described(self) -> ComparedTree:
        return ComparedTree(self.release, str(self.root), self.is_header_tree)

    def has(self, path: str) -> bool:
        """Test whether the tree has a file."""
        return path in self.headers or (self.root / path).is_file()

    def text(self, path: str) -> str:
        """Text of a file, in which each character represents one byte. Raises SourceError if it cannot be read."""
        try:
            return regular_files.read_bytes(self.root / path).decode("latin-1")
        except OSError as error:
            place = str(self.root / path)
            raise SourceError(f"cannot be read: {error.strerror}", place) from None


def pair(a: str, b: str) -> tuple[Tree, Tree]:
    """Trees for the texts `a` and `b`, each of which is a folder or a release.

    The cache may have a source tree and a header tree of a release. Source trees are taken if both texts have one;
    otherwise header trees are preferred.

    Raises SourceError for a text that is neither a folder nor a fetched release, for a folder that is not a PyTorch
    tree or mixes two releases, and for two trees of the same release. One error contains the problems of both texts.
    """
    problems: list[Problem] = []
    found = []
    for text in (a, b):
        try:
            found.append(_candidates(text))
        except SourceError as error:
            problems.extend(error.problems)
    if problems:
        raise SourceError(problems)
    whole = all(header_tree.read(places[0]) is None for places in found)
    places = [one[0] if whole else one[-1] for one in found]
    for place in places:
        try:
            release_of(place)
            header_tree.check_whole(place)
        except SourceError as error:
            problems.extend(error.problems)
    if problems:
        raise SourceError(problems)
    first, second = map(_read, places)
    if first.release == second.release:
        help = "give two releases: porter upgrade 2.6.0 2.7.1"
        text = f"PyTorch {first.release} is given twice"
        raise SourceError(text, str(second.root), help)
    return first, second


def _candidates(text: str) -> tuple[Path, ...]:
    """Possible folders for a text: an existing folder, or a release's source tree and header tree in the cache."""
    place = Path(text)
    if place.is_dir():
        return (place,)
    if not _RELEASE.fullmatch(text):
        help = "give the root of a tree, or a release: porter upgrade 2.6.0 2.7.1"
        raise SourceError("is neither a folder nor a release", text, help)
    home = disk_cache.folder() / "releases"
    exact = [home / f"pytorch-{text}", home / f"pytorch-{text}{header_tree.SUFFIX}"]
    fetched = [path for path in exact if path.is_dir()]
    if not fetched and text.count(".") == 1:
        patches = home.glob(f"pytorch-{text}.*{header_tree.SUFFIX}")
        fetched = sorted(patches, key=lambda path: version(path.name.removeprefix("pytorch-")))[-1:]
    if not fetched:
        help = f"fetch its headers: porter release fetch {text}-headers"
        raise SourceError(f"PyTorch {text} is not in the cache", str(home), help)
    return tuple(fetched)


def _read(root: Path) -> Tree:
    files = sorted(_headers(root))
    stamp = hashlib.sha256(f"{root}\n".encode())
    for path, status in files:
        stamp.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return Tree(
        root,
        release_of(root),
        header_tree.read(root) is not None,
        frozenset(path for path, _ in files),
        stamp.hexdigest(),
    )


def _headers(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    for folder in _HEADER_FOLDERS:
        for place, _, names in os.walk(root / folder):
            inside = os.path.relpath(place, root)
            for name in names:
                if name.endswith(_HEADER):
                    yield f"{inside}/{name}", os.stat(f"{place}/{name}")  # noqa: PTH116
