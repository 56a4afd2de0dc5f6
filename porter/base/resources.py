"""Location of porter's own data: inside the package in a wheel, beside the package in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def folder(name: str) -> Path:
    """Path of a data folder: `mappings`, `runtime`, `backend`, `templates` or `build_scripts`.

    In a wheel, `build_scripts` contains only the scripts that fetch a release.
    """
    inside = _PACKAGE / "_data" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
