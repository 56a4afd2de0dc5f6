"""Folders that change at once: a staging folder beside the old one, swapped in when it is whole.

A process killed at any moment leaves either the old folder or the new one, never a mixture; the next run clears what
was staged.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from porter.errors import SourceError

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
"""linux/fs.h; renameat2(2)."""


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[Path]:
    """Hold the lock of an output folder and give an empty staging folder beside it.

    Raises SourceError when another run holds the lock, or the place cannot be written. What is left of the staging
    folder is removed at the end.
    """
    lock = folder.parent / f".{folder.name}.lock"
    staging = folder.parent / f".{folder.name}.staging"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        handle = lock.open("w")
    except OSError as error:
        raise cannot_write(error, folder.parent) from None
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            help = "wait until it ends, or choose another --out"
            raise SourceError("another run is writing here", str(folder), help) from None
        try:
            _clear(staging)
            staging.mkdir()
            yield staging
        except OSError as error:
            raise cannot_write(error, folder) from None
        finally:
            with contextlib.suppress(OSError):
                _clear(staging)


def swap_in(staging: Path, folder: Path) -> None:
    """Put the staged folder in the place of `folder` in one step; `staging` then holds what was there before."""
    if not folder.exists():
        staging.rename(folder)
        return
    libc = ctypes.CDLL(None, use_errno=True)
    renameat2 = getattr(libc, "renameat2", None)
    paths = (os.fsencode(staging), os.fsencode(folder))
    if renameat2 and renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0:
        return
    code = ctypes.get_errno() if renameat2 else errno.ENOSYS
    if code not in (errno.ENOSYS, errno.EINVAL):
        raise OSError(code, os.strerror(code), str(folder))
    # No exchange on this system: two renames, the one window in which a kill leaves the old folder under another name.
    aside = folder.parent / f".{folder.name}.previous"
    _clear(aside)
    folder.rename(aside)
    staging.rename(folder)
    aside.rename(staging)


def recover(folder: Path) -> None:
    """Put back what a run killed between two renames left aside."""
    aside = folder.parent / f".{folder.name}.previous"
    if aside.is_dir() and not folder.exists():
        aside.rename(folder)


def cannot_write(error: OSError, place: Path) -> SourceError:
    """The error for a place that takes no more data."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    help = "free some space, or choose another --out" if full else ""
    where = error.filename if isinstance(error.filename, str) else str(place)
    return SourceError(f"cannot be written: {error.strerror or error}", where, help)


def _clear(folder: Path) -> None:
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)
