"""Separate configuration of apt with its own folders. It needs no root, and leaves the machine's apt unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from release_sources import commands


def set_up(work: Path, stanzas: Iterable[str]) -> None:
    """Create the folders and settings of a separate apt below `work`. `stanzas` are its package sources (deb822).

    It uses the machine's settings, which may contain a proxy or a certificate. It does not use the hooks that run after
    an update, because they change the machine's folders.
    """
    settings = [
        line
        for line in commands.output(["apt-config", "dump"]).splitlines()
        if not line.startswith(("APT::Update::Pre-", "APT::Update::Post-"))
    ]
    for folder in ("lists/partial", "archives/partial", "sources"):
        (work / "apt" / folder).mkdir(parents=True)
    ours = {
        "Dir::State": f"{work}/apt/",
        "Dir::State::lists": f"{work}/apt/lists/",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": f"{work}/apt/",
        "Dir::Etc::main": "/dev/null",
        "Dir::Etc::parts": "/dev/null",
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": f"{work}/apt/sources/",
        # Signatures are required, whatever the machine's settings say.
        "Acquire::AllowInsecureRepositories": "false",
        "Acquire::AllowWeakRepositories": "false",
        "APT::Get::AllowUnauthenticated": "false",
        # apt downloads as the user `_apt`, who cannot enter root's home folder, where the cache may be.
        "APT::Sandbox::User": "root",
        "Acquire::http::Timeout": "20",
        "Acquire::https::Timeout": "20",
        "Acquire::Retries": "1",
    }
    settings += [f'{name} "{value}";' for name, value in ours.items()]
    (work / "apt/apt.conf").write_text("\n".join(settings) + "\n")
    (work / "apt/sources/debian.sources").write_text("\n".join(stanzas))


def environment(work: Path) -> dict[str, str]:
    """Environment variables with which apt's programs use the configuration below `work`."""
    return {**commands.environment(), "APT_CONFIG": str(work / "apt/apt.conf")}
