"""Atomic replacement of folders and files. New content is written to a staging folder, which replaces the old folder.

A process killed at any moment leaves either the complete old folder or the complete new folder. The next run removes
the staging folder.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat as stat_module
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from porter.base import regular_files, untrusted
from porter.base.errors import Problem, SourceError
from porter.base.stop_signals import defer_stop_signals

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
"""linux/fs.h; renameat2(2)."""
_LOCK_TIMEOUT = 1.0
"""Seconds to wait for a lock; after a run was killed, its workers hold the lock until they end."""
_COMPANIONS = ("lock", "staging", "previous")


def companions(folder: Path) -> list[Path]:
    """Paths that `exclusive` and `swap_in` create beside a folder: lock file, staging folder, previous folder."""
    return [_beside(folder, what) for what in _COMPANIONS]


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[Path]:
    """Hold the lock of an output folder and yield an empty staging folder beside the output folder.

    Raises SourceError when another run holds the lock or the file system refuses to write. At the end the staging
    folder is removed.
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
                # Ctrl-C is deferred until the staging folder is removed. Otherwise the folder would be visible to the
                # user until the next run.
                _clear_deferring_sigint(staging)
        finally:
            # Remove the folder again: Ctrl-C can arrive in the moment before its deferral begins.
            _clear_deferring_sigint(staging)


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold the lock of an output folder. Raises SourceError when another run holds the lock or writing fails."""
    place = _beside(folder, "lock")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        handle = open_lock(place)
    except OSError as error:
        raise cannot_write(error, folder.parent) from None
    with handle:
        until = time.monotonic() + _LOCK_TIMEOUT
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


@contextlib.contextmanager
def waiting_lock(place: Path) -> Iterator[None]:
    """Hold the lock of the lock file `place`, which is made; waits for a process that holds it. Raises OSError."""
    with open_lock(place) as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def open_lock(place: Path) -> IO[bytes]:
    """Open a lock file. A missing file is created; the content of an existing file is not changed.

    Raises OSError, also for a symbolic link, a named pipe or any other irregular file.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    handle = os.open(place, flags, 0o666)
    if not stat_module.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file", str(place))
    return os.fdopen(handle, "r+b", buffering=0)


def swap_in(staging: Path, folder: Path) -> None:
    """Exchange the staging folder and `folder` atomically. Raises OSError.

    Afterwards `staging` holds the old content; it is absent if `folder` was absent.
    """
    if not folder.exists():
        staging.rename(folder)
        return
    code = _exchange(staging, folder)
    if code == 0:
        return
    if code not in (errno.ENOSYS, errno.EINVAL):
        raise OSError(code, os.strerror(code), str(folder))
    # This system has no atomic exchange: rename twice. After a kill between the renames, `recover` restores the old
    # folder.
    aside = _beside(folder, "previous")
    _clear(aside)
    folder.rename(aside)
    staging.rename(folder)
    aside.rename(staging)


def recover(folder: Path) -> None:
    """Restore the old folder if an earlier run was killed between the two renames of `swap_in`."""
    aside = _beside(folder, "previous")
    if not untrusted.is_real_folder(aside):
        return
    if folder.exists():
        _clear(aside)
    else:
        aside.rename(folder)


def link_or_copy(old: Path, new: Path) -> None:
    """Make `new` a hard link to `old` or, on a file system without hard links, a copy with the same times."""
    try:
        os.link(old, new)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        import shutil

        shutil.copy2(old, new)


def write_if_changed(place: Path, text: str) -> bool:
    """Write a text file only when its content differs, so an unchanged text causes no rebuild.

    Returns True when the file was written. The file is replaced atomically: a reader sees the old or the new text.
    Raises SourceError when the file cannot be written.
    """
    data = text.encode("utf-8", "surrogateescape")
    with contextlib.suppress(OSError):
        if regular_files.read_bytes(place, len(data)) == data:
            return False
    if place.exists() and not place.is_file():
        help = "choose the path of a regular file"
        raise SourceError("cannot be written: not a regular file", str(place), help)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, data)
    except OSError as error:
        raise cannot_write(error, place) from None
    return True


def replace_file(place: Path, data: bytes) -> None:
    """Replace a file atomically, or create it. A symbolic link is itself replaced, not its target. Raises OSError."""
    fresh = place.with_name(f".{place.name}.new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        fresh.replace(place)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(place)) from None


def refuse_links(folder: Path, names: Iterable[str]) -> None:
    """Raise SourceError when an entry of `folder` with one of the names is a symbolic link or a file."""
    problems = []
    for name in sorted(names):
        place = folder / name
        if os.path.lexists(place) and not untrusted.is_real_folder(place):
            what = "a link" if place.is_symlink() else "a file"
            text = f"is {what}, where porter needs its own folder"
            problems.append(Problem(text, str(place), "remove it, or choose another --out"))
    if problems:
        raise SourceError(problems)


def refuse_links_out(folder: Path) -> None:
    """Raise SourceError when a symbolic link below a folder leads outside: porter must write only inside the folder."""
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
    """Hexadecimal digest of the paths, sizes and times of files. Raises SourceError when a file is missing."""
    # Imported late: a run without work needs few modules.
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
    """SourceError for an OSError that occurred while writing. `place` is used if the OSError names no file."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    help = "free some space, or choose another --out" if full else ""
    where = error.filename if isinstance(error.filename, str) else str(place)
    why = error.strerror or str(error)
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        why = "a file is in the place of a folder"
        where = next((str(p) for p in reversed(Path(where).parents) if p.is_file()), where)
    return SourceError(f"cannot be written: {why}", where, help)


def check_writable(folder: Path) -> None:
    """Raise SourceError if no folder can be made at this place. Long work calls this before it starts."""
    existing = next(
        place for place in (folder, *folder.absolute().parents) if os.path.lexists(place)
    )
    try:
        if not existing.is_dir():
            place = str(folder / "file")
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), place)
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        if not isinstance(error, NotADirectoryError):
            # The name of the temporary file says nothing to the user.
            error.filename = str(folder)
        raise cannot_write(error, folder) from None


def _exchange(one: Path, other: Path) -> int:
    """Exchange the names of two folders atomically. Returns 0, or the errno of the failure."""
    # Imported late: a run without work needs few modules.
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


def _clear_deferring_sigint(folder: Path) -> None:
    with defer_stop_signals(), contextlib.suppress(OSError):
        _clear(folder)


def _clear(folder: Path) -> None:
    if folder.is_symlink() or not folder.is_dir():
        # A named pipe must be unlinked too: rmtree would wait on the pipe.
        folder.unlink(missing_ok=True)
    else:
        # Imported late: a first run has no folder to remove.
        import shutil

        shutil.rmtree(folder)
