"""Class layouts of a release. The result is cached for each PyTorch, compiler and backend."""

from __future__ import annotations

import os
import re

from porter.abi import class_layouts, probe, uses
from porter.base import disk_cache, fs
from porter.base.fingerprint import Answer
from porter.model.class_layout import ClassLayout, ReleaseLayouts
from porter.toolchain.discovery import Compiler, Torch

LAYOUTS = Answer("layouts", ("abi", "base", "builder", "cpp", "model", "simt", "toolchain"))
_FOLDERS = ("c10", "ATen", "torch")
"""First folder in the include paths of PyTorch's own headers. All other headers belong to bundled libraries."""


def layouts_of(torch: Torch, compiler: Compiler) -> ReleaseLayouts:
    """Layouts of the classes in the PyTorch headers that the backend includes.

    Raises BuildError when the headers do not compile, or the compiler writes debug information that is not DWARF 4.
    """
    sources = uses.backend_sources()
    inputs = repr((torch, compiler, [source[:2] for source in sources], _stamp(torch)))
    words = sorted(word for source in sources for word in source.words)
    found: ReleaseLayouts = disk_cache.computed_once(
        LAYOUTS, f"{inputs}\n{words}", ReleaseLayouts, lambda: _computed(torch, compiler, sources)
    )
    return found


def _computed(
    torch: Torch, compiler: Compiler, sources: list[uses.BackendSource]
) -> ReleaseLayouts:
    compiled = probe.compile_headers(uses.headers(sources), torch, compiler)
    pattern = _header_pattern(torch)

    def header_of(file: str) -> str | None:
        match = pattern.match(os.path.normpath(file))
        return match[1] if match else None

    classes = class_layouts.read(compiled.info, header_of)
    users = uses.used_by(classes, sources, compiled.macros)
    layouts = tuple(
        ClassLayout(*found[:6], users.get(name, ())) for name, found in sorted(classes.items())
    )
    return ReleaseLayouts(torch.release, compiler.name, torch.cxx11_abi, layouts, compiled.left_out)


def _header_pattern(torch: Torch) -> re.Pattern[str]:
    """Regular expression for the path of a PyTorch header. Group 1 is the include path: `ATen/core/Tensor.h`."""
    longest_first = sorted(map(str, torch.includes), key=len, reverse=True)
    folders = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?:{folders})/((?:{'|'.join(_FOLDERS)})/.+)")


def _stamp(torch: Torch) -> str:
    """Digest of the sizes and times of PyTorch's headers."""
    folders = [place / name for place in torch.includes for name in _FOLDERS]
    return fs.stamp(sorted({path for folder in folders for path in folder.rglob("*.h")}))
