"""The project file of a vendor's repository, `porter.toml`: defaults for options of porter's commands.

    targets = ["acme"]                # the first is the default of --target
    mappings = ["mappings"]           # --mappings
    releases = ["2.6.0", "2.14.1-headers"]
    locks = "locks"                   # porter regenerate --locks
    out = "generated"                 # --out

The file applies to commands that run in its folder or in a subfolder. Paths are relative to the file. The command line
has precedence over the environment, and the environment over this file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from porter.base import regular_files, untrusted
from porter.base.errors import Problem, UsageError, did_you_mean

FILE = "porter.toml"
_EXAMPLE = (
    'write for example targets = ["acme"]; porter target new NAME --repo DIR writes a complete file'
)
_RESTORE = "restore it from version control, or delete it"
_LISTS = ("targets", "mappings", "releases")
_PATHS = ("locks", "out")


class ProjectFile(NamedTuple):
    """Content of a project file, or porter's defaults."""

    place: Path | None = None
    """Path of the file; None if there is no project file."""
    targets: tuple[str, ...] = ()
    mappings: tuple[Path, ...] = ()
    releases: tuple[str, ...] = ()
    """Names of the source trees to port: `2.6.0`, or `2.14.1-headers` for a header tree."""
    locks: Path = Path("generated")
    out: Path = Path("generated")


def find() -> Path | None:
    """Project file in the current folder or in the nearest folder above it; None if there is none."""
    try:
        here = Path.cwd()
    except FileNotFoundError:  # The current folder does not exist any more.
        return None
    return next((one / FILE for one in (here, *here.parents) if os.path.lexists(one / FILE)), None)


def read(place: Path | None = None) -> ProjectFile:
    """Content of a project file, by default of the file that `find` returns.

    Without a file, the result has porter's defaults. Raises UsageError, with a list of all errors in the file.
    """
    place = place or find()
    if place is None:
        return ProjectFile()
    # Imported here because most commands run without a project file.
    import tomllib

    try:
        data = tomllib.loads(regular_files.read_text(place, untrusted.LARGEST))
    except UnicodeDecodeError as error:
        raise UsageError(f"is not UTF-8: byte {error.start}", str(place), _RESTORE) from None
    except (ValueError, RecursionError) as error:
        # A number with too many digits raises a ValueError other than TOMLDecodeError.
        raise UsageError(f"is not TOML: {error}", str(place), _EXAMPLE) from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", str(place), _RESTORE) from None
    if problems := _problems(data, place):
        raise UsageError(problems)
    # The paths are relative to the current folder, because messages should name paths as the user would write them.
    base = Path(os.path.relpath(place.parent))
    lists = {key: tuple(data.get(key, ())) for key in _LISTS}
    mappings = tuple(base / folder for folder in lists["mappings"])
    return ProjectFile(
        place,
        lists["targets"],
        mappings,
        lists["releases"],
        base / data.get("locks", "locks"),
        base / data.get("out", "generated"),
    )


def _problems(data: dict[str, Any], place: Path) -> list[Problem]:
    # Imported here because most commands run without a project file.
    from porter.vendor_repository import release_trees

    known = (*_LISTS, *_PATHS)
    found = []
    for key, value in data.items():
        where = str(place)
        if key not in known:
            help = did_you_mean(key, known) or f"use the keys {', '.join(known)}"
            found.append(Problem(f"unknown key '{key}'", where, help))
        elif key in _PATHS and not (isinstance(value, str) and value):
            found.append(Problem(f"'{key}' must be a path", where, f'write {key} = "{key}"'))
        elif key in _LISTS and not _is_list_of_text(value):
            found.append(
                Problem(f"'{key}' must be a list of texts", where, f'write {key} = ["..."]')
            )
        elif any(map(untrusted.has_control, [value] if isinstance(value, str) else value)):
            found.append(Problem(f"'{key}' contains a control character", where, _EXAMPLE))
        elif key == "releases":
            found += [
                Problem(f"'{name}' is not a PyTorch release", where, release_trees.HELP)
                for name in value
                if not release_trees.is_name(name)
            ]
    return found


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)
