"""Source of releases: upstream's files in Debian's source package `pytorch`, without Debian's patches."""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from release_sources import apt_sources, private_apt
from release_sources.archive import unpack
from release_sources.commands import execute, last_words, output
from release_sources.errors import FetchError
from release_sources.source import Offer


@dataclass(frozen=True)
class Debian:
    """Source of releases: Debian's source package `pytorch`, from the mirror of this machine's apt."""

    kind: ClassVar[str] = "debian"
    origin: ClassVar[str] = "source package pytorch"

    def offers(self, work: Path) -> list[Offer]:
        """List of all final releases in the searched suites. Raises FetchError if apt fails."""
        entries = apt_sources.apt_entries(apt_sources.ETC_APT)
        system = apt_sources.os_release(apt_sources.OS_RELEASE)
        stanzas = apt_sources.debian_stanzas(entries, system)
        if not shutil.which("apt-get"):
            raise FetchError("apt-get is not on this machine")
        private_apt.set_up(work, stanzas)
        env = private_apt.environment(work)
        # The exit code is ignored, because apt also reports an error if a single suite is missing on the mirror.
        update = execute(["apt-get", "-q", "update"], env=env, timeout=300)
        listed = output(["apt-cache", "madison", "pytorch"], env=env)
        rows = [[cell.strip() for cell in line.split("|")] for line in listed.splitlines()]
        offers = [
            Offer(release, version, place.split()[1].partition("/")[0])
            for name, version, place in (row for row in rows if len(row) == 3)
            if name == "pytorch" and (release := upstream_release(version))
        ]
        if not offers:
            raise FetchError("apt found no source package pytorch", last_words(update.stderr))
        return offers

    def unpack(self, offer: Offer, work: Path, into: Path) -> str:
        """Write upstream's files into `into`. Returns `sha256:<hash>` of upstream's tarball, as the `.dsc` states
        it."""
        folder = work / "download"
        folder.mkdir()
        # Only the `.dsc` and upstream's tarball are fetched. The tarball of Debian's patches is not needed, and some
        # mirrors lack it.
        for part in ("--dsc-only", "--tar-only"):
            argv = ["apt-get", "-q", "source", "--download-only", "--only-source", part]
            env = private_apt.environment(work)
            output([*argv, f"pytorch={offer.version}"], cwd=folder, env=env)
        dsc = "".join(path.read_text(errors="replace") for path in folder.glob("*.dsc"))
        name, size, sha256 = orig_tarball(dsc)
        check_tarball(folder / name, size, sha256)
        with (folder / name).open("rb") as archive:
            unpack(archive, into)
        return f"sha256:{sha256}"


def upstream_release(version: str) -> str | None:
    """Release 2.6.0 for Debian's version 2.6.0+dfsg-7; None if the version is not a final release."""
    match = re.fullmatch(r"(?:\d+:)?(\d+\.\d+\.\d+)(?:\+[\w.]+)?-[\w.+~]+", version)
    return match[1] if match else None


def orig_tarball(dsc: str) -> tuple[str, int, str]:
    """Name, size in bytes and SHA-256 of upstream's tarball, from the text of a `.dsc`."""
    section = re.search(r"^Checksums-Sha256:\s*\n((?: .*\n)+)", dsc, re.MULTILINE)
    row = r"^ ([0-9a-f]{64}) (\d+) ([\w.+~-]+\.orig\.tar\.(?:xz|gz|bz2))$"
    found = re.findall(row, section[1], re.MULTILINE) if section else []
    if len(found) != 1:
        raise FetchError("the .dsc of Debian's pytorch names no single upstream tarball")
    sha256, size, name = found[0]
    return name, int(size), sha256


def check_tarball(path: Path, size: int, sha256: str) -> None:
    """Check the size in bytes and the SHA-256 of a file. Raises FetchError if one of them differs."""
    if not path.is_file():
        raise FetchError(f"apt-get did not download {path.name}")
    if path.stat().st_size != size:
        raise refused(path, f"its size is {path.stat().st_size}, but its .dsc states {size}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise refused(path, f"its sha256 is {found}, but its .dsc states {sha256}")


def refused(path: Path, reason: str) -> FetchError:
    """Create the FetchError for a tarball that differs from the description in the `.dsc`."""
    return FetchError(
        f"{path.name} is not the file that Debian signed: {reason}",
        "the file was deleted; run this again; if the error remains, the mirror is damaged",
    )
