"""Table of SDKs: `build_scripts/sdks.toml`."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from release_sources.errors import UsageError

TABLE = Path(__file__).resolve().parent.parent / "sdks.toml"


class Stub(NamedTuple):
    """Functions of a library that the SDK has as an import stub."""

    headers: str
    """Folder of headers, below `usr/include`, that declare the functions."""
    prefix: str
    """Begin of the functions' names."""


@dataclass(frozen=True)
class Sdk:
    """Entry of the table: one SDK."""

    name: str
    summary: str
    packages: Mapping[str, tuple[str, ...]]
    """Maps a suite of Debian to the binary packages of the SDK."""
    headers: tuple[str, ...]
    """Paths, relative to `usr/include`, of headers that a complete SDK contains."""
    skip: tuple[str, ...]
    """Patterns of paths. Files with these paths are not unpacked from the packages."""
    stubs: Mapping[str, Stub]
    """Maps the soname of a library to its functions."""
    links: Mapping[str, tuple[str, ...]]
    """Maps a folder of the SDK to names of files in `usr/lib/<machine>`; the folder gets links to these files."""

    @property
    def digest(self) -> str:
        """SHA-256 of the entry. A cached SDK is fetched again if its stamp has a different digest."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    def missing_headers(self, folder: Path) -> list[str]:
        """Headers of the entry that the SDK in `folder` lacks."""
        include = folder / "usr/include"
        return [header for header in self.headers if not (include / header).is_file()]


def read(path: Path = TABLE) -> dict[str, Sdk]:
    """Maps the name of an SDK to its entry."""
    entries = tomllib.loads(path.read_text())
    return {
        name: Sdk(
            name,
            entry["summary"],
            {suite: tuple(names) for suite, names in entry["packages"].items()},
            tuple(entry["headers"]),
            tuple(entry.get("skip", ())),
            {soname: Stub(**stub) for soname, stub in entry.get("stubs", {}).items()},
            {place: tuple(names) for place, names in entry.get("links", {}).items()},
        )
        for name, entry in entries.items()
    }


def find(name: str, table: Mapping[str, Sdk]) -> Sdk:
    """Entry of the SDK with the given name. Raises UsageError for an unknown name."""
    if name not in table:
        raise UsageError(f"no SDK '{name}' is known", f"known: {', '.join(sorted(table))}")
    return table[name]
