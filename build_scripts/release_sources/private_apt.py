"""Separate configuration of apt, with its own folders. It works without root and does not change the machine's apt."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from release_sources import commands


def set_up(work: Path, stanzas: Iterable[str]) -> None:
    """Create the folders and settings of a separate apt below `work`. `stanzas` are its package sources (deb822).

    The separate apt uses the machine's settings, which may contain a proxy or a certificate. It does not use the hooks
    before and after an update, because these hooks change the machine's folders.
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
        # Signatures are required, independent of the machine's settings.
        "Acquire::AllowInsecureRepositories": "false",
        "Acquire::AllowWeakRepositories": "false",
        "APT::Get::AllowUnauthenticated": "false",
        # apt downloads as the user `_apt`, who cannot enter root's home folder, where the cache may be.
        "APT::Sandbox::User": "root",
        "Acquire::http::Timeout": "20",
        "Acquire::https::Timeout": "20",
        "Acquire::Retries": "3",
    }
    settings += [f'{name} "{value}";' for name, value in ours.items()]
    (work / "apt/apt.conf").write_text("\n".join(settings) + "\n")
    (work / "apt/sources/debian.sources").write_text("\n".join(stanzas))


def environment(work: Path) -> dict[str, str]:
    """Environment variables with which apt's programs use the configuration below `work`."""
    return {**commands.environment(), "APT_CONFIG": str(work / "apt/apt.conf")}
