"""Source of header trees: PyTorch's wheels in the package index of pip."""

from __future__ import annotations

import functools
import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from release_sources import header_tree, package_index, pip_settings
from release_sources.download import NoRangesError, Web
from release_sources.errors import FetchError
from release_sources.package_index import WheelFile
from release_sources.remote_file import RemoteFile
from release_sources.source import Offer
from release_sources.terminal import Progress, say

_PLATFORM = ("linux", "x86_64")
"""Words that the platform tag of a suitable wheel must contain."""


@dataclass(frozen=True)
class Wheel:
    """Source of releases: wheels of torch in the locations that this machine's pip searches."""

    kind: ClassVar[str] = "wheel"
    origin: ClassVar[str] = "torch in pip's package index"

    def offers(self, work: Path) -> list[Offer]:
        """List with one wheel for each release. Raises FetchError if no location of pip can be read."""
        _, found = _index()
        return [
            Offer(release, self._best(release, found).name)
            for release in sorted({wheel.release for wheel in found if _is_taken(wheel)})
        ]

    def unpack(self, offer: Offer, work: Path, into: Path) -> str:
        """Write the header tree of a wheel into `into`. Returns `sha256:<hash>` of the wheel, as the index states it.

        A folder next to `work` stores the fetched data until the tree is complete.
        """
        web, wheels = _index()
        wheel = self._best(offer.release, wheels)
        fetched = _folder_of(wheel, work)
        try:
            with _opened(wheel, web, fetched) as place:
                header_tree.write(place, wheel, into)
        except header_tree.DamagedError:
            # Wrong data is deleted, because a later run would read it again.
            shutil.rmtree(fetched, ignore_errors=True)
            raise
        shutil.rmtree(fetched, ignore_errors=True)
        return f"sha256:{wheel.sha256}" if wheel.sha256 else ""

    @staticmethod
    def _best(release: str, wheels: list[WheelFile]) -> WheelFile:
        """Preferred wheel of a release (see `_preference`). Raises FetchError if no wheel is for Linux on x86-64."""
        taken = [wheel for wheel in wheels if wheel.release == release and _is_taken(wheel)]
        if not taken:
            raise FetchError(f"no wheel of torch {release} is for {' '.join(_PLATFORM)}")
        return max(taken, key=_preference)


@functools.cache
def _index() -> tuple[Web, list[WheelFile]]:
    """HTTP client, and the wheels of torch in all locations of pip. The locations are read once."""
    settings = pip_settings.read()
    web = Web(settings.certificates)
    return web, package_index.wheels("torch", settings, web)


def _is_taken(wheel: WheelFile) -> bool:
    is_final = all(part.isdigit() for part in wheel.release.split("."))
    of_cpython = wheel.python.startswith("cp") and wheel.python[2:].isdigit()
    return is_final and of_cpython and all(word in wheel.platform for word in _PLATFORM)


def _preference(wheel: WheelFile) -> tuple[bool, bool, tuple[int, int], bool, int]:
    """Sort key of a wheel. The wheel with the largest key is preferred.

    Wheels with CUDA's headers come first, then local files, then wheels for the newest CPython.
    """
    digits = wheel.python[2:]
    version = int(digits[0]), int(digits[1:] or 0)
    return (
        "+cpu" not in wheel.version,
        wheel.is_local,
        version,
        wheel.abi == wheel.python,
        wheel.build,
    )


def _folder_of(wheel: WheelFile, work: Path) -> Path:
    """Folder for the fetched data of a wheel. Folders of other wheels of the same release are removed."""
    key = hashlib.sha256(f"{wheel.url} {wheel.sha256}".encode()).hexdigest()[:16]
    start = f".pytorch-{wheel.release}-headers"
    folder = work.parent / f"{start}.{key}.fetched"
    for other in work.parent.glob(f"{start}.*.fetched"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder


@contextmanager
def _opened(wheel: WheelFile, web: Web, fetched: Path) -> Iterator[RemoteFile | Path]:
    """Context with a wheel as a file: a local file, a file read by range requests, or a downloaded file.

    The whole wheel is downloaded only if the server does not support range requests.
    """
    if wheel.is_local:
        yield _checked(Path(unquote(urlsplit(wheel.url).path)), wheel)
        return
    progress = Progress(wheel.name)
    try:
        remote = RemoteFile(web, wheel.url, wheel.size, fetched, progress)
    except NoRangesError:
        yield _downloaded(wheel, web, fetched, progress)
        return
    try:
        yield remote
    finally:
        progress.end()
    say(f"{remote.fetched / 1e6:.0f} MB of {wheel.name} read")


def _downloaded(wheel: WheelFile, web: Web, fetched: Path, progress: Progress) -> Path:
    whole = fetched / "whole.whl"
    if not whole.is_file():
        say(
            f"note: the package index does not support range requests; all of {wheel.name} is downloaded"
        )
        fetched.mkdir(parents=True, exist_ok=True)
        part = whole.with_suffix(".part")
        try:
            web.whole(wheel.url, part, progress)
        finally:
            progress.end()
        part.rename(whole)
    return _checked(whole, wheel)


def _checked(path: Path, wheel: WheelFile) -> Path:
    """Check a wheel and return its path. Raises FetchError for a missing file, DamagedError for a wrong SHA-256."""
    if not path.is_file():
        help = "use another package index (PIP_INDEX_URL): this one is out of date or damaged"
        raise FetchError(
            f"{path}: the package index lists the wheel, but the file is missing", help
        )
    if wheel.sha256:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != wheel.sha256:
            text = f"{wheel.name}: its sha256 is {found}, and {wheel.sha256} by the package index"
            raise header_tree.DamagedError(
                text, "run this again; if the error remains, the index is damaged"
            )
    return path
