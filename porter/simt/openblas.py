"""OpenBLAS, the BLAS library that simtblas calls: from the PyPI package `scipy-openblas32` or from the system."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Blas:
    """Flags for compiling and linking against a BLAS library."""

    name: str
    """Name of the BLAS library in messages."""
    defines: tuple[str, ...]
    """Preprocessor definitions, for example for the prefix of the library's function names."""
    link: tuple[str, ...]
    """Linker arguments."""


def find_blas() -> Blas:
    """OpenBLAS of the PyPI package `scipy-openblas32` if it is installed, else the system's (Debian:
    `libopenblas-dev`).

    The symbols of the PyPI package have the prefix `scipy_`, so that a program can also load a second BLAS library.
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
