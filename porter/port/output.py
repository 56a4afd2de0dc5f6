"""Reader of ports on disk: output folders (with a `manifest.json`) and lock files.

>>> read(Path("generated/simt-2.6.0.lock.json")).lock.release  # doctest: +SKIP
'2.6.0'
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from porter.base import fs, regular_files, untrusted
from porter.base.errors import SourceError, UsageError
from porter.model import lock as locks
from porter.model import manifest as manifests
from porter.model.lock import Lock
from porter.model.manifest import Manifest
from porter.model.port_output import Output
from porter.port.state import MANIFEST

T = TypeVar("T")

REGENERATE = "run `porter regenerate --update` to write it again"
RUN_AGAIN = "run porter again to write it again"
_SHOWN = 5
"""Largest number of ports in a help line."""


def lock_path(folder: Path, target: str, release: str) -> Path:
    """Path of the lock file for a target and a release, in a folder of lock files."""
    return folder / f"{target}-{release}.lock.json"


def read(place: Path) -> Output:
    """Read a port from an output folder, from the manifest of an output folder, or from a lock file.

    Raises UsageError for a missing path and for a folder without a port; SourceError for an unreadable manifest or lock
    file.
    """
    if place.name == MANIFEST and not place.is_dir():
        place = place.parent
    if is_port(place):
        return _checked(place, read_manifest(place))
    if place.is_dir() or not place.exists():
        raise no_port(place)
    return Output(place, read_lock(place))


def is_port(place: Path) -> bool:
    """Test whether a path is the output folder of a port: a folder with a manifest, which may be unreadable."""
    return os.path.lexists(place / MANIFEST)


def no_port(place: Path, wanted: str = "a port or a lock file") -> UsageError:
    """UsageError for a path that is not a port. The help line names the ports in folders below the path.

    `wanted` names the kind of path that the command expects.
    """
    if not place.exists():
        return UsageError("no such file or folder", str(place), f"give {wanted}")
    if not place.is_dir():
        return UsageError(f"is not {wanted}", str(place), "give <out>/<target>/<release>")
    below = sorted(
        str(path.parent)
        for depth in ("*", "*/*", "*/*/*")
        for path in place.glob(f"{depth}/{MANIFEST}")
    )
    more = f", and {len(below) - _SHOWN} more" if len(below) > _SHOWN else ""
    help = f"did you mean {', '.join(below[:_SHOWN])}{more}?" if below else ""
    return UsageError(
        f"holds no port (no {MANIFEST})", str(place), help or "give <out>/<target>/<release>"
    )


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of an output folder. Raises SourceError when the manifest is unreadable or malformed."""
    return parse(folder / MANIFEST, "manifest", manifests.from_json, RUN_AGAIN)


def read_lock(place: Path) -> Lock:
    """Read a lock file. Raises SourceError when the file is unreadable or malformed, or has an unknown schema."""
    return parse(place, "lock file", locks.from_json, REGENERATE)


def parse(place: Path, what: str, make: Callable[[Any], T], help: str) -> T:
    """Read a JSON file and convert its data by `make`.

    `what` names the kind of file in error messages, and `help` is their help line. Raises SourceError; for malformed
    JSON, the error names the line.
    """
    try:
        text = regular_files.read_text(place, untrusted.LARGEST)
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8: byte {error.start}", str(place), help) from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
    try:
        return make(untrusted.json_data(text))
    except json.JSONDecodeError as error:
        where = f"{place}:{error.lineno}"
        raise SourceError(f"is not a {what}: malformed JSON: {error.msg}", where, help) from None
    except KeyError as error:
        key = untrusted.short(error.args[0] if error.args else "")
        raise SourceError(f"is not a {what}: key {key} is missing", str(place), help) from None
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise SourceError(f"is not a {what}: {error}", str(place), help) from None


def _checked(folder: Path, manifest: Manifest) -> Output:
    """Port in an output folder, with the files that were changed, removed or added after the manifest was written."""
    fs.refuse_links(folder, ("src",))
    lock = locks.lock_of(manifest)
    files = dict(lock.files)
    changed, missing = [], []
    for path, file in lock.files.items():
        try:
            place = untrusted.within(folder / "src", file.to)
            now = hashlib.sha256(regular_files.read_bytes(place)).hexdigest()
        except (FileNotFoundError, NotADirectoryError):
            missing.append(path)
            del files[path]
            continue
        except OSError as error:
            place = folder / "src" / file.to
            raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
        if now != file.sha_out:
            changed.append(path)
            files[path] = replace(file, sha_out=now)
    named = {file.to for file in lock.files.values()}
    foreign = [path for path in _below(folder / "src") if path not in named]
    return Output(
        folder,
        replace(lock, files=files),
        folder,
        manifest,
        tuple(changed),
        tuple(missing),
        tuple(sorted(foreign)),
    )


def _below(folder: Path) -> list[str]:
    return [
        Path(parent, name).relative_to(folder).as_posix()
        for parent, _, names in os.walk(folder)
        for name in names
    ]
