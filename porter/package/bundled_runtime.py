"""Runtime parts of a wheel for target `simt`: libsimt.so, and its BLAS."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from porter.model.package import Preload, Runtime

_BLAS = Preload("scipy_openblas32", "lib/libscipy_openblas.so")
_REQUIREMENT = "scipy-openblas32>=0.3.27"


def simt_runtime(library: Path, plugin: Path) -> Runtime:
    """Runtime parts for a build whose libsimt.so is `library`, with the compiler plugin `plugin` if that file exists.

    If the PyPI package scipy-openblas32 is installed in porter's own environment (`porter.simt.openblas`), it
    provides the BLAS and becomes a requirement of the new wheel. Otherwise the loader finds the system's BLAS.
    """
    found = plugin if plugin.is_file() else None
    if importlib.util.find_spec(_BLAS.package) is None:
        return Runtime((library,), plugin=found)
    return Runtime((library,), (_BLAS,), (_REQUIREMENT,), found)
