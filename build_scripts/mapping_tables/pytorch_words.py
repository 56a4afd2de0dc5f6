"""Search for identifiers in PyTorch's CUDA sources."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from mapping_tables.cpp_words import chains
from mapping_tables.errors import TableError

# Folders of PyTorch that a port contains, and the third-party code in them that is skipped.
FOLDERS = (
    "aten/src/ATen/cuda",
    "aten/src/ATen/native/cuda",
    "aten/src/ATen/native/nested",
    "aten/src/ATen/native/quantized",
    "aten/src/ATen/native/sparse",
    "aten/src/ATen/native/transformers",
    "c10/core/impl",
    "c10/cuda",
    "torch/csrc/cuda",
)
SUFFIXES = frozenset({".cpp", ".cu", ".cuh", ".h", ".in"})
NOT_OURS = frozenset({"qnnpack"})


def uses(tree: Path) -> dict[str, list[str]]:
    """Maps an identifier or a qualified name (`cub::Sum`) to the files of a source tree that contain it.

    Raises TableError if the tree has none of the folders.
    """
    if not any((tree / folder).is_dir() for folder in FOLDERS):
        raise TableError(f"{tree} is no PyTorch source tree", f"looked for {', '.join(FOLDERS)}")
    found: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in SUFFIXES and not NOT_OURS.intersection(path.parts) and path.is_file():
                for word in chains(path.read_text(encoding="latin-1")):
                    found[word].append(path.relative_to(tree).as_posix())
    return found
