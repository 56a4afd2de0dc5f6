"""Options from which a toolkit folder is made, and the runtime of `simt` that it uses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porter.base import disk_cache
from porter.base.fs import stamp

if TYPE_CHECKING:
    from porter.toolchain.discovery import Torch

RUNTIME = "PORTER_SIMT_RUNTIME"
"""Environment variable: folder of a build by `porter simt build`, for programs on `simt`."""


class Wanted(NamedTuple):
    """Options of a new toolkit."""

    target: str
    mappings: tuple[Path, ...] = ()
    """Folders with a vendor's mappings."""
    release: str = ""
    """PyTorch release whose rules apply; with `torch`, the installed release."""
    torch: Torch | None = None
    """Installed PyTorch, for a toolkit that compiles extensions; None for plain CUDA programs."""
    compiler: str = ""


def runtime_folder() -> Path:
    """Folder of the build of libsimt.so in porter's cache, named by the sources of the runtime."""
    from porter.simt import sources as simt_sources

    headers = sorted(simt_sources.include_dir().rglob("*.h"))
    key = stamp([*simt_sources.library_sources(), *headers, *simt_sources.plugin_files()])
    return disk_cache.folder() / "toolkit" / f"simt-runtime-{key[:16]}"
