"""Headers that a wheel contains, so that users can compile custom kernels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_SUFFIXES = ("h", "hpp", "inc", "cuh")
_LIBCUXX = "cuda"  # folder of libcu++, whose headers have no suffix


def headers(folders: Sequence[Path], cuh: str = "cuh") -> dict[str, Path]:
    """Maps the include path of each header to the file, sorted by include path.

    Headers of libcu++ (`cuda/barrier`) have no suffix. `cuh` is the suffix of the target's headers with device code.
    If several folders contain the same include path, the first folder has precedence, as for a compiler. If a folder
    of the list is inside another folder of the list, its headers appear once, with paths relative to the inner folder.
    """
    suffixes = {f".{suffix}" for suffix in (*_SUFFIXES, cuh)}
    found: dict[str, Path] = {}
    for folder in folders:
        inner = [other for other in folders if other != folder and other.is_relative_to(folder)]
        for place in folder.rglob("*"):
            path = place.relative_to(folder)
            if (
                (place.suffix in suffixes or (not place.suffix and path.parts[0] == _LIBCUXX))
                and place.is_file()
                and not any(place.is_relative_to(other) for other in inner)
            ):
                found.setdefault(path.as_posix(), place)
    return dict(sorted(found.items()))
