"""Search of ported sources for included operator headers and for manual registrations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from porter.base.errors import Problem, RegisterError
from porter.cpp.lex import decode
from porter.register.torchgen_names import TargetNaming

_SUFFIXES = frozenset({"cpp", "cu", "cuh", "h"})
"""Suffixes of upstream's files that can include operator headers."""
_BLOCK = re.compile(r"\bTORCH_LIBRARY_IMPL\s*\(\s*aten\s*,\s*(\w+)\s*,\s*\w+\s*\)\s*\{([^}]*)\}")
_IMPL = re.compile(r"\.impl\s*\(\s*(?:TORCH_SELECTIVE_NAME\s*\(\s*)?\"(?:aten::)?([\w.]+)\"")


def headers(
    folders: Sequence[Path],
    known: Collection[str],
    naming: TargetNaming,
    suffixes: Collection[str] = (),
) -> list[str]:
    """Operators, sorted, whose header `ATen/ops/<operator>_<lower>_dispatch.h` is included by files in the folders.

    `known` are the operators for which such a header can be generated. Raises RegisterError, with file and line, for
    any other operator. `suffixes` are the target's own source suffixes, without the dot.
    """
    include = re.compile(rf"include\s*<ATen/ops/(\w+)_{re.escape(naming.lower)}_dispatch\.h>")
    stems: set[str] = set()
    problems = []
    for path, text in _texts(folders, suffixes):
        for match in include.finditer(text):
            stems.add(match[1])
            if match[1] not in known:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(
                    Problem(f"operator '{match[1]}' has no kernel for CUDA", f"{path}:{line}")
                )
    if problems:
        raise RegisterError(problems)
    return sorted(stems)


def by_hand(folders: Sequence[Path], suffixes: Collection[str] = ()) -> dict[tuple[str, str], str]:
    """Maps (dispatch key, operator) of each manual registration `TORCH_LIBRARY_IMPL(aten, ...)` to a reason.

    The reason appears in reports: it states why porter does not register the operator. `suffixes` are the target's own
    source suffixes, without the dot.
    """
    return {
        (block[1], name): "the backend's own sources register it"
        for path, text in _texts(folders, suffixes)
        if "TORCH_LIBRARY_IMPL" in text
        for block in _BLOCK.finditer(text)
        for name in _IMPL.findall(block[2])
    }


def _texts(folders: Sequence[Path], suffixes: Collection[str]) -> Iterator[tuple[Path, str]]:
    wanted = _SUFFIXES.union(suffixes)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix[1:] in wanted and path.is_file():
                yield path, decode(path.read_bytes())
