"""Private apt with its own folders: needs no root, and leaves the machine's apt unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from release_sources import commands


def set_up(work: Path, stanzas: Iterable[str]) -> None:
    """Make the folders and settings, below `work`, of an apt with these sources (deb822).

    It uses the machine's settings, which may contain a proxy or a certificate, but not the hooks that run after an
    update, because these hooks change the machine's folders.
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
        # Require signatures, regardless of the machine's settings.
        "Acquire::AllowInsecureRepositories": "false",
        "Acquire::AllowWeakRepositories": "false",
        "APT::Get::AllowUnauthenticated": "false",
        # The user `_apt`, which apt uses for downloads, cannot enter root's home folder, where the cache may be.
        "APT::Sandbox::User": "root",
        "Acquire::http::Timeout": "20",
        "Acquire::https::Timeout": "20",
        "Acquire::Retries": "1",
    }
    settings += [f'{name} "{value}";' for name, value in ours.items()]
    (work / "apt/apt.conf").write_text("\n".join(settings) + "\n")
    (work / "apt/sources/debian.sources").write_text("\n".join(stanzas))


def environment(work: Path) -> dict[str, str]:
    """Environment of apt's programs, which selects the private apt below `work`."""
    return {**commands.environment(), "APT_CONFIG": str(work / "apt/apt.conf")}
