"""Debian mirrors of this machine, read from apt's list of package sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from release_sources.errors import FetchError

SUITES = ("trixie", "bookworm", "sid")
"""Debian suites that are searched for the source package, in this order."""
ETC_APT = Path("/etc/apt")
OS_RELEASE = Path("/etc/os-release")
DEBIAN_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

Entry = dict[str, str]
"""Repository in apt's package sources. Maps a field's name, in lower case, to its value; blanks separate list items."""


def apt_entries(etc_apt: Path) -> list[Entry]:
    """All repositories in the machine's apt sources, from files in one-line format and in deb822 format."""
    parts = etc_apt / "sources.list.d"
    entries: list[Entry] = []
    for path in (etc_apt / "sources.list", *sorted(parts.glob("*.list"))):
        if path.is_file():
            entries += one_line_entries(path.read_text(errors="replace"))
    for path in sorted(parts.glob("*.sources")):
        entries += deb822_entries(path.read_text(errors="replace"))
    return entries


def one_line_entries(text: str) -> Iterator[Entry]:
    """Yield entries in one-line format: `deb [signed-by=/k.gpg] http://mirror.example.org/debian bookworm main`."""
    for line in text.splitlines():
        match = re.match(
            r"\s*deb(?:-src)?\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)\s+(.+)", line.partition("#")[0]
        )
        if match:
            options = [option.partition("=") for option in (match[1] or "").split()]
            entry = {name.lower(): value for name, _, value in options}
            yield entry | {"uris": match[2], "suites": match[3], "components": match[4].strip()}


def deb822_entries(text: str) -> Iterator[Entry]:
    """Yield entries in deb822 format: stanzas of `Field: value` lines, as in `debian.sources`."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for stanza in re.split(r"\n\s*\n", "\n".join(lines)):
        fields = re.findall(r"^([\w-]+):((?:.*)(?:\n[ \t].*)*)", stanza, re.MULTILINE)
        entry = {name.lower(): value.strip(" \t") for name, value in fields}
        if {"uris", "suites"} <= entry.keys() and entry.get("enabled", "yes").lower() != "no":
            yield entry


def os_release(path: Path) -> Entry:
    """Fields of an os-release file; empty if the file does not exist."""
    if not path.is_file():
        return {}
    return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', path.read_text(), re.MULTILINE))


def debian_stanzas(
    entries: Iterable[Entry], system: Entry, types: str = "deb-src", suites: Sequence[str] = SUITES
) -> list[str]:
    """Create deb822 stanzas, one for each Debian mirror in `entries`, with the given package types and suites.

    `types` is `deb-src` for source packages, or `deb` for binary packages. `system` holds the fields of os-release. A
    repository is a mirror of Debian's archive if its suites include the running Debian release. Raises FetchError if
    this machine does not run Debian, or has no such mirror.
    """
    if system.get("ID") != "debian":
        name = system.get("PRETTY_NAME") or "of an unknown system"
        raise FetchError(f"this machine is {name}: its apt has no mirror of Debian")
    known = list(entries)
    codename = system.get("VERSION_CODENAME", "")
    found = _serving(known, {codename}) or _serving(known, {"stable", "testing", "unstable", "sid"})
    if not found:
        raise FetchError(f"no entry of {ETC_APT}/sources.list* serves Debian {codename}")
    stanzas: dict[str, str] = {}
    for entry in found:
        for uri in entry["uris"].split():
            # apt rejects one URI with two keyrings. Therefore only the first entry of a mirror is used.
            stanzas.setdefault(uri.rstrip("/"), _stanza(uri, entry, types, suites))
    return list(stanzas.values())


def _serving(entries: Iterable[Entry], suites: set[str]) -> list[Entry]:
    return [
        entry
        for entry in entries
        if suites & set(entry["suites"].split()) and "main" in entry.get("components", "").split()
    ]


def _stanza(uri: str, entry: Entry, types: str, suites: Sequence[str]) -> str:
    kept = {name: entry[name] for name in entry if name in ("signed-by", "check-valid-until")}
    if "signed-by" not in kept and DEBIAN_KEYRING.is_file():
        kept["signed-by"] = str(DEBIAN_KEYRING)
    fields = {"types": types, "uris": uri, "suites": " ".join(suites), "components": "main"}
    return "".join(f"{name.title()}: {value}\n" for name, value in (fields | kept).items())
