"""Facts about the files of a compilation: the paths that they include and the names that they declare, in a cache.

The facts of a file depend on its content and on the rules only. A source and all headers that it includes directly or
indirectly contain every declaration that the compiler sees. Their facts therefore decide which names belong to the
user's program, as in `porter port`.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from porter.base import regular_files
from porter.toolkit.records import read_record, save
from porter.toolkit.search_path import Include, includes

if TYPE_CHECKING:
    from porter.rewrite.resolver import Resolver

_FORMAT = 2


class Facts(NamedTuple):
    """Facts about one file."""

    sha: str
    """sha256 of the content."""
    includes: tuple[Include, ...]
    declared: tuple[tuple[str, str, int, bool], ...]
    """Declared words that matter to a port: (word, kind, line, is a definition)."""
    scopes: tuple[str, ...]
    """Namespaces, classes and enumerations that the file declares."""
    uses_pytorch: bool


class FactsCache:
    """Facts of files, stored below a folder by the absolute paths of the files."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def get(self, path: str) -> Facts | None:
        """Stored facts of a file; None if the file has changed since, or was never read. Raises OSError."""
        status = os.stat(path)  # noqa: PTH116
        record = read_record(self._place(path))
        if record.get("format") != _FORMAT:
            return None
        if record.get("stamp") == [status.st_size, status.st_mtime_ns]:
            return _decoded(record)
        found = _decoded(record)
        if not found or found.sha != hashlib.sha256(content(path)).hexdigest():
            return None
        save(self._place(path), {**record, "stamp": [status.st_size, status.st_mtime_ns]})
        return found

    def learn(self, path: str, resolver: Resolver) -> Facts:
        """Read a file, and store its facts. Raises OSError, and SourceError if the file is not text."""
        from porter.cpp.lex import decode
        from porter.port.file import check_text
        from porter.port.project_names import of_text

        status = os.stat(path)  # noqa: PTH116
        raw = content(path)
        check_text(raw, path)
        names = of_text(path, decode(raw), resolver)
        facts = Facts(
            hashlib.sha256(raw).hexdigest(),
            tuple(includes(raw.decode("latin-1"))),
            tuple((word, str(kind), line, is_def) for word, kind, line, is_def in names.declared),
            tuple(sorted(names.scopes)),
            names.uses_pytorch,
        )
        stamp = [status.st_size, status.st_mtime_ns]
        save(self._place(path), {"format": _FORMAT, "stamp": stamp, **facts._asdict()})
        return facts

    def _place(self, path: str) -> str:
        return f"{self.folder}{path}.json"


def digest(facts: Iterable[Facts], macros: Sequence[str]) -> str:
    """Digest of the names in the files of a compilation. `macros` are defined on the command line."""
    declared: set[tuple[str, str, bool]] = set()
    scopes: set[str] = set()
    uses_pytorch = False
    for one in facts:
        declared |= {(word, kind, is_def) for word, kind, _, is_def in one.declared}
        scopes.update(one.scopes)
        uses_pytorch = uses_pytorch or one.uses_pytorch
    parts = [sorted(declared), sorted(scopes), uses_pytorch, sorted(set(macros))]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def content(path: str) -> bytes:
    """Content of a regular file without a byte order mark. Raises OSError.

    A port begins with a `#line` directive; compilers accept the mark only at the beginning of a file.
    """
    return regular_files.read_bytes(Path(path)).removeprefix(codecs.BOM_UTF8)


def _decoded(record: dict[str, Any]) -> Facts | None:
    try:
        declared = [(str(w), str(k), int(line), bool(d)) for w, k, line, d in record["declared"]]
        return Facts(
            str(record["sha"]),
            tuple(Include(str(path), bool(quoted)) for path, quoted in record["includes"]),
            tuple(declared),
            tuple(map(str, record["scopes"])),
            bool(record["uses_pytorch"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
