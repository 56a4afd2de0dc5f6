"""Cache of computed results in the user's cache folder. Each entry is one JSON file, named by a hash of its inputs.

    RULES = Answer("rules", ("base", "mapping"))     # packages whose code computes the result

    disk_cache.computed_once(RULES, stamp, frozenset[str], lambda: read_symbols(library))

    key = disk_cache.key_of(RULES, mappings, release)
    disk_cache.put(RULES, key, data)
    disk_cache.get(RULES, key)                       # the stored data; None if there is no entry

Every key depends on Python's version and on the fingerprint of the code that computes the result. The cache is
optional: an unreadable entry counts as absent, and an error while writing is ignored.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from porter.base import columnar_json, regular_files
from porter.base.fingerprint import Answer

_FORMAT = 2
_MAX_ENTRIES = 64
"""Largest number of entries of one kind: enough for all shipped targets and known releases."""
_MAX_BYTES = 128 << 20
"""Largest total size in bytes of all entries of one kind."""
_KEY = re.compile(r"[0-9a-f]{64}")
_ENTRY = re.compile(r"\.?[0-9a-f]{32,64}\..+")
"""Pattern of the file names of entries, half-written entries, and entries from older versions of porter."""
_OTHERS_CAN_WRITE = stat.S_IWGRP | stat.S_IWOTH


def folder() -> Path:
    """Cache folder: `$PORTER_CACHE`, else `$XDG_CACHE_HOME/porter`, else `~/.cache/porter`."""
    if chosen := os.environ.get("PORTER_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "porter"


def key_of(answer: Answer, *inputs: str) -> str:
    """Key of an entry: hexadecimal sha256 of Python's version and of the result's kind, code and inputs."""
    whole = [str(_FORMAT), str(sys.version_info[:2]), answer.kind, answer.code(), *inputs]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def is_key(text: object) -> bool:
    """Test whether a value has the form of a key: 64 hexadecimal digits."""
    return isinstance(text, str) and _KEY.fullmatch(text) is not None


def get(answer: Answer, key: str) -> Any:
    """Stored data of a key; None when the entry is absent, is damaged, or could have been written by another user.

    The caller checks the shape of the data.
    """
    if not is_key(key):
        return None
    try:
        place = folder() / answer.kind / f"{key}.json"
        if not _is_private(os.lstat(place)):
            return None
        digest, _, body = regular_files.read_bytes(place, _MAX_BYTES).partition(b"\n")
        if digest.decode() != hashlib.sha256(body).hexdigest():
            return None
        data = json.loads(body)
        # `_prune` removes the entries with the oldest times. The new time protects this entry, which is in use.
        os.utime(place)
    except (OSError, ValueError, RuntimeError):  # RuntimeError: no home folder; RecursionError
        return None
    return data


def put(answer: Answer, key: str, data: Any) -> None:
    """Store data under a key atomically, then remove the oldest entries of the kind beyond the limits.

    Errors while writing are ignored.
    """
    assert is_key(key)
    body = json.dumps(data, separators=(",", ":")).encode()
    with contextlib.suppress(OSError, RuntimeError):
        place = folder() / answer.kind
        place.mkdir(parents=True, exist_ok=True)
        fresh = place / f".{key}.{os.getpid()}"
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        fresh.replace(place / f"{key}.json")
        _prune(place)


def computed_once(answer: Answer, inputs: str, of: Any, make: Callable[[], Any]) -> Any:
    """Result of `make()`: computed and stored at the first call, read from the cache later.

    `inputs` identifies the data from which `make` computes the result. `of` is the annotated type of the result, as in
    `columnar_json.encode`. Stored data of another shape counts as absent.
    """
    key = key_of(answer, inputs)
    data = get(answer, key)
    if data is not None:
        with contextlib.suppress(ValueError):
            (value,) = columnar_json.decode(of, data)
            return value
    made = make()
    put(answer, key, columnar_json.encode(of, [made]))
    return made


def files(answer: Answer) -> list[Path]:
    """Paths of all entries of one kind, also half-written and outdated ones; empty when the folder is unreadable."""
    with contextlib.suppress(OSError, RuntimeError):
        return [path for path, _ in _entries(folder() / answer.kind)]
    return []


def _is_private(status: os.stat_result) -> bool:
    """Test whether a file is regular, and only the current user can write to it."""
    private = status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_CAN_WRITE
    return private and stat.S_ISREG(status.st_mode)


def _entries(place: Path) -> Iterator[tuple[Path, os.stat_result]]:
    for entry in os.scandir(place):
        with contextlib.suppress(FileNotFoundError):
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode) and _ENTRY.fullmatch(entry.name):
                yield Path(entry.path), status


def _prune(place: Path) -> None:
    """Remove the oldest entries in `place` beyond `_MAX_ENTRIES` and `_MAX_BYTES`; the newest entry always stays."""
    newest_first = sorted(_entries(place), key=lambda entry: -entry[1].st_mtime_ns)
    total = 0
    for number, (path, status) in enumerate(newest_first):
        total += status.st_size
        if number and (number >= _MAX_ENTRIES or total > _MAX_BYTES):
            path.unlink(missing_ok=True)
