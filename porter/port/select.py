"""Selection of the upstream files to port, and detection of the PyTorch release of a source tree."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from porter.base import regular_files, untrusted
from porter.base.errors import Problem, SourceError
from porter.base.globs import compile_glob
from porter.model.rules import Folder, Selection
from porter.port import header_tree, moved_definitions
from porter.port.moved_definitions import LARGEST_SHIM

_VERSION_OF = {"1.13.0a0": "1.13.1"}
"""Maps a wrong content of version.txt to the release: version.txt of the tag v1.13.1 contains 1.13.0a0."""
_VERSION = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}(\.[0-9]{1,6})?(?![0-9])")
_LANDMARKS = ("version.txt", "c10/cuda/CUDAStream.h", "aten/src/ATen/native/native_functions.yaml")


class SelectedFile(NamedTuple):
    """Upstream file to port."""

    path: str
    """Path from the root of the tree, with forward slashes."""
    reason: str
    """Reason for the selection, which the mapping states."""


def release_of(tree: Path) -> str:
    """PyTorch release of a source tree or a header tree: `2.6.0`.

    Raises SourceError when the folder is not a PyTorch tree, when version.txt is unreadable or states no version, or
    when a header tree contains files of two releases.
    """
    if not _is(stat.S_ISDIR, tree):
        raise SourceError("no such folder", str(tree), "give the root of a PyTorch source tree")
    missing = [name for name in _LANDMARKS if not _is(stat.S_ISREG, tree / name)]
    if missing:
        help = "looked for " + ", ".join(_LANDMARKS) + "; missing: " + ", ".join(missing)
        raise SourceError("is not a PyTorch source tree", str(tree), help)
    try:
        text = regular_files.read_text(tree / "version.txt").strip()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(tree / "version.txt")) from None
    except UnicodeDecodeError as error:
        text = f"is not UTF-8: byte {error.start}"
        raise SourceError(text, str(tree / "version.txt")) from None
    match = _VERSION.match(_VERSION_OF.get(text, text))
    if not match:
        help = "version.txt must begin with a version, for example 2.6.0a0"
        raise SourceError(f"'{text[:40]}' is not a version", str(tree / "version.txt"), help)
    header_tree.check_release(tree, match[0])
    return match[0]


def _is(kind: Callable[[int], bool], place: Path) -> bool:
    try:
        return kind(place.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None


def select(tree: Path, selection: Selection) -> list[SelectedFile]:
    """Files of a tree that match the selection, sorted by path.

    If upstream has moved the definitions of a selected header, the new header is selected too. Folders that the release
    lacks are ignored, and symbolic links to folders are followed. Raises SourceError, with all problems, for unreadable
    folders; for symbolic links that are broken, form a circle or leave the tree; and for entries with a selected suffix
    that are not regular files.
    """
    root = str(tree)
    walk = _Walk(root, os.path.realpath(root))
    excluded = [compile_glob(exclusion.glob) for exclusion in selection.excluded]
    found: dict[str, str] = {}
    by_name: set[str] = set()
    for folder in selection.folders:
        start = f"{root}/{folder.folder}"
        if not os.path.lexists(start):
            continue
        for path in (
            walk.named(folder)
            if folder.only
            else walk.files(folder.folder, (os.path.realpath(start),), folder.suffixes)
        ):
            if not any(pattern.fullmatch(path) for pattern in excluded):
                found.setdefault(path, folder.reason)
                if folder.only:
                    by_name.add(path)
    for old, new in walk.moved(found, by_name):
        if not any(pattern.fullmatch(new) for pattern in excluded):
            found.setdefault(new, f"has the definitions of {old}: {found[old]}")
    if walk.problems:
        raise SourceError(walk.problems)
    if not found:
        raise SourceError("the selection matches no file in this tree", str(tree))
    return [SelectedFile(path, found[path]) for path in sorted(found)]


class _Walk:
    """Traversal of the folders in a tree. Paths are strings, because Path objects are slow for thousands of files."""

    def __init__(self, root: str, real_root: str) -> None:
        self.root = root
        self.real_root = real_root
        self.problems: list[Problem] = []

    def named(self, folder: Folder) -> Iterator[str]:
        """Yield the paths, from the root, of the files that `folder`, an entry of the selection, lists by name.

        Missing files are skipped.
        """
        for name in folder.only:
            path = f"{folder.folder}/{name}"
            place = f"{self.root}/{path}"
            if not os.path.lexists(place) or not self._stays(place, os.path.realpath(place)):
                continue
            if os.path.isfile(place):  # noqa: PTH113  (for strings)
                yield path
            else:
                self._wrong("is not a regular file", place)

    def moved(self, found: Iterable[str], by_name: AbstractSet[str]) -> Iterator[tuple[str, str]]:
        """Yield (old path, new path) for each header in `found` whose definitions upstream has moved.

        The old and the new header have the same stem (file name without suffix). `by_name` are the headers that the
        selection lists by name; they are read in any size. All other headers are read only if they are small enough to
        be shims.
        """
        for old in sorted(found):
            path = old
            seen = {old}
            while path.endswith(moved_definitions.HEADERS):
                most = regular_files.MAX_BYTES if old in by_name else LARGEST_SHIM
                text = self._text(path, most)
                if text is None or not (old in by_name or moved_definitions.is_shim(text)):
                    break
                new = moved_definitions.new_place(path, text, self._is_file)
                if new is None or new in seen:
                    break
                yield old, new
                seen.add(new)
                path = new

    def _text(self, path: str, most: int) -> str | None:
        """Text of a file; None if the file is unreadable or has more than `most` bytes.

        An unreadable file is no problem here, because the rewriter reports it.
        """
        try:
            return regular_files.read_bytes(f"{self.root}/{path}", most).decode("latin-1")
        except OSError:
            return None

    def _is_file(self, path: str) -> bool:
        place = f"{self.root}/{path}"
        return self._is_inside(os.path.realpath(place)) and os.path.isfile(place)  # noqa: PTH113

    def files(self, folder: str, above: tuple[str, ...], suffixes: Sequence[str]) -> Iterator[str]:
        """Yield the paths, from the root, of all files with one of the suffixes, in a folder and its subfolders.

        `above` has the real paths of the folder and of the folders through which the traversal reached it. A symbolic
        link to one of these folders, or to a parent of one, would make the traversal endless and is a problem.
        """
        place = f"{self.root}/{folder}"
        if not self._stays(place, above[-1]):
            return
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            self._wrong(f"cannot be read: {error.strerror}", place)
            return
        for entry in entries:
            path = f"{folder}/{entry.name}"
            _, dot, suffix = entry.name.partition(".")
            wanted = suffix in suffixes
            if entry.is_symlink():
                real = os.path.realpath(entry.path)
                if not os.path.exists(entry.path):  # noqa: PTH110  (for strings)
                    # A broken link without a suffix may have been a link to a folder.
                    if wanted or not dot:
                        self._wrong("is a link that leads nowhere or in a circle", entry.path)
                    continue
                if entry.is_dir():
                    if any(f"{one}/".startswith(f"{real}/") for one in above):
                        self._wrong("is a link that leads in a circle", entry.path)
                    else:
                        yield from self.files(path, (*above, real), suffixes)
                    continue
                if not wanted or not self._stays(entry.path, real):
                    continue
            elif entry.is_dir():
                yield from self.files(path, (*above, f"{above[-1]}/{entry.name}"), suffixes)
                continue
            if wanted:
                if untrusted.has_control(entry.name):
                    self._wrong("its name contains a control character", entry.path)
                elif entry.is_file():
                    yield path
                else:
                    # Reading from a named pipe or a device could block for ever.
                    self._wrong("is not a regular file", entry.path)

    def _wrong(self, text: str, place: str) -> None:
        self.problems.append(Problem(text, place))

    def _stays(self, place: str, real: str) -> bool:
        if self._is_inside(real):
            return True
        self._wrong(f"is a link that leaves the source tree, to {real}", place)
        return False

    def _is_inside(self, real: str) -> bool:
        return real == self.real_root or real.startswith(f"{self.real_root.rstrip('/')}/")
