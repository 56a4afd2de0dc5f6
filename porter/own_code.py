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
    """Changes with porter's version, and with some modules and folders of the package; with all without `parts`."""
    code = hashlib.sha256(porter.__version__.encode())
    for part in [f"{_ROOT}/{part}" for part in parts] or sorted(_folders(_ROOT)):
        modules = [part] if part.endswith(".py") else sorted(_modules(part))
        for module in modules:
            status = os.stat(module)  # noqa: PTH116  (for strings)
            name = module.rpartition("/")[2]
            code.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return code.hexdigest()


def _modules(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.name.endswith(".py"):
            yield entry.path


def _folders(folder: str) -> Iterator[str]:
    yield folder
    for entry in os.scandir(folder):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _folders(entry.path)
