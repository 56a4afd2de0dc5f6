"""Port of a source and its headers during a compilation, with a cache by content.

The ported files lie in a mirror: a folder that contains each file at the file's absolute path. Relative includes are
therefore valid in the mirror. Each ported file has a record beside it, which states the content that was ported. A
file is ported again if its content, the files that its includes denote, or the ported file has changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from porter.base import regular_files
from porter.base.errors import SourceError
from porter.base.fs import cannot_write
from porter.toolkit.search_path import Include, SearchPath, includes

if TYPE_CHECKING:
    from porter.model.rules import RuleSet
    from porter.rewrite.rewriter import Rewriter

_RECORD = ".porter.json"
_NOTES = ".porter-notes.json"
_FORMAT = 1


class Mirror(NamedTuple):
    """Folder of ported files for one set of include folders."""

    folder: str

    def place(self, path: str, suffix: str = "") -> str:
        """Path of the port of a file; `suffix` replaces the file's suffix if it is not empty."""
        stem, dot, _ = path.rpartition(".")
        return f"{self.folder}{stem}{dot}{suffix}" if suffix and dot else f"{self.folder}{path}"

    def notes(self, path: str) -> Mapping[int, list[str]]:
        """Explanations of the port of a file, by line; empty if the mirror has none."""
        try:
            raw = regular_files.read_bytes(Path(f"{self.folder}{path}{_NOTES}"))
            notes: dict[int, list[str]] = {}
            for line, text in json.loads(raw):
                notes.setdefault(int(line), []).append(str(text))
        except (OSError, ValueError, TypeError):
            return {}
        return notes


class SourcePorter:
    """Ports sources with all headers that they include, into a mirror.

    `rules` computes the rule set; it is called only if a file must be ported. `suffixes` maps a suffix of a source to
    the suffix that the target's compiler needs.
    """

    def __init__(
        self,
        cache: Path,
        key: str,
        rules: Callable[[], RuleSet],
        search: SearchPath,
        suffixes: Mapping[str, str],
    ) -> None:
        whole = json.dumps([_FORMAT, key, search.all])
        self.mirror = Mirror(f"{cache}/{hashlib.sha256(whole.encode()).hexdigest()[:24]}")
        self._rules = rules
        self._search = search
        self._suffixes = suffixes
        self._rewriter: Rewriter | None = None

    def port(self, source: str) -> str:
        """Bring the port of a source and of its headers up to date, and return the ported source's path.

        Raises SourceError if the source cannot be read or is not text, or if the cache cannot be written.
        """
        first = os.path.abspath(source)  # noqa: PTH100
        suffix = self._suffixes.get(Path(first).suffix[1:], "")
        todo, done = [first], {first}
        try:
            while todo:
                path = todo.pop()
                for found in self._one(
                    path, suffix if path == first else "", source if path == first else ""
                ):
                    if found not in done:
                        done.add(found)
                        todo.append(found)
        except OSError as error:
            raise cannot_write(error, Path(self.mirror.folder)) from None
        return self.mirror.place(first, suffix)

    def _one(self, path: str, suffix: str, shown: str) -> list[str]:
        """Bring the port of one file up to date, and return the project's files that it includes.

        `shown` is the path in messages if the file cannot be read; the compiler reports an unreadable header.
        """
        place = self.mirror.place(path, suffix)
        record = _read(f"{place}{_RECORD}")
        try:
            status = os.stat(path)  # noqa: PTH116
            stamp = [status.st_size, status.st_mtime_ns]
            raw = None if record.get("stamp") == stamp else _content(path)
        except OSError as error:
            if not shown:
                return []
            raise SourceError(f"cannot be read: {error.strerror}", shown) from None
        if raw is not None:
            record = self._still_valid(record, raw, stamp)
        known = [Include(*one) for one in record["includes"]]
        found = {one.path: self._search.find(one, os.path.dirname(path)) for one in known}  # noqa: PTH120
        own = sorted(name for name, file in found.items() if file)
        if record.get("own") != own or not _is_intact(place, record):
            self._write(path, place, raw if raw is not None else _content(path), own, record)
        elif raw is not None:
            _save(f"{place}{_RECORD}", record)
        return [file for file in found.values() if file]

    def _still_valid(self, record: dict[str, Any], raw: bytes, stamp: list[int]) -> dict[str, Any]:
        """Record for the content `raw`: the old one with a new stamp if the content is unchanged, else a new one."""
        digest = hashlib.sha256(raw).hexdigest()
        if record.get("sha") == digest:
            return {**record, "stamp": stamp}
        found = [list(one) for one in includes(raw.decode("latin-1"))]
        return {"stamp": stamp, "sha": digest, "includes": found}

    def _write(
        self, path: str, place: str, raw: bytes, own: list[str], record: dict[str, Any]
    ) -> None:
        from porter.port.cuda_project import Moves
        from porter.port.file import check_text
        from porter.rewrite.rewriter import Rewriter
        from porter.toolkit import ported_text

        check_text(raw, path)
        if self._rewriter is None:
            self._rewriter = Rewriter(self._rules(), {})
        self._rewriter.moved = Moves(((name, name) for name in own), self._rewriter.rules)
        made = ported_text.port(self._rewriter, path, raw)
        os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120
        # The record is removed first: a record always describes the file beside it.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{place}{_RECORD}")  # noqa: PTH108
        _replace(place, made.data)
        _save(f"{self.mirror.folder}{path}{_NOTES}", made.notes)
        _save(
            f"{place}{_RECORD}",
            {**record, "own": own, "ported": hashlib.sha256(made.data).hexdigest()},
        )


def _content(path: str) -> bytes:
    return regular_files.read_bytes(Path(path))


def _is_intact(place: str, record: Mapping[str, Any]) -> bool:
    """Test whether a ported file has the content that its record states."""
    try:
        return hashlib.sha256(_content(place)).hexdigest() == record.get("ported")
    except OSError:
        return False


def _read(place: str) -> dict[str, Any]:
    """Record of a ported file; empty if it is absent or damaged."""
    try:
        data = json.loads(_content(place))
        valid = isinstance(data["includes"], list) and isinstance(data["sha"], str)
        return data if valid and all(len(one) == 2 for one in data["includes"]) else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _save(place: str, data: Any) -> None:
    _replace(place, json.dumps(data, separators=(",", ":")).encode())


def _replace(place: str, data: bytes) -> None:
    """Replace a file atomically. Several processes may write the same file: each has a temporary file of its own."""
    fresh = f"{place}.{os.getpid()}.new"
    try:
        with open(fresh, "wb") as file:  # noqa: PTH123
            file.write(data)
        os.replace(fresh, place)  # noqa: PTH105
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(fresh)  # noqa: PTH108
        raise
