"""Fingerprints of porter's own code. A stored result becomes invalid when the code that computed it changes.

An `Answer` declares a kind of stored result, with the packages whose code computes the result. A change of any module
in these packages invalidates the stored results; a change of any other module does not.
`tests/unit/base/test_fingerprint.py` compares each declaration with the imports of the code that computes the result.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterator
from typing import NamedTuple

import porter

_ROOT = os.path.dirname(porter.__file__)  # noqa: PTH120  (for strings)


class Answer(NamedTuple):
    """Kind of stored result, with the packages that compute it."""

    kind: str
    """Name of the kind, and of the folder with its entries in the disk cache."""
    packages: tuple[str, ...]
    """Packages of porter whose code computes the result: `base`, `rewrite` ..."""

    def code(self) -> str:
        """Hexadecimal digest of porter's version and of the path, size and time of every module in the packages."""
        return _digest(self.packages)


@functools.cache
def _digest(packages: tuple[str, ...]) -> str:
    code = hashlib.sha256(porter.__version__.encode())
    for package in sorted(packages):
        for module in sorted(_modules(f"{_ROOT}/{package}")):
            status = os.stat(module)  # noqa: PTH116  (for strings)
            name = module[len(_ROOT) :]
            code.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return code.hexdigest()


def _modules(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.name.endswith(".py"):
            yield entry.path
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _modules(entry.path)
