"""Sizes of the files of a toolkit folder, by which a folder that was cut off (a full disk, a crash) is recognised."""

from __future__ import annotations

import json
import os
from pathlib import Path

from porter.base import regular_files

_FILE = "contents.json"


def record(folder: Path) -> None:
    """Write the sizes of all files below a folder to a file in the folder."""
    sizes = {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != _FILE
    }
    (folder / _FILE).write_text(json.dumps(sizes, indent=1) + "\n", encoding="utf-8")


def is_whole(folder: Path) -> bool:
    """Test whether every recorded file of a folder exists with its size. Every call of the driver `simtcc` asks."""
    try:
        sizes = json.loads(regular_files.read_bytes(folder / _FILE))
        return all(os.stat(f"{folder}/{path}").st_size == size for path, size in sizes.items())  # noqa: PTH116
    except (OSError, ValueError, AttributeError):
        return False
