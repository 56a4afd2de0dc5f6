"""Rule sets compiled once: kept in the user's cache by the hash of all they were compiled from."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import sys
import tempfile
from pathlib import Path

import porter
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet

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


@functools.cache
def _code() -> str:
    """Changes with porter itself: neither rule sets nor ports of an older porter are taken for current."""
    code = hashlib.sha256(f"{_FORMAT} {porter.__version__} {sys.version_info[:2]}".encode())
    for path in sorted(Path(porter.__file__).parent.rglob("*.py")):
        status = path.stat()
        code.update(f"{path.name} {status.st_size} {status.st_mtime_ns}".encode())
    return code.hexdigest()


def _digest(library: MappingLibrary, target: str, release: str) -> str:
    """Changes with porter, Python, the release and every byte of the mappings."""
    return hashlib.sha256(f"{_code()} {release} {library.digest(target)}".encode()).hexdigest()
