"""State of an existing output folder: files that are unchanged, changed by hand, or not written by porter.

The manifest of a port is the same on every machine. `.state.json` contains facts of one machine: the sizes and times of
the files that were read and written. With these, porter recognises an unchanged tree without reading its files. When
sizes or times differ, porter compares hashes: a tree that was checked out again is not ported again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base import fs, regular_files, untrusted
from porter.base.errors import Problem, SourceError
from porter.base.fingerprint import Answer
from porter.model import manifest as manifests
from porter.model.manifest import Manifest, PortedFile
from porter.model.overlay import OverlaidFile

REWRITTEN = Answer("port", ("base", "cpp", "model", "overlay", "port", "regex", "rewrite"))
"""Ported files as a kind of stored result: they are reused only if the code of these packages is unchanged."""
MANIFEST = "manifest.json"
STATE = ".state.json"
PAGE = "report.html"
"""Name of the page, which a run may leave out. A new port removes the page of the old one."""
HISTORY = "history.jsonl"
"""Name of the file with the figures of the last runs."""
OWN = {"src", MANIFEST, STATE, "report.json", "report.md"}
"""Names of the files and folders that the port stage writes into the output folder."""
STAGES = (
    *("backend", "register", "build", "ops", "package", "contract"),
    *("verify", "device-tests", "distributed-tests", "check"),
)
"""Names of the folders of the later stages, and of commands that test their results, in the output folder."""
LATER = frozenset(
    [
        HISTORY,
        *(place.name for stage in map(Path, STAGES) for place in (stage, *fs.companions(stage))),
    ]
)
"""Names of all files and folders of the later stages, lock files and staging folders included, and of the history.

They remain when a new port replaces the old one."""

_STATE_SCHEMA = 2
_DIGEST = re.compile(r"[0-9a-f]{64} [0-9a-f]{64}")
"""Pattern of two digests: the digest of the rule set, which is also the rule set's key in the disk cache, and the
digest of the rewriting code and of the project's names."""
_TICK = 2_000_000_000
"""Coarsest resolution of file times in ns (FAT: two seconds)."""
_SHOWN = 5
"""Largest number of problems of one kind that a message lists."""
_HELP = "keep the change as a patch rule, or give --force to discard it"
_SAVE = "keep the change: porter overlay save FILE --owner NAME --reason TEXT, or give --force to discard it"


class FileStamp(NamedTuple):
    """Size and times of a file, by which porter detects changes of the file."""

    size: int
    """Size in bytes."""
    time: int
    """Modification time in ns."""
    changed: int = 0
    """Time of the last status change (ctime) in ns, which no program can set to an earlier time. 0 for ported files,
    because a new hard link to a file changes the file's ctime."""


class PortCheck(NamedTuple):
    """Comparison of a port on disk with its manifest."""

    intact: Mapping[str, FileStamp]
    """Maps the upstream path of each ported file that is unchanged since porter wrote it to the ported file's stamp."""
    clean: bool
    """True when no ported file was changed by hand and the port contains only files that porter wrote."""


def upstream_stamp(status: os.stat_result) -> FileStamp:
    """Stamp of an upstream file."""
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def ported_stamp(status: os.stat_result) -> FileStamp:
    """Stamp of a ported file."""
    return FileStamp(status.st_size, status.st_mtime_ns)


class PortState(NamedTuple):
    """Manifest and state of the port that an earlier run wrote into a folder; empty when there is no port."""

    folder: Path
    manifest: Manifest | None = None
    damage: str = ""
    """Reason why the existing manifest cannot be used; empty for a usable manifest and for a folder without a port."""
    digest: str = ""
    """Digests of the rule set and of the rewriting code; empty when unknown."""
    made: int = 0
    """Start time of the run that made the port, in ns."""
    sealed: int = 0
    """Time at which the state was written, in ns, by the clock of the file system."""
    stamps: Mapping[str, tuple[FileStamp, FileStamp]] = {}
    """Maps an upstream path to (stamp of the upstream file, stamp of the ported file)."""
    tree: str = ""
    """Absolute path of the source tree at the time of the run; empty when unknown."""

    @property
    def whole(self) -> bool:
        """True if the manifest and the state are usable, so that a run can reuse ported files."""
        return self.manifest is not None and bool(self.digest)

    @property
    def files(self) -> Mapping[str, PortedFile]:
        """Maps an upstream path to the manifest entry of the file."""
        return self.manifest.files if self.manifest else {}

    @property
    def overlays(self) -> Mapping[str, OverlaidFile]:
        """Maps an upstream path to the overlays of the file in the port."""
        return self.manifest.overlays if self.manifest else {}

    @classmethod
    def read(cls, folder: Path) -> PortState:
        """Read the manifest and the state of the port in a folder. The field `damage` reports an unusable manifest.

        Raises SourceError when the path is a file.
        """
        if folder.exists() and not folder.is_dir():
            raise SourceError(
                "is a file, not an output folder", str(folder), "choose another --out"
            )
        try:
            raw = regular_files.read_bytes(folder / MANIFEST, untrusted.LARGEST)
            data = untrusted.json_data(raw)
        except (FileNotFoundError, NotADirectoryError):
            return cls(folder)
        except OSError as error:
            return cls(folder, damage=f"it cannot be read: {error.strerror}")
        except ValueError as error:
            return cls(folder, damage=str(error))
        schema = data.get("schema") if isinstance(data, dict) else None
        if type(schema) is not int or schema != manifests.SCHEMA:
            shown = untrusted.short(schema)
            found = f"its schema is {shown}, and this porter's is {manifests.SCHEMA}"
            return cls(folder, damage=found)
        try:
            manifest = manifests.from_json(data)
        except KeyError as error:
            return cls(folder, damage=f"key {error} is missing")
        except ValueError as error:
            return cls(folder, damage=str(error))
        try:
            return cls._with_state(folder, manifest, hashlib.sha256(raw).hexdigest())
        except (OSError, ValueError, KeyError):
            return cls(folder, manifest)

    @classmethod
    def _with_state(cls, folder: Path, manifest: Manifest, sha: str) -> PortState:
        """State of a port: the manifest and the content of `.state.json`. `sha` is the SHA-256 of the manifest's bytes.

        Raises OSError for an unreadable state, and ValueError or KeyError for a malformed state.
        """
        place = folder / STATE
        # The time is read before the content: if the state is replaced in between, the older time is the safe one.
        sealed = place.lstat().st_mtime_ns
        state = untrusted.table(
            untrusted.json_data(regular_files.read_bytes(place, untrusted.LARGEST))
        )
        if state["schema"] != _STATE_SCHEMA:
            return cls(folder, manifest)
        if state["manifest"] != sha:
            return cls(folder, damage="it was changed after it was written")
        digest, made, tree = state["rules"], state["made"], state["tree"]
        untrusted.check_strings((digest, tree))
        untrusted.check_counts((made,))
        if not _DIGEST.fullmatch(digest) or not untrusted.is_absolute(tree):
            raise ValueError("no rule set or no tree")
        files = untrusted.table(state["files"])
        untrusted.check_rows([*files.values()], (int,) * 5)
        stamps = {
            path: (FileStamp(*both[:3]), FileStamp(*both[3:])) for path, both in files.items()
        }
        return cls(folder, manifest, "", digest, made, sealed, stamps, tree)

    def is_complete(self) -> bool:
        """Test whether the folder contains all names in `OWN`. The ported files in `src` are not tested."""
        return OWN.issubset(os.listdir(self.folder))

    def current(self, path: str, upstream: str, *, exactly: bool = False) -> FileStamp | None:
        """Present stamp of an upstream file; None if the file was changed since it was ported or is unreadable.

        `path` is the upstream path, and `upstream` the location on disk. With `exactly`, a change of the file's time,
        owner or mode also counts as a change.
        """
        try:
            now = upstream_stamp(os.stat(upstream))  # noqa: PTH116  (for strings; many are tried)
        except OSError:
            return None
        then = self.stamps.get(path)
        if then and now == then[0]:
            # A file that was changed right after it was read, within the resolution of file times, can have an equal
            # stamp ("racy git" in git's documentation). Only the hash of such a recent file shows the change.
            if max(now.time, now.changed) < self.made - _TICK:
                return now
        elif exactly:
            return None
        return now if _sha(upstream) == self.files[path].sha_in else None

    def check(self, *, force: bool, saved: Collection[str] | None = None) -> PortCheck:
        """Compare the ported files on disk with the manifest.

        `saved` contains the SHA-256 of the changed text of each overlay: a changed file with such a text can be
        replaced without loss. `saved` is None if the port does not support overlays. Raises SourceError if the output
        folder contains files that porter did not write. Without `force`, also raises SourceError if `src/` contains
        changed files or files that porter did not write, or if the manifest is unusable.
        """
        fs.refuse_links(self.folder, ("src", *STAGES))
        problems = list(self._foreign())
        if self.damage and not force:
            text = f"is not a readable manifest: {self.damage}"
            help = "give --force to port again; changes made by hand are lost"
            problems.append(Problem(text, str(self.folder / MANIFEST), help))
        intact: dict[str, FileStamp] = {}
        changed: list[Problem] = []
        if not problems and self.manifest:
            ours = {file.to: path for path, file in self.files.items()}
            for place, to, stamp in _below(str(self.folder / "src")):
                path = ours.get(to)
                if path is None:
                    changed.append(Problem("porter did not write this", place, _HELP))
                elif stamp and self._as_written(path, place, stamp):
                    intact[path] = stamp
                elif saved is None or _sha(place) not in saved:
                    text = "was changed after it was ported; the change would be lost"
                    changed.append(Problem(text, place, _HELP if saved is None else _SAVE))
            if not force:
                problems += _first(changed)
        if problems:
            raise SourceError(problems)
        return PortCheck(intact, clean=not changed)

    def _foreign(self) -> list[Problem]:
        try:
            names = set(os.listdir(self.folder))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", str(self.folder)) from None
        if self.manifest or self.damage:
            names -= OWN | LATER | {PAGE}
        help = "choose another --out"
        return _first(
            [
                Problem("porter did not write this", str(self.folder / name), help)
                for name in sorted(names)
            ]
        )

    def _as_written(self, path: str, place: str, now: FileStamp) -> bool:
        then = self.stamps.get(path)
        if then and now == then[1] and now.time < self.sealed:
            return True
        return _sha(place) == self.files[path].sha_out


def write(
    folder: Path,
    manifest: Manifest,
    digest: str,
    tree: Path,
    made: int,
    stamps: Mapping[str, tuple[FileStamp, FileStamp]],
) -> None:
    """Write the manifest and the state of a port into the port's folder.

    `digest`, `made` and `stamps` are as in `PortState`; `tree` is the source tree.
    """
    text = manifests.to_text(manifest).encode()
    (folder / MANIFEST).write_bytes(text)
    state = {
        "schema": _STATE_SCHEMA,
        "manifest": hashlib.sha256(text).hexdigest(),
        "rules": digest,
        "made": made,
        "tree": str(tree.resolve()),
        "files": {path: [*before, *after[:2]] for path, (before, after) in stamps.items()},
    }
    (folder / STATE).write_text(json.dumps(state, separators=(",", ":")), encoding="utf-8")


def _below(folder: str, start: str = "") -> Iterator[tuple[str, str, FileStamp | None]]:
    """Files in a folder and its subfolders, each as (location on disk, path from the folder, stamp).

    The stamp is None for a file that is not regular.
    """
    try:
        entries = list(os.scandir(f"{folder}/{start}"))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", f"{folder}/{start}") from None
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _below(folder, f"{start}{entry.name}/")
        else:
            status = entry.stat(follow_symlinks=False)
            regular = stat.S_ISREG(status.st_mode)
            yield entry.path, start + entry.name, ported_stamp(status) if regular else None


def _sha(place: str) -> str:
    try:
        return hashlib.sha256(regular_files.read_bytes(place)).hexdigest()
    except OSError:
        return ""


def _first(problems: list[Problem]) -> list[Problem]:
    """The first five problems of a list. If there are more, a last problem states the number of the others."""
    more = len(problems) - _SHOWN
    if more <= 0:
        return problems
    return [*problems[:_SHOWN], Problem(f"and {more} more", help=problems[0].help)]
