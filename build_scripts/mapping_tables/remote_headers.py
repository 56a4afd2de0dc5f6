"""Headers in NVIDIA's wheels, read from pip's package index by range requests."""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from mapping_tables.errors import TableError
from release_sources import package_index, pip_settings
from release_sources.download import NoRangesError, Web
from release_sources.errors import FetchError
from release_sources.package_index import WheelFile
from release_sources.remote_file import RemoteFile

_BLOCK = 1 << 18
"""Size of a request in bytes. The headers of a wheel take a few hundred kilobytes, its libraries hundreds of
megabytes.
"""
_PIN = re.compile(
    r"Requires-Dist: nvidia-([\w-]+?)(-cu\d+)?(==|<\d+,>=)([\d.]+?)(?:\.\*)?;.*extra == 'all'"
)


class RemoteHeaders:
    """Folders with the headers of wheels. The headers of each wheel are unpacked once, into a subfolder of `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _index(self) -> tuple[pip_settings.PipSettings, Web]:
        settings = pip_settings.read()
        return settings, Web(settings.certificates)

    def toolkit(self, version: str) -> dict[str, str]:
        """Maps each part of a CUDA toolkit to its wheel as `project==version`, from the toolkit's meta package."""
        place = self._folder / f"cuda-toolkit-{version}.txt"
        if not place.is_file():
            with self._opened(f"cuda-toolkit=={version}") as wheel:
                name = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(wheel.read(name))
        return {
            part: f"nvidia-{part}{suffix or ''}=={release}"
            for part, suffix, _, release in _PIN.findall(place.read_text(encoding="utf-8"))
        }

    def include(self, pin: str) -> Path:
        """Folder `include` with the headers of a wheel. If necessary, the headers are fetched.

        Raises TableError if the wheel is not available.
        """
        into = self._folder / pin.replace("==", "-")
        if not into.is_dir():
            part = into.with_name(f"{into.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            (part / "include").mkdir(parents=True)
            with self._opened(pin) as wheel:
                for name in wheel.namelist():
                    _, found, path = name.partition("/include/")
                    if found and not name.endswith("/"):
                        place = part / "include" / path.removeprefix("cccl/")
                        place.parent.mkdir(parents=True, exist_ok=True)
                        place.write_bytes(wheel.read(name))
            part.rename(into)
        return into / "include"

    @contextmanager
    def _opened(self, pin: str) -> Iterator[zipfile.ZipFile]:
        try:
            wheel = self._wheel(pin)
            with (
                tempfile.TemporaryDirectory() as blocks,
                zipfile.ZipFile(self._file(wheel, Path(blocks))) as opened,
            ):
                yield opened
        except (FetchError, NoRangesError, zipfile.BadZipFile) as error:
            raise TableError(
                f"{pin}: {str(error) or 'the package index does not support range requests'}"
            ) from None

    def _file(self, wheel: WheelFile, blocks: Path) -> IO[bytes]:
        if wheel.is_local:
            return Path(unquote(urlsplit(wheel.url).path)).open("rb")
        file: Any = RemoteFile(
            self._index[1], wheel.url, wheel.size, blocks, lambda count: None, block=_BLOCK
        )
        opened: IO[bytes] = file
        return opened

    def _wheel(self, pin: str) -> WheelFile:
        """Wheel of a pinned version for Linux on x86-64. If there are several builds, the latest one."""
        project, _, wanted = pin.partition("==")
        settings, web = self._index
        found = package_index.wheels(project.replace("-", "_"), settings, web)
        taken = [
            wheel
            for wheel in found
            if (wheel.version == wanted or wheel.version.startswith(f"{wanted}."))
            and wheel.name.startswith(f"{project.replace('-', '_')}-")
            and (
                wheel.platform == "any"
                or ("linux" in wheel.platform and "x86_64" in wheel.platform)
            )
        ]
        if not taken:
            raise TableError(f"no wheel of {pin} is for Linux on x86-64")
        return max(
            taken, key=lambda wheel: [int(part) for part in re.findall(r"\d+", wheel.version)]
        )
