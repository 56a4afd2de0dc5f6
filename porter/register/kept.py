"""Plain data kept in the user's cache by what it was made from, so that it is made once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from typing import Any

from porter.mapping.cache import folder
from porter.own_code import fingerprint

_KEPT = 16
"""Files kept of a kind, newest first: a few releases, and some versions of each."""


def code() -> str:
    """Changes with the code that makes what is kept."""
    return fingerprint("register", "elf.py")


def kept(kind: str, key: str, make: Callable[[], Any]) -> Any:
    """What `make` gives, as JSON keeps it; made anew when `key`, or this package's code, is another.

    A cache that cannot be read or written is done without.
    """
    name = hashlib.sha256(f"{code()} {key}".encode()).hexdigest()[:32]
    place = folder() / kind / f"{name}.json"
    with contextlib.suppress(OSError, ValueError):
        data = json.loads(place.read_text(encoding="utf-8"))
        os.utime(place)
        return data
    data = json.loads(json.dumps(make()))
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        written = place.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(data), encoding="utf-8")
        written.replace(place)
        by_age = sorted(place.parent.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        for old in by_age[:-_KEPT]:
            old.unlink(missing_ok=True)
    return data
