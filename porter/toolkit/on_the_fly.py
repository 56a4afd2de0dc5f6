"""Port of a source and its headers during a compilation, with a cache by content.

The ported files lie in a mirror: a folder that contains each file at the file's absolute path. Relative includes are
therefore valid in the mirror. Each ported file has a record beside it, which states the content that was ported. A
file is ported again if its content, the files that its includes denote, or the ported file has changed.

Names that the source or its headers declare, and macros of the command line, keep their names, as in `porter port`.
Sources that declare different names have different mirrors, because they may need different ports of a header.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from porter.base import regular_files
from porter.base.errors import SourceError
from porter.base.fs import cannot_write
from porter.toolkit.file_facts import Facts, FactsCache, content, digest
from porter.toolkit.records import read_record, replace, save
from porter.toolkit.search_path import SearchPath

if TYPE_CHECKING:
    from porter.model.project_names import ProjectNames, PyTorchNames
    from porter.model.rules import RuleSet
    from porter.rewrite.resolver import Resolver
    from porter.rewrite.rewriter import Rewriter

_RECORD = ".porter.json"
_NOTES = ".porter-notes.json"
_FORMAT = 2
_UNUSED_DAYS = 30


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


class PortedSource(NamedTuple):
    """Port of a source."""

    path: str
    mirror: Mirror
    """Folder that also contains the ports of the headers that the source includes."""
    outside: tuple[str, ...] = ()
    """Include paths, in the source and its ported headers, of headers that are not ported."""
    files: tuple[str, ...] = ()
    """Absolute paths of the user's source and headers."""


class SourcePorter:
    """Ports sources with all headers that they include, into a mirror.

    `rules` computes the rule set, and `pytorch` the names of PyTorch's headers; they are called only if a file must be
    ported. `suffixes` maps a suffix of a source to the suffix that the target's compiler needs. `macros` are the macros
    that the command line defines.
    """

    def __init__(
        self,
        cache: Path,
        key: str,
        rules: Callable[[], RuleSet],
        pytorch: Callable[[], PyTorchNames],
        search: SearchPath,
        suffixes: Mapping[str, str],
        macros: Sequence[str] = (),
    ) -> None:
        self._cache = cache
        self._key = key
        self._rules = rules
        self._pytorch = pytorch
        self._search = search
        self._suffixes = suffixes
        self._macros = tuple(macros)
        self._facts = FactsCache(f"{cache}/facts-{_hash(_FORMAT, key)}")
        self._resolver: Resolver | None = None

    def port(self, source: str, forced: Sequence[str] = ()) -> PortedSource:
        """Bring the port of a source and of its headers up to date.

        `forced` are the headers that the compiler includes before the source.

        Raises SourceError if the source cannot be read or is not text, or if the cache cannot be written.
        """
        first = os.path.abspath(source)  # noqa: PTH100
        suffix = self._suffixes.get(Path(first).suffix[1:], "")
        try:
            files = self._closure(first, forced, source)
            names = digest((facts for facts, _ in files.values()), self._macros)
            mirror = Mirror(f"{self._cache}/{_hash(_FORMAT, self._key, self._search.all, names)}")
            if not os.path.isdir(mirror.folder):  # noqa: PTH112
                _remove_unused(self._cache)
            texts = _Texts(self, mirror, files)
            for path, (facts, own) in files.items():
                place = mirror.place(path, suffix if path == first else "")
                record = read_record(f"{place}{_RECORD}")
                same = record.get("sha") == facts.sha and record.get("own") == own
                if not same or not _is_intact(place, record):
                    texts.write(path, place, own)
            for used in (mirror.folder, self._facts.folder):
                os.utime(used)
        except OSError as error:
            raise cannot_write(error, self._cache) from None
        outside = {
            one.path: None
            for facts, own in files.values()
            for one in facts.includes
            if one.path not in own
        }
        return PortedSource(mirror.place(first, suffix), mirror, tuple(outside), tuple(files))

    def _closure(
        self, first: str, forced: Sequence[str], shown: str
    ) -> dict[str, tuple[Facts, list[str]]]:
        """Maps each file that a source includes, and the source, to its facts and to the include paths of own files.

        Raises SourceError if the source cannot be read; the compiler reports an unreadable header.
        """
        files: dict[str, tuple[Facts, list[str]]] = {}
        todo = [*forced, first]
        while todo:
            path = todo.pop()
            if path in files:
                continue
            try:
                facts = self._facts.get(path) or self._facts.learn(path, self.resolver)
            except OSError as error:
                if path != first or error.filename not in (None, path):
                    continue
                raise SourceError(f"cannot be read: {error.strerror}", shown) from None
            beside = os.path.dirname(path)  # noqa: PTH120
            found = {one.path: self._search.find(one, beside) for one in facts.includes}
            files[path] = (facts, sorted(name for name, file in found.items() if file))
            todo += [file for file in found.values() if file]
        return files

    @property
    def resolver(self) -> Resolver:
        """Look-up of the rules about words."""
        if self._resolver is None:
            from porter.rewrite.resolver import Resolver

            self._resolver = Resolver(self._rules())
        return self._resolver

    def names(self, files: Mapping[str, tuple[Facts, list[str]]]) -> ProjectNames:
        """Names that the files of a compilation declare, and macros of its command line."""
        from porter.model.project_names import NameKind
        from porter.port.project_names import FileNames, joined

        found = [
            FileNames(
                path,
                [(word, NameKind(kind), line, is_def) for word, kind, line, is_def in one.declared],
                set(one.scopes),
                set(),
                one.uses_pytorch,
            )
            for path, (one, _) in sorted(files.items())
        ]
        macros = [
            (macro, f"-D{macro}") for macro in self._macros if self.resolver.verdict(macro).matters
        ]
        return joined(found, macros, self.resolver, self._pytorch())


class _Texts:
    """Writes the ported files of one compilation."""

    def __init__(
        self, porter: SourcePorter, mirror: Mirror, files: Mapping[str, tuple[Facts, list[str]]]
    ) -> None:
        self._porter = porter
        self._mirror = mirror
        self._files = files
        self._rewriter: Rewriter | None = None

    def write(self, path: str, place: str, own: list[str]) -> None:
        """Port a file to `place`, with its record and notes. Raises OSError."""
        from porter.port.cuda_project import Moves
        from porter.toolkit import ported_text

        if self._rewriter is None:
            self._rewriter = self._made()
        raw = content(path)
        moves = ((name, self._spelled(name)) for name in own)
        self._rewriter.moved = Moves(moves, self._rewriter.rules)
        made = ported_text.port(self._rewriter, path, raw)
        # The record is removed first: a record always describes the file beside it.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{place}{_RECORD}")  # noqa: PTH108
        replace(place, made.data)
        save(f"{self._mirror.folder}{path}{_NOTES}", made.notes)
        ported = hashlib.sha256(made.data).hexdigest()
        sha = hashlib.sha256(raw).hexdigest()
        save(f"{place}{_RECORD}", {"sha": sha, "own": own, "ported": ported})

    def _spelled(self, include: str) -> str:
        """Path of an include in a port. A relative one is valid in the mirror."""
        if not os.path.isabs(include):  # noqa: PTH117
            return include
        return self._mirror.place(os.path.normpath(include))

    def _made(self) -> Rewriter:
        from porter.rewrite.rewriter import Rewriter

        names = self._porter.names(self._files)
        return Rewriter(self._porter.resolver.rules, {}, names)


def _remove_unused(cache: Path) -> None:
    """Remove mirrors and facts that no compilation has used for `_UNUSED_DAYS` days. Errors are ignored."""
    import shutil

    oldest = time.time() - _UNUSED_DAYS * 86400
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(cache)):
            if entry.is_dir(follow_symlinks=False) and entry.stat().st_mtime < oldest:
                shutil.rmtree(entry.path, ignore_errors=True)


def _hash(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def _is_intact(place: str, record: Mapping[str, Any]) -> bool:
    """Test whether a ported file has the content that its record states."""
    try:
        return hashlib.sha256(content(place)).hexdigest() == record.get("ported")
    except OSError:
        return False
