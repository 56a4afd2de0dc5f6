"""Names of PyTorch that look like names of CUDA: PyTorch, not cuBLAS, declares `cublasOpFromChar`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from porter.base import regular_files
from porter.cpp.defined_names import defined_names


def declared(tree: Path, paths: Iterable[str], words: Collection[str]) -> dict[str, str]:
    """For each of `words` that a file in `paths` defines: `path:line` of the word's first occurrence in that file.

    `paths` are relative to `tree`. If several files define a word, the first file counts.
    """
    found: dict[str, str] = {}
    wanted = set(words)
    if not wanted:
        return found
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(wanted)))})\b")
    for path in paths:
        try:
            text = regular_files.read_bytes(tree / path).decode("latin-1")
        except OSError:
            continue
        if not pattern.search(text):
            continue
        for word in defined_names(text) & wanted:
            first = re.search(rf"\b{re.escape(word)}\b", text)
            line = text.count("\n", 0, first.start()) + 1 if first else 1
            found[word] = f"{path}:{line}"
            wanted.discard(word)
    return found
