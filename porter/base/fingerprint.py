"""Fingerprints of porter's own code: a stored answer becomes invalid when the code that computed the answer changes.

An answer is declared with the packages whose code computes it. A change of any module in these packages makes stored
answers obsolete; a change of any other module leaves them valid. `tests/unit/base/test_fingerprint.py` holds each
declaration against the imports of the code that computes the answer.
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
    """A kind of stored answer."""

    kind: str
    """Name; entries of the disk cache lie in a folder of this name."""
    packages: tuple[str, ...]
    """Packages of porter whose code computes the answer: `base`, `rewrite` ..."""

    def code(self) -> str:
        """Hexadecimal digest that changes with porter's version and with every module of the packages."""
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
