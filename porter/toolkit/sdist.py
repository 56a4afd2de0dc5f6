"""Sources of a Python package: a folder, an sdist, or the name of a package in the index."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from porter.base.errors import SourceError
from porter.toolkit import pip_output, source_copy

_BUILD_FILES = ("setup.py", "pyproject.toml")
_HELP = "give a folder with setup.py or pyproject.toml, an sdist (.tar.gz or .zip), or the name of a package"
_ARCHIVES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")


def unpack(given: str, scratch: Path, python: str, environment: Mapping[str, str]) -> Path:
    """Folder with the sources of a package, below `scratch`.

    `given` is a folder, an sdist or a requirement (`torch-scatter==2.1.2`), which pip downloads. Raises SourceError if
    the sources cannot be fetched, or are no sources of a Python package; BuildError if the package's setup.py fails.
    """
    place = Path(given)
    if place.is_dir():
        root = scratch / "source" / place.absolute().name
        _check(place, given)
        source_copy.copy(place, root)
        return root
    if place.is_file():
        return _extracted(place, scratch / "source", given)
    if "/" in given or given.endswith(_ARCHIVES):
        raise SourceError("no such file or folder", given, _HELP)
    if given.startswith("-"):
        # pip would read an option.
        raise SourceError("is not the name of a package", given, _HELP)
    return _extracted(
        _downloaded(given, scratch / "download", python, environment), scratch / "source", given
    )


def _check(root: Path, given: str) -> None:
    if not any((root / name).is_file() for name in _BUILD_FILES):
        raise SourceError(f"contains neither {' nor '.join(_BUILD_FILES)}", given, _HELP)


def _extracted(archive: Path, into: Path, given: str) -> Path:
    into.mkdir(parents=True)
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as file:
                file.extractall(into)
        else:
            with tarfile.open(archive) as file:
                _extract_tar(file, into)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        # The message of tarfile.open has a line for each compression that it tried.
        why = str(error).partition(":\n")[0]
        raise SourceError(f"is no sdist: {why}", given, _HELP) from None
    folders = [one for one in into.iterdir() if one.is_dir()]
    if len(folders) != 1:
        raise SourceError("is no sdist: it does not consist of a single folder", given, _HELP)
    _check(folders[0], given)
    return folders[0]


def _extract_tar(file: tarfile.TarFile, into: Path) -> None:
    """Extract an archive that may be hostile. Raises ValueError for a member that leaves the folder."""
    if hasattr(tarfile, "data_filter"):
        file.extractall(into, filter="data")
        return
    # Python before 3.11.4 (Debian 12 has 3.11.2) has no filters.
    root = into.resolve()
    for member in file.getmembers():
        if not (member.isreg() or member.isdir()):
            continue
        place = (root / member.name).resolve()
        if not place.is_relative_to(root):
            raise ValueError(f"{member.name} lies outside the archive's folder")
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        file.extract(member, root, set_attrs=True)


def _downloaded(name: str, into: Path, python: str, environment: Mapping[str, str]) -> Path:
    command = [
        python,
        "-m",
        "pip",
        "download",
        "--no-binary",
        ":all:",
        "--no-deps",
        "--no-build-isolation",
    ]
    command += ["--disable-pip-version-check", "--quiet", "--dest", str(into), name]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=dict(environment)
    )
    found = sorted(into.glob("*")) if into.is_dir() else []
    if done.returncode != 0 or len(found) != 1:
        why = f"the sdist cannot be fetched: {pip_output.reason(done.stderr)}"
        # pip runs the package's setup.py to read the name and the version.
        raise pip_output.own_failure(done.stderr, name) or SourceError(why, name, _HELP)
    return found[0]
