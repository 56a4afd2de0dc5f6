"""Rule sets compiled once: kept in the user's cache by the hash of all they were compiled from."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
from pathlib import Path

from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet
from porter.own_code import fingerprint

_FORMAT = 1
_KEPT = 16
"""Rule sets kept, newest first: all shipped targets for a few releases, and some edits of a mapping."""


def folder() -> Path:
    """`$PORTER_CACHE`, else `$XDG_CACHE_HOME/porter`, else `~/.cache/porter`."""
    if chosen := os.environ.get("PORTER_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "porter"


def rule_set(library: MappingLibrary, target: str, release: str) -> RuleSet:
    """The rule set of a target for a release; from the cache when no mapping has changed.

    Raises what loading and compiling raise. A cache that cannot be read or written is done without.
    """
    digest = _digest(library, target, release)
    kept = read(digest)
    if kept:
        return kept
    # Imported late: with pydantic they take longer to load than a cached rule set.
    from porter.mapping import inventory
    from porter.mapping.compile import compile_rules
    from porter.mapping.load import load

    loaded = load(library, target)
    names = inventory.read(library.special("cuda", "inventory.json"))
    made = compile_rules(loaded, names, release, digest)
    _write(digest, made)
    return made


def read(digest: str) -> RuleSet | None:
    """The rule set with that digest, if it is kept."""
    place = _place(digest)
    try:
        made = pickle.loads(place.read_bytes())
    except Exception:  # a cache of any other making is no error
        return None
    with contextlib.suppress(OSError):
        # What is used stays: the next run compares its rules with these.
        os.utime(place)
    return made if isinstance(made, RuleSet) and made.digest == digest else None


def _write(digest: str, made: RuleSet) -> None:
    # Imported late: most runs find what they need.
    import tempfile

    with contextlib.suppress(OSError):
        place = folder() / "rules"
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place, delete=False) as file:
            pickle.dump(made, file, pickle.HIGHEST_PROTOCOL)
        Path(file.name).replace(_place(digest))
        by_age = sorted(place.iterdir(), key=lambda kept: kept.stat().st_mtime_ns)
        for old in by_age[:-_KEPT]:
            old.unlink(missing_ok=True)


def _place(digest: str) -> Path:
    return folder() / "rules" / f"{digest}.{_code()[:16]}.pickle"


def _code() -> str:
    """Changes with Python and with porter itself."""
    made_by = f"{_FORMAT} {sys.version_info[:2]} {fingerprint()}"
    return hashlib.sha256(made_by.encode()).hexdigest()


def _digest(library: MappingLibrary, target: str, release: str) -> str:
    """Changes with porter, Python, the release and every byte of the mappings."""
    return hashlib.sha256(f"{_code()} {release} {library.digest(target)}".encode()).hexdigest()
