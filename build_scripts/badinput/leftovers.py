"""Comparison of a folder before and after a command: finds changed files, and files left over from staging."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

FileState = tuple[int, int, int, int]
"""Mode, size in bytes, inode, and modification time in ns. For a folder, size and time are 0."""
_STAGED = re.compile(r"^\..*\.(staging|new)$")


def files(folder: Path) -> dict[str, FileState]:
    """Maps the path, relative to `folder`, of each file, link and folder in `folder` to its state."""
    found: dict[str, FileState] = {}
    for place, folders, names in os.walk(os.fsencode(folder)):
        for name in (*folders, *names):
            path = os.path.join(place, name)  # noqa: PTH118
            state = os.lstat(path)
            is_folder = os.path.isdir(path) and not os.path.islink(path)  # noqa: PTH112, PTH114
            size, time = (0, 0) if is_folder else (state.st_size, state.st_mtime_ns)
            inside = os.path.relpath(path, os.fsencode(folder))
            found[os.fsdecode(inside)] = (state.st_mode, size, state.st_ino, time)
    return found


def changed(before: Mapping[str, FileState], after: Mapping[str, FileState]) -> Iterator[str]:
    """Yield the paths in `before` that do not exist in `after` or whose state changed."""
    return (path for path, state in before.items() if after.get(path) != state)


def staged(before: Mapping[str, FileState], after: Mapping[str, FileState]) -> Iterator[str]:
    """Yield new paths with the name of a staging folder or temporary file.

    A command must rename or remove such files before it ends.
    """
    return (
        path for path in after if path not in before and any(map(_STAGED.match, path.split("/")))
    )
