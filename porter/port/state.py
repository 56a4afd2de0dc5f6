"""The port that is there already: whether it is whole, what of it is still current, what in it is not porter's.

Besides the manifest, which is the same on every machine, a port keeps `.state.json`: sizes and times of the files read
and written, so that an unchanged tree is recognised without reading it. Where sizes and times cannot tell, hashes do:
a tree that was checked out again, or a port that was copied elsewhere, is no reason to port anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base import fs, regular_files, untrusted
from porter.base.errors import Problem, SourceError
from porter.base.fingerprint import Answer
from porter.model import manifest as manifests
from porter.model.manifest import Manifest, PortedFile

REWRITTEN = Answer("port", ("base", "cpp", "model", "port", "regex", "rewrite"))
"""Ported files: a port that other code rewrote is not reused."""
MANIFEST = "manifest.json"
STATE = ".state.json"
OWN = {"src", MANIFEST, STATE, "report.json", "report.md"}
"""What the port stage writes into its folder."""
STAGES = ("backend", "register", "build", "ops", "package", "verify", "device-tests")
"""Folders of the stages after it."""
LATER = frozenset(
    place.name for stage in map(Path, STAGES) for place in (stage, *fs.companions(stage))
)
"""What the stages after it keep there."""

_STATE_SCHEMA = 2
_DIGEST = re.compile(r"[0-9a-f]{64} [0-9a-f]{64}")
"""Of a rule set and of the code that rewrites: the first is a key of the cache."""
_TICK = 2_000_000_000
"""The coarsest clock of a file system, ns (FAT counts times by two seconds)."""
_SHOWN = 5
"""Problems of one kind that are named one by one."""
_HELP = "keep the change as a patch rule, or give --force to drop it"


class FileStamp(NamedTuple):
    """Enough of a file's status to see that it was changed."""

    size: int
    time: int
    """Modification time, ns."""
    changed: int = 0
    """Time of the last change of status, ns, which no tool can set back; 0 where links are made, which changes it."""


class PortCheck(NamedTuple):
    """What there is of a port now."""

    intact: Mapping[str, FileStamp]
    """The files that are as they were written: upstream path -> stamp in the port."""
    clean: bool
    """Whether there are none that others wrote or changed."""


def upstream_stamp(status: os.stat_result) -> FileStamp:
    """The stamp of a file that is read."""
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def ported_stamp(status: os.stat_result) -> FileStamp:
    """The stamp of a file that is written."""
    return FileStamp(status.st_size, status.st_mtime_ns)


class PortState(NamedTuple):
    """A port as an earlier run left it; empty when there is none."""

    folder: Path
    manifest: Manifest | None = None
    damage: str = ""
    """Why there is no manifest although its file is there."""
    digest: str = ""
    """Of the rule set it was made with; empty when that is not known."""
    made: int = 0
    """When the run that made it began, ns."""
    sealed: int = 0
    """When its state was written, ns, by the clock of its file system."""
    stamps: Mapping[str, tuple[FileStamp, FileStamp]] = {}
    """Upstream path -> (stamp upstream, stamp in the port)."""
    tree: str = ""
    """The source tree it was made from, where it stood; empty when that is not known."""

    @property
    def whole(self) -> bool:
        """Whether there is a port to build on."""
        return self.manifest is not None and bool(self.digest)

    @property
    def files(self) -> Mapping[str, PortedFile]:
        """The files of the port by upstream path."""
        return self.manifest.files if self.manifest else {}

    @classmethod
    def read(cls, folder: Path) -> PortState:
        """The port in a folder; raises SourceError when the folder is a file."""
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
        """The port with what its state says. Raises OSError, and ValueError or KeyError for what is no state."""
        place = folder / STATE
        # Before it is read: a state that is written meanwhile does not count as sealed later than it was.
        sealed = place.lstat().st_mtime_ns
        state = untrusted.table(
            untrusted.json_data(regular_files.read_bytes(place, untrusted.LARGEST))
        )
        if state["schema"] != _STATE_SCHEMA:
            return cls(folder, manifest)
        if state["manifest"] != sha:
            return cls(folder, damage="it was changed after it was written")
        digest, made, tree = state["rules"], state["made"], state["tree"]
        untrusted.words((digest, tree))
        untrusted.counts((made,))
        if not _DIGEST.fullmatch(digest) or not untrusted.is_absolute(tree):
            raise ValueError("no rule set or no tree")
        files = untrusted.table(state["files"])
        untrusted.rows([*files.values()], (int,) * 5)
        stamps = {
            path: (FileStamp(*both[:3]), FileStamp(*both[3:])) for path, both in files.items()
        }
        return cls(folder, manifest, "", digest, made, sealed, stamps, tree)

    def is_complete(self) -> bool:
        """Whether all that the port stage writes is there, the ported files aside."""
        return OWN.issubset(os.listdir(self.folder))

    def current(self, path: str, upstream: str, *, exactly: bool = False) -> FileStamp | None:
        """The stamp of an upstream file when it is the one that was ported, else None.

        `exactly`: a file with other times, owner or mode is another, even if its bytes are the same.
        """
        try:
            now = upstream_stamp(os.stat(upstream))  # noqa: PTH116  (for strings; many are tried)
        except OSError:
            return None
        then = self.stamps.get(path)
        if then and now == then[0]:
            # A file changed in the same tick of the clock in which it was read may have an equal stamp, as in git's
            # index ("racy git").
            if max(now.time, now.changed) < self.made - _TICK:
                return now
        elif exactly:
            return None
        return now if _sha(upstream) == self.files[path].sha_in else None

    def check(self, *, force: bool) -> PortCheck:
        """What there is of the port now.

        Raises SourceError when the folder holds what porter did not write or, unless `force`, what was changed since.
        """
        fs.refuse_links(self.folder, ("src", *STAGES))
        problems = list(self._foreign())
        if self.damage and not force:
            text = f"is no manifest porter can read: {self.damage}"
            help = "give --force to port anew; what was changed by hand is lost"
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
                else:
                    text = "was changed after it was ported; the change would be lost"
                    changed.append(Problem(text, place, _HELP))
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
            names -= OWN | LATER
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
    """Write the manifest and the state of a port whose files lie in `folder`.

    `made` is the time, ns, at which the run began to read upstream files.
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
    """Every file below a folder: place, path from the folder, stamp; no stamp for what is no regular file."""
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
    """A few of the problems, and how many more there are."""
    more = len(problems) - _SHOWN
    if more <= 0:
        return problems
    return [*problems[:_SHOWN], Problem(f"and {more} more", help=problems[0].help)]
