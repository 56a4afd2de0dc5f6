"""Manifest of a port: the upstream file, rule hits and residue of each ported file. It contains no upstream text."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from porter.base import untrusted
from porter.model import overlay
from porter.model.overlay import OverlaidFile
from porter.model.rewrite_result import Reason

SCHEMA = 1
_SHA = re.compile(r"[0-9a-f]{64}")
_ROWS = {
    "hits": ((int, str, int), 0),
    "residue": ((str, str, int, int, int, str), 4),
    "hazards": ((str, int, int, int), 3),
}
"""Maps the name of a list to the types of its columns, and to the index of the column with the rule number.

Rule number -1 means: no rule.
"""
_REASONS = {str(reason): str(reason) for reason in Reason}


class FileResidue(NamedTuple):
    """One word of residue in one file."""

    reason: str
    name: str
    line: int
    """Line of the first occurrence in the ported file."""
    places: int
    """Number of occurrences."""
    rule: str = ""
    """Key of the deciding rule; empty when no rule matched."""
    note: str = ""


class FileHazard(NamedTuple):
    """One kind of hazard in one file."""

    name: str
    line: int
    """Line of the first occurrence in the patched upstream text, from 1."""
    places: int
    """Number of occurrences."""
    rule: str
    """Key of the rule that found the hazard."""


class RuleHits(NamedTuple):
    """Hits of a rule, or of one name in a rule about several names."""

    places: int
    """Number of hits."""
    files: int
    """Number of files with hits."""


class PortedFile(NamedTuple):
    """One upstream file and the result of its port."""

    path: str
    to: str
    """Path under `src/`."""
    reason: str
    """Reason for which the file was selected."""
    sha_in: str
    sha_out: str
    edits: int
    hits: Mapping[tuple[str, str], int] = {}
    """Maps (rule key, name) to the number of hits."""
    residue: tuple[FileResidue, ...] = ()
    hazards: tuple[FileHazard, ...] = ()


class Manifest(NamedTuple):
    """Description of a whole port."""

    target: str
    release: str
    mappings: str
    """Digest of the mapping files."""
    porter: str
    """Version of porter."""
    files: Mapping[str, PortedFile]
    """Maps an upstream path to the file."""
    overlays: Mapping[str, OverlaidFile] = {}
    """Maps an upstream path to the overlays of the file."""

    def uses(self) -> dict[tuple[str, str], RuleHits]:
        """Maps (rule key, name) to the hits in all files."""
        places: dict[tuple[str, str], int] = defaultdict(int)
        files: dict[tuple[str, str], int] = defaultdict(int)
        for file in self.files.values():
            for hit, count in file.hits.items():
                places[hit] += count
                files[hit] += 1
        return {hit: RuleHits(count, files[hit]) for hit, count in places.items()}


def to_text(manifest: Manifest) -> str:
    """Text of `manifest.json`: JSON with one line for each file, so that manifests can be compared as text."""
    data = to_json(manifest)
    head = {key: value for key, value in data.items() if key != "files"}
    encode = json.JSONEncoder(separators=(",", ":")).encode
    lines = [f"{encode(path)}:{encode(file)}" for path, file in data["files"].items()]
    return json.dumps(head, indent=1)[:-2] + ',\n "files": {\n' + ",\n".join(lines) + "\n}}\n"


def to_json(manifest: Manifest) -> dict[str, Any]:
    """Plain data of a manifest. The rows of a file contain indexes into the list `rules`, which holds the rule keys."""
    keys = sorted(
        {key for file in manifest.files.values() for key, _ in file.hits}
        | {left.rule for file in manifest.files.values() for left in file.residue if left.rule}
        | {danger.rule for file in manifest.files.values() for danger in file.hazards}
    )
    number = {key: index for index, key in enumerate(keys)}
    number[""] = -1
    files = {}
    for path, file in sorted(manifest.files.items()):
        files[path] = {
            "to": file.to,
            "reason": file.reason,
            "in": file.sha_in,
            "out": file.sha_out,
            "edits": file.edits,
            "hits": [
                [number[key], name, count] for (key, name), count in sorted(file.hits.items())
            ],
            "residue": [
                [left.reason, left.name, left.line, left.places, number[left.rule], left.note]
                for left in file.residue
            ],
            "hazards": [[d.name, d.line, d.places, number[d.rule]] for d in file.hazards],
        }
    # A port without overlays has no key `overlays`.
    overlays = {"overlays": overlay.to_json(manifest.overlays)} if manifest.overlays else {}
    return {
        "schema": SCHEMA,
        "porter": manifest.porter,
        "target": manifest.target,
        "release": manifest.release,
        "mappings": manifest.mappings,
        "rules": keys,
        **overlays,
        "files": files,
    }


def from_json(data: Any) -> Manifest:
    """Convert plain data to a manifest. Raises ValueError or KeyError for malformed data.

    The function checks the type of each value, that each path is relative and stays inside the port, and that each rule
    number is an index of the list of rule keys.
    """
    schema = untrusted.table(data)["schema"]
    if type(schema) is not int or schema != SCHEMA:
        raise ValueError(f"schema {untrusted.short(schema)}; this porter reads schema {SCHEMA}")
    keys = untrusted.array(data["rules"])
    head = [data[name] for name in ("target", "release", "mappings", "porter")]
    untrusted.check_strings((*keys, *head))
    tables = untrusted.table(data["files"])
    _check_rows(tables.values(), len(keys))
    numbered = [*keys, ""]
    files = {
        untrusted.relative_path(path): _file(path, file, numbered) for path, file in tables.items()
    }
    target, release, mappings, porter = head
    overlays = overlay.from_json(data.get("overlays", {}))
    return Manifest(target, release, mappings, porter, files, overlays)


def _check_rows(files: Collection[Any], keys: int) -> None:
    """Check the rows of all files at once, column by column: a check of each file takes five times as long.

    `keys` is the number of rule keys. Raises ValueError for a malformed row.
    """
    for file in files:
        untrusted.table(file)
    for name, (shape, at) in _ROWS.items():
        found = [row for file in files for row in untrusted.array(file[name])]
        untrusted.check_rows(found, shape)
        if found and max(row[at] for row in found) >= keys:
            raise ValueError(f"'{name}' refers to a rule that is not in the table")
    untrusted.check_counts([file["edits"] for file in files])


def _file(path: str, file: dict[str, Any], keys: Sequence[str]) -> PortedFile:
    untrusted.check_strings((file["reason"],))
    return PortedFile(
        path=path,
        to=untrusted.relative_path(file["to"]),
        reason=file["reason"],
        sha_in=_sha(file["in"]),
        sha_out=_sha(file["out"]),
        edits=file["edits"],
        hits={(keys[rule], name): count for rule, name, count in file["hits"]},
        residue=tuple(
            FileResidue(_REASONS[reason], name, line, count, keys[rule], note)
            for reason, name, line, count, rule, note in file["residue"]
        ),
        hazards=tuple(
            FileHazard(name, line, n, keys[rule]) for name, line, n, rule in file["hazards"]
        ),
    )


def _sha(text: Any) -> str:
    if type(text) is not str or not _SHA.fullmatch(text):
        raise ValueError(f"{untrusted.short(text)} is not a sha256")
    return text
