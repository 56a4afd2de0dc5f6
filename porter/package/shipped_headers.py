"""Headers in a wheel, for custom kernels of users."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_SUFFIXES = ("h", "hpp", "inc", "cuh")


def headers(folders: Sequence[Path], cuh: str = "cuh") -> dict[str, Path]:
    """Include path -> header file, sorted; `cuh` is the target's suffix for CUDA headers.

    If several folders contain a header of the same name, the first folder has precedence, as for a compiler. Headers of
    a folder inside another listed folder appear only once.
    """
    suffixes = {f".{suffix}" for suffix in (*_SUFFIXES, cuh)}
    found: dict[str, Path] = {}
    for folder in folders:
        inner = [other for other in folders if other != folder and other.is_relative_to(folder)]
        for place in folder.rglob("*"):
            if (
                place.suffix in suffixes
                and place.is_file()
                and not any(place.is_relative_to(other) for other in inner)
            ):
                found.setdefault(place.relative_to(folder).as_posix(), place)
    return dict(sorted(found.items()))
