"""Package indexes in the configuration of this machine's pip."""

from __future__ import annotations

import ast
import re
import shutil
import sys
from dataclasses import dataclass

from release_sources.commands import execute, output
from release_sources.errors import FetchError

_SECTIONS = (":env:", "download", "global")
"""Sections of pip's configuration that `pip download` reads; the first one has precedence."""


@dataclass(frozen=True)
class PipSettings:
    """Locations in which pip searches for packages."""

    indexes: tuple[str, ...]
    """URLs of simple indexes (PEP 503); pip's main index comes first."""
    find_links: tuple[str, ...]
    """Folders with files, or URLs of pages with links."""
    certificates: str = ""
    """File with the certificates that pip trusts; empty for the system's certificates."""


def read() -> PipSettings:
    """Settings of this machine's pip. Raises FetchError when pip is missing."""
    pip = _command()
    values = configured(output([*pip, "config", "list"], timeout=60))

    def value(option: str) -> str:
        return next((values[f"{s}.{option}"] for s in _SECTIONS if f"{s}.{option}" in values), "")

    indexes = value("extra-index-url").split()
    if value("no-index").lower() in ("", "0", "no", "false", "off"):
        main = value("index-url") or default_index(output([*pip, "download", "--help"], timeout=60))
        indexes.insert(0, main)
    else:
        indexes = []
    return PipSettings(tuple(indexes), tuple(value("find-links").split()), value("cert"))


def configured(listing: str) -> dict[str, str]:
    """Maps section and option (`global.index-url`) to the value, from the output of `pip config list`."""
    rows = re.findall(r"^([\w:-]+\.[\w-]+)=('.*'|\".*\")$", listing, re.MULTILINE)
    return {name.lower(): ast.literal_eval(value) for name, value in rows}


def default_index(help: str) -> str:
    """URL of the default package index, as the help text of pip states it."""
    _, _, rest = help.partition("--index-url <url>")
    found = re.search(r"\(default\s+(\S+?)\)", rest)
    if not found:
        raise FetchError("pip states no package index", "set the variable PIP_INDEX_URL")
    return found[1]


def _command() -> list[str]:
    module = [sys.executable, "-m", "pip"]
    if execute([*module, "--version"], timeout=60).returncode == 0:
        return module
    for name in ("pip3", "pip"):
        if shutil.which(name):
            return [name]
    advice = "pip is not on this machine; install it (Debian: apt install python3-pip)"
    raise FetchError("pip is not on this machine", advice)
