"""Folders that change at once: a staging folder beside the old one, swapped in when it is whole.

A process killed at any moment leaves either the old folder or the new one, never a mixture; the next run clears what
was staged.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat as stat_module
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from porter.base import regular_files, untrusted
from porter.base.errors import Problem, SourceError
from porter.base.sigint import undisturbed

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
"""linux/fs.h; renameat2(2)."""
_PATIENCE = 1.0
"""Seconds to wait for a lock: the workers of a run that was killed hold it until they notice."""


_BESIDE = ("lock", "staging", "previous")


def companions(folder: Path) -> list[Path]:
    """What `exclusive` and `swap_in` keep, or leave when they are killed, beside a folder."""
    return [_beside(folder, what) for what in _BESIDE]


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[Path]:
    """Hold the lock of an output folder and give an empty staging folder beside it.

    Raises SourceError when another run holds the lock, or the place cannot be written. What is left of the staging
    folder is removed at the end.
    """
    staging = _beside(folder, "staging")
    with lock(folder):
        try:
            try:
                recover(folder)
                _clear(staging)
                staging.mkdir()
                yield staging
            except OSError as error:
                raise cannot_write(error, folder) from None
            finally:
                # Ctrl-C waits until the folder is gone; the next run would clear what is left, but nobody likes to
                # see it.
                _clear_undisturbed(staging)
        finally:
            # Once more, for Ctrl-C in the moment before it can be made to wait.
            _clear_undisturbed(staging)


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold the lock of an output folder. Raises SourceError as `exclusive` does."""
    place = _beside(folder, "lock")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        handle = open_lock(place)
    except OSError as error:
        raise cannot_write(error, folder.parent) from None
    with handle:
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    help = "wait until it ends, or choose another --out"
                    raise SourceError("another run is writing here", str(folder), help) from None
                time.sleep(0.02)
            except OSError as error:
                raise cannot_write(error, place) from None
        yield


def open_lock(place: Path) -> IO[bytes]:
    """A file to hold locks on, made where there is none; its content stays.

    Raises OSError, also for a link, a fifo and anything else that is no regular file.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    handle = os.open(place, flags, 0o666)
    if not stat_module.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file", str(place))
    return os.fdopen(handle, "r+b", buffering=0)


def swap_in(staging: Path, folder: Path) -> None:
    """Put the staged folder in the place of `folder` in one step; `staging` then holds what was there before."""
    if not folder.exists():
        staging.rename(folder)
        return
    code = _exchange(staging, folder)
    if code == 0:
        return
    if code not in (errno.ENOSYS, errno.EINVAL):
        raise OSError(code, os.strerror(code), str(folder))
    # No exchange on this system: two renames. A kill between them leaves the old folder aside; `recover` puts it back.
    aside = _beside(folder, "previous")
    _clear(aside)
    folder.rename(aside)
    staging.rename(folder)
    aside.rename(staging)


def recover(folder: Path) -> None:
    """Put back what a run killed between two renames left aside."""
    aside = _beside(folder, "previous")
    if not untrusted.is_real_folder(aside):
        return
    if folder.exists():
        _clear(aside)
    else:
        aside.rename(folder)


def link_or_copy(old: Path, new: Path) -> None:
    """Make `new` the same file as `old`, or a copy with the same times where the file system has no links."""
    try:
        os.link(old, new)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        import shutil

        shutil.copy2(old, new)


def write_if_changed(place: Path, text: str) -> bool:
    """Write a text file unless it holds the text already, so that nothing is built again for nothing.

    Says whether it was written. The file changes at once: a reader never sees half of it. Raises SourceError when the
    place takes no data.
    """
    data = text.encode("utf-8", "surrogateescape")
    with contextlib.suppress(OSError):
        if regular_files.read_bytes(place, len(data)) == data:
            return False
    if place.exists() and not place.is_file():
        help = "choose the place of a file"
        raise SourceError("cannot be written: is no regular file", str(place), help)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, data)
    except OSError as error:
        raise cannot_write(error, place) from None
    return True


def replace_file(place: Path, data: bytes) -> None:
    """Write a file in one step. A link at the place is replaced, never written through. Raises OSError."""
    fresh = place.with_name(f".{place.name}.new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    fresh.replace(place)


def refuse_links(folder: Path, names: Iterable[str]) -> None:
    """Raise SourceError for each of the names that is no folder of its own below `folder`, but a link or a file."""
    problems = []
    for name in sorted(names):
        place = folder / name
        if os.path.lexists(place) and not untrusted.is_real_folder(place):
            what = "a link" if place.is_symlink() else "a file"
            text = f"is {what}, where porter keeps a folder of its own"
            problems.append(Problem(text, str(place), "remove it, or choose another --out"))
    if problems:
        raise SourceError(problems)


def refuse_links_out(folder: Path) -> None:
    """Raise SourceError for links below a folder that lead out of it: what is written there would land elsewhere."""
    root = os.path.realpath(folder)
    problems = [
        Problem(f"is a link that leaves the folder, to {real}", place, "remove it")
        for place in _links(str(folder))
        if not Path(real := os.path.realpath(place)).is_relative_to(root)
    ]
    if problems:
        raise SourceError(problems)


def _links(folder: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", folder) from None
    for entry in entries:
        if entry.is_symlink():
            yield entry.path
        elif entry.is_dir():
            yield from _links(entry.path)


def stamp(files: Iterable[Path]) -> str:
    """Changes with the places, sizes and times of files. Raises SourceError when one is not there."""
    # Imported late, as most of a run that finds nothing to do.
    import hashlib

    total = hashlib.sha256()
    for file in files:
        try:
            status = file.stat()
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", str(file)) from None
        total.update(f"{file}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return total.hexdigest()


def cannot_write(error: OSError, place: Path) -> SourceError:
    """The error for a place that takes no more data."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    help = "free some space, or choose another --out" if full else ""
    where = error.filename if isinstance(error.filename, str) else str(place)
    why = error.strerror or str(error)
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        why = "a file stands where a folder is needed"
        where = next((str(p) for p in reversed(Path(where).parents) if p.is_file()), where)
    return SourceError(f"cannot be written: {why}", where, help)


def _exchange(one: Path, other: Path) -> int:
    """Let two folders change names in one step; returns 0 or what stands against it (errno)."""
    # Imported late: most runs find nothing to do.
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    renameat2 = getattr(libc, "renameat2", None)
    if renameat2 is None:
        return errno.ENOSYS
    paths = (os.fsencode(one), os.fsencode(other))
    if renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0:
        return 0
    return ctypes.get_errno()


def _beside(folder: Path, what: str) -> Path:
    return folder.parent / f".{folder.name}.{what}"


def _clear_undisturbed(folder: Path) -> None:
    with undisturbed(), contextlib.suppress(OSError):
        _clear(folder)


def _clear(folder: Path) -> None:
    if folder.is_symlink() or not folder.is_dir():
        # Also a named pipe, which rmtree would wait for.
        folder.unlink(missing_ok=True)
    else:
        # Imported late: a first run has nothing to clear.
        import shutil

        shutil.rmtree(folder)
