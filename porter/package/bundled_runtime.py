"""Parts of the runtime in a wheel for target `simt`: libsimt.so, and the source of its BLAS."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from porter.model.package import Preload, Runtime

_BLAS = Preload("scipy_openblas32", "lib/libscipy_openblas.so")
_REQUIREMENT = "scipy-openblas32>=0.3.27"


def simt_runtime(library: Path, plugin: Path) -> Runtime:
    """The runtime of a build with `library` as its libsimt.so, and the plugin of its compiler where there is one.

    Its BLAS is that of the wheel scipy-openblas32 where porter's own environment has it (`porter.simt.blas`), and then
    a requirement of our wheel; otherwise the system's, which the loader finds by itself.
    """
    found = plugin if plugin.is_file() else None
    if importlib.util.find_spec(_BLAS.package) is None:
        return Runtime((library,), plugin=found)
    return Runtime((library,), (_BLAS,), (_REQUIREMENT,), found)
