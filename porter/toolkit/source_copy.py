"""Copy of a package's folder, in which its build can write."""

from __future__ import annotations

import fnmatch
import os
import shutil
import stat
from pathlib import Path

from porter.base.errors import SourceError

_OUTPUTS = ("build", "dist", "*.egg-info", ".venv")
"""Results of earlier builds. A folder of this name further below may contain sources."""
_VERSION_CONTROL = ".git"


def copy(folder: Path, into: Path) -> None:
    """Copy a folder with its links. A link that leaves the folder becomes a copy of its target.

    Left out are results of earlier builds, version control, files that are neither regular files nor folders, and links
    that lead nowhere or to a folder above them. Raises SourceError if a file cannot be copied.
    """
    try:
        _copy(folder, into, (folder.resolve(),))
    except shutil.Error as error:
        # The exception has a list of (source, copy, reason).
        source, _, reason = error.args[0][0]
        raise SourceError(f"cannot be copied: {reason}", str(source)) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise SourceError(f"cannot be copied: {why}", str(error.filename or folder)) from None


def _copy(folder: Path, into: Path, above: tuple[Path, ...]) -> None:
    """Copy a folder. `above` has its real path, and those of the folders whose links lead to it."""
    leaving: dict[Path, Path] = {}

    def left_out(parent: str, names: list[str]) -> set[str]:
        omitted = set()
        for name in names:
            place = Path(parent, name)
            output = place.parent == folder and any(fnmatch.fnmatch(name, one) for one in _OUTPUTS)
            if output or name == _VERSION_CONTROL or not _is_usable(place):
                omitted.add(name)
            elif place.is_symlink() and not _stays(place, above[-1]):
                omitted.add(name)
                leaving[place] = into / place.relative_to(folder)
        return omitted

    shutil.copytree(folder, into, symlinks=True, ignore=left_out)
    for link, place in leaving.items():
        target = link.resolve()
        if target.is_file():
            shutil.copy2(target, place)
        elif not any(one.is_relative_to(target) for one in above):
            _copy(target, place, (*above, target))


def _stays(link: Path, root: Path) -> bool:
    """Test whether a link is relative, and leads to a file or folder below `root`."""
    return not Path(os.readlink(link)).is_absolute() and link.resolve().is_relative_to(root)  # noqa: PTH115


def _is_usable(place: Path) -> bool:
    try:
        mode = place.stat().st_mode
    except (OSError, RuntimeError):
        return False
    if place.is_symlink() and place.parent.resolve().is_relative_to(place.resolve()):
        return False
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
