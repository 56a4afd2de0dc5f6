"""BLAS that simtblas calls: OpenBLAS, from the PyPI wheel `scipy-openblas32` or from the system."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Blas:
    """Flags for compiling and linking with a BLAS."""

    name: str
    """Name of the BLAS in messages."""
    defines: tuple[str, ...]
    """Preprocessor definitions; the BLAS functions may have a prefix."""
    link: tuple[str, ...]
    """Linker arguments."""


def find_blas() -> Blas:
    """OpenBLAS of the wheel if it is installed, else the system's (Debian: `libopenblas-dev`).

    The wheel's symbols have the prefix `scipy_`, so that a program can use another BLAS at the same time.
    """
    found = importlib.util.find_spec("scipy_openblas32")
    if found is None or found.origin is None:
        return Blas("OpenBLAS of the system", (), ("-lopenblas",))
    folder = Path(found.origin).parent / "lib"
    return Blas(
        "OpenBLAS of scipy-openblas32",
        ("SIMT_BLAS_PREFIX=scipy_",),
        (f"-L{folder}", "-lscipy_openblas", f"-Wl,-rpath,{folder}"),
    )
