"""What was generated from what: the manifest of a port, file by file. No text of upstream's."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

SCHEMA = 1


class Left(NamedTuple):
    """Residue of one file, named by its rule."""

    reason: str
    name: str
    line: int
    places: int
    rule: str = ""
    note: str = ""


class Danger(NamedTuple):
    """A hazard of one file, named by its rule."""

    name: str
    line: int
    places: int
    rule: str


class Use(NamedTuple):
    """Hits of a rule, or of one name of a bulk rule."""

    places: int
    files: int


class PortedFile(NamedTuple):
    """One upstream file and what became of it."""

    path: str
    to: str
    """Path under `src/`."""
    reason: str
    """Why it was selected."""
    sha_in: str
    sha_out: str
    edits: int
    hits: Mapping[tuple[str, str], int] = {}
    """(rule key, name) -> count."""
    residue: tuple[Left, ...] = ()
    hazards: tuple[Danger, ...] = ()


class Manifest(NamedTuple):
    """A whole port."""

    target: str
    release: str
    mappings: str
    """Digest of the mapping files."""
    porter: str
    files: Mapping[str, PortedFile]

    def uses(self) -> dict[tuple[str, str], Use]:
        """Use of every (rule key, name) over all files."""
        places: dict[tuple[str, str], int] = defaultdict(int)
        files: dict[tuple[str, str], int] = defaultdict(int)
        for file in self.files.values():
            for hit, count in file.hits.items():
                places[hit] += count
                files[hit] += 1
        return {hit: Use(count, files[hit]) for hit, count in places.items()}


def to_text(manifest: Manifest) -> str:
    """JSON with a line per file, so that two manifests can be compared as text."""
    data = to_json(manifest)
    head = {key: value for key, value in data.items() if key != "files"}
    encode = json.JSONEncoder(separators=(",", ":")).encode
    lines = [f"{encode(path)}:{encode(file)}" for path, file in data["files"].items()]
    return json.dumps(head, indent=1)[:-2] + ',\n "files": {\n' + ",\n".join(lines) + "\n}}\n"


def to_json(manifest: Manifest) -> dict[str, Any]:
    """Plain data; rule keys stand once, in a table."""
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
    return {
        "schema": SCHEMA,
        "porter": manifest.porter,
        "target": manifest.target,
        "release": manifest.release,
        "mappings": manifest.mappings,
        "rules": keys,
        "files": files,
    }


def from_json(data: Any) -> Manifest:
    """The manifest in plain data. Raises ValueError, KeyError or TypeError when it is not one."""
    if data["schema"] != SCHEMA:
        raise ValueError(f"schema {data['schema']}")
    keys = [*data["rules"], ""]
    files = {}
    for path, file in data["files"].items():
        files[path] = PortedFile(
            path=path,
            to=file["to"],
            reason=file["reason"],
            sha_in=file["in"],
            sha_out=file["out"],
            edits=file["edits"],
            hits={(keys[rule], name): count for rule, name, count in file["hits"]},
            residue=tuple(
                Left(reason, name, line, count, keys[rule], note)
                for reason, name, line, count, rule, note in file["residue"]
            ),
            hazards=tuple(
                Danger(name, line, n, keys[rule]) for name, line, n, rule in file["hazards"]
            ),
        )
    return Manifest(data["target"], data["release"], data["mappings"], data["porter"], files)
