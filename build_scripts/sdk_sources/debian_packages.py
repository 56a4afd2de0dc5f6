"""Binary packages of Debian, downloaded by a separate apt and unpacked without installation."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from release_sources import apt_sources, private_apt
from release_sources.commands import execute, last_words, output
from release_sources.errors import FetchError
from release_sources.terminal import say
from sdk_sources.table import Sdk


@dataclass(frozen=True)
class Package:
    """Debian package whose files are in an SDK."""

    name: str
    version: str
    suite: str
    sha256: str
    """SHA-256 of the `.deb` file, which apt has compared with the signed index."""


def unpack(sdk: Sdk, work: Path, into: Path) -> list[Package]:
    """Download and unpack the packages of an SDK into the folder `into`. `work` is the folder for apt's state.

    Raises FetchError if a program is missing or a package is unavailable.
    """
    for program in ("apt-get", "dpkg-deb"):
        if not shutil.which(program):
            raise FetchError(f"{program} is not on this machine")
    entries = apt_sources.apt_entries(apt_sources.ETC_APT)
    system = apt_sources.os_release(apt_sources.OS_RELEASE)
    suites = list(sdk.packages)
    private_apt.set_up(work, apt_sources.debian_stanzas(entries, system, "deb", suites))
    say(f"fetching {sdk.name}: {sdk.summary}")
    update = execute(["apt-get", "-q", "update"], env=private_apt.environment(work), timeout=300)
    if update.returncode:
        raise FetchError("apt found no package lists", last_words(update.stderr))
    return [package for suite in suites for package in _of_suite(sdk, suite, work, into)]


def _of_suite(sdk: Sdk, suite: str, work: Path, into: Path) -> list[Package]:
    env = private_apt.environment(work)
    folder = work / "packages" / suite
    folder.mkdir(parents=True)
    # apt compares each file with the checksum in the suite's signed index.
    wanted = [f"{name}/{suite}" for name in sdk.packages[suite]]
    output(["apt-get", "-q", "download", *wanted], cwd=folder, env=env, timeout=900)
    packages = []
    for path in sorted(folder.glob("*.deb")):
        fields = output(["dpkg-deb", "--show", "--showformat=${Package} ${Version}", str(path)])
        name, version = fields.split()
        _extract(path, into, sdk.skip)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        packages.append(Package(name, version, suite, digest))
    if lost := set(sdk.packages[suite]) - {package.name for package in packages}:
        raise FetchError(f"apt-get did not download {', '.join(sorted(lost))}")
    return packages


def _extract(package: Path, into: Path, skip: Sequence[str]) -> None:
    """Unpack the files of a package into a folder, without the paths that match a pattern of `skip`."""
    unpacking = [
        "tar",
        "--extract",
        "--directory",
        str(into),
        *(f"--exclude={one}" for one in skip),
    ]
    with subprocess.Popen(
        ["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE
    ) as tar:
        done = subprocess.run(
            unpacking, stdin=tar.stdout, check=False, capture_output=True, text=True, timeout=300
        )
    if done.returncode or tar.returncode:
        raise FetchError(f"{package.name} cannot be unpacked", last_words(done.stderr))


def link(sdk: Sdk, folder: Path) -> None:
    """Create links, in folders of the SDK, to files in `usr/lib/<machine>`. The SDK's programs need these links.

    Raises FetchError if a file is in no package.
    """
    for place, names in sdk.links.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        for name in names:
            found = sorted((folder / "usr/lib").glob(f"*-linux-gnu*/{name}"))
            if not found:
                raise FetchError(f"no package of {sdk.name} contains {name}")
            made = folder / place / name
            made.unlink(missing_ok=True)
            made.symlink_to(os.path.relpath(found[0], folder / place))
