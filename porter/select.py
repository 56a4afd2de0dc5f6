"""Which upstream files are ported, each with its reason; and what kind of tree they come from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.errors import Problem, SourceError
from porter.globs import matches
from porter.model.rules import Selection

_VERSION_OF = {"1.13.0a0": "1.13.1"}
"""version.txt -> release, where upstream forgot to say so: tag v1.13.1 still carries 1.13.0a0."""
_LANDMARKS = ("version.txt", "c10/cuda/CUDAStream.h", "aten/src/ATen/native/native_functions.yaml")


@dataclass(frozen=True)
class Selected:
    """One upstream file to port."""

    path: str
    """From the root of the tree, with forward slashes."""
    reason: str


def release_of(tree: Path) -> str:
    """The PyTorch release of a source tree: `2.6.0`.

    Raises SourceError, saying what was looked for, when the folder is no PyTorch tree.
    """
    if not tree.is_dir():
        raise SourceError("no such folder", str(tree), "give the root of a PyTorch source tree")
    missing = [name for name in _LANDMARKS if not (tree / name).is_file()]
    if missing:
        help = "looked for " + ", ".join(_LANDMARKS) + "; missing: " + ", ".join(missing)
        raise SourceError("not a PyTorch source tree", str(tree), help)
    try:
        text = (tree / "version.txt").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read: {error}", str(tree / "version.txt")) from None
    match = re.match(r"\d+\.\d+(\.\d+)?", _VERSION_OF.get(text, text))
    if not match:
        raise SourceError(f"'{text[:40]}' is not a version", str(tree / "version.txt"))
    return match[0]


def select(tree: Path, selection: Selection) -> list[Selected]:
    """The files of a tree that the selection names, sorted by path.

    Folders a release does not have are passed over. Raises SourceError for folders that cannot be read, links that go
    round in circles and links that leave the tree.
    """
    problems: list[Problem] = []
    found: dict[str, str] = {}
    for folder in selection.folders:
        root = tree / folder.folder
        if not root.is_dir():
            continue
        for path in _files(root, tree, problems):
            name = path.name
            suffix = name.partition(".")[2]
            if suffix not in folder.suffixes:
                continue
            relative = path.relative_to(tree).as_posix()
            if not any(matches(relative, (excluded.glob,)) for excluded in selection.excluded):
                found.setdefault(relative, folder.reason)
    if problems:
        raise SourceError(problems)
    if not found:
        raise SourceError("the selection finds no file in this tree", str(tree))
    return [Selected(path, found[path]) for path in sorted(found)]


def _files(root: Path, tree: Path, problems: list[Problem]) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        problems.append(Problem(f"cannot be read: {error.strerror}", str(error.filename)))

    for folder, _, names in os.walk(root, onerror=unreadable):
        for name in names:
            path = Path(folder, name)
            if path.is_symlink() and not _stays(path, tree, problems):
                continue
            yield path


def _stays(link: Path, tree: Path, problems: list[Problem]) -> bool:
    try:
        real = link.resolve(strict=True)
    except (OSError, RuntimeError):
        problems.append(Problem("a link that leads nowhere or in a circle", str(link)))
        return False
    if not real.is_relative_to(tree.resolve()):
        problems.append(Problem(f"a link that leaves the source tree, to {real}", str(link)))
        return False
    return real.is_file()
