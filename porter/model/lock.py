"""Lock file: a digest of a port. The next port is compared with the digest.

A lock contains no upstream text. It records the result (hashes, edits, rule hits, residue, hazards), but neither the
version of porter nor the text of the mappings: equal ports have equal locks. The entries are sorted, one on each line,
so that version control compares and merges them one by one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from porter.base import untrusted
from porter.model.manifest import Manifest, PortedFile
from porter.model.rewrite_result import Reason

SCHEMA = 1

_WORDS = re.compile(r"[\w./:<>+*~-]+(?: [\w./:<>+*~-]+)?", re.ASCII)
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class LockedFile:
    """Digests of one upstream file and its ported file."""

    path: str
    """Path from the root of the upstream tree."""
    to: str
    """Path under `src/`."""
    sha_in: str
    sha_out: str
    edits: int


@dataclass(frozen=True)
class Lock:
    """Digest of a whole port: the data that a comparison of two ports needs."""

    target: str
    release: str
    files: Mapping[str, LockedFile]
    """Maps an upstream path to the file."""
    hits: Mapping[str, Mapping[str, int]]
    """Maps a rule key, then a name, to the number of hits. The name is empty except for rules about several names."""
    residue: Mapping[str, Mapping[str, int]]
    """Maps a reason, then a name, to the number of occurrences."""
    hazards: Mapping[str, Mapping[str, int]]
    """Maps a hazard, then a ported path, to the number of occurrences."""

    @property
    def edits(self) -> int:
        """Number of edits in all files."""
        return sum(file.edits for file in self.files.values())


def lock_of(manifest: Manifest) -> Lock:
    """Lock of the port that `manifest` describes."""
    files = manifest.files.values()
    hits = (
        (rule, name, count) for file in files for (rule, name), count in file.hits.items() if count
    )
    return Lock(
        target=manifest.target,
        release=manifest.release,
        files={file.path: _locked(file) for file in sorted(files, key=lambda file: file.path)},
        hits=_sums((rule, safe_name(name), count) for rule, name, count in hits),
        residue=_sums(
            (left.reason, safe_name(left.name), left.places)
            for file in files
            for left in file.residue
        ),
        hazards=_sums((d.name, file.to, d.places) for file in files for d in file.hazards),
    )


def safe_name(name: str) -> str:
    """Return `name` unchanged when the name is a word, a path or a pair of words; else return a digest of the name.

    The name of residue is the remaining vendor text. When two rules overlap, this text can be several lines of upstream
    code, and a lock file must not contain upstream code.
    """
    if not name or (len(name) <= _LONGEST and _WORDS.fullmatch(name)):
        return name
    return "text:" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def to_text(lock: Lock) -> str:
    """Text of a lock file: JSON with one entry on each line."""
    head = {"schema": SCHEMA, "target": lock.target, "release": lock.release}
    files = [
        f"{json.dumps(path)}: "
        + json.dumps({"to": file.to, "edits": file.edits, "in": file.sha_in, "out": file.sha_out})
        for path, file in sorted(lock.files.items())
    ]
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    parts.append('"files": ' + _block(files))
    for key, table in (("hits", lock.hits), ("residue", lock.residue), ("hazards", lock.hazards)):
        inner = [
            f"{json.dumps(name)}: "
            + _block(f"{json.dumps(what)}: {count}" for what, count in sorted(counts.items()))
            for name, counts in sorted(table.items())
        ]
        parts.append(f'"{key}": ' + _block(inner))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def from_json(data: Any) -> Lock:
    """Convert plain data to a lock. Raises ValueError or KeyError for malformed data.

    The function checks the type of each value and that each path is relative and stays inside the port.
    """
    schema = untrusted.table(data)["schema"]
    if type(schema) is not int or schema != SCHEMA:
        raise ValueError(f"schema {untrusted.short(schema)}; this porter reads schema {SCHEMA}")
    files = {
        untrusted.relative_path(path): _file(path, untrusted.table(file))
        for path, file in untrusted.table(data["files"]).items()
    }
    residue = _table(data["residue"])
    for reason in residue:
        Reason(reason)
    untrusted.check_strings((data["target"], data["release"]))
    return Lock(
        target=data["target"],
        release=data["release"],
        files=files,
        hits=_table(data["hits"]),
        residue=residue,
        hazards=_table(data["hazards"]),
    )


def _file(path: str, file: dict[str, Any]) -> LockedFile:
    untrusted.check_strings((file["in"], file["out"]))
    untrusted.check_counts((file["edits"],))
    to = untrusted.relative_path(file["to"])
    return LockedFile(path, to, file["in"], file["out"], file["edits"])


def _locked(file: PortedFile) -> LockedFile:
    return LockedFile(file.path, file.to, file.sha_in, file.sha_out, file.edits)


def _sums(found: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    total: dict[str, dict[str, int]] = {}
    for outer, inner, count in found:
        counts = total.setdefault(str(outer), {})
        counts[inner] = counts.get(inner, 0) + count
    return total


def _block(lines: Iterable[str]) -> str:
    text = ",\n".join(lines)
    return f"{{\n{text}\n}}" if text else "{}"


def _table(data: Any) -> dict[str, dict[str, int]]:
    tables = {
        outer: untrusted.table(counts) for outer, counts in untrusted.table(data).items() if counts
    }
    for counts in tables.values():
        untrusted.check_counts(counts.values(), least=1)
    return tables
