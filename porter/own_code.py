"""What porter's own code is told by: a port or a rule set that another porter made is not taken for current."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterator

import porter

_ROOT = os.path.dirname(porter.__file__)  # noqa: PTH120  (for strings)


@functools.cache
def fingerprint(*parts: str) -> str:
    """Changes with porter's version, and with the modules of some folders of the package; of all without `parts`."""
    code = hashlib.sha256(porter.__version__.encode())
    folders = [f"{_ROOT}/{part}".rstrip("/") for part in parts] or sorted(_folders(_ROOT))
    for folder in folders:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                status = entry.stat()
                code.update(f"{entry.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return code.hexdigest()


def _folders(folder: str) -> Iterator[str]:
    yield folder
    for entry in os.scandir(folder):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _folders(entry.path)
