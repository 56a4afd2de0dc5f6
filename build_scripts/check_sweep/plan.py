"""Order of a sweep: sources of kernels to instrument, in batches, and the operators that each batch makes ready.

Sources of kernels that most operators launch (copies, fills) come first: a kernel without instrumentation counts as
writing all memory, which hides reads of uninitialised memory. Sources with barriers or collectives come next, and those
with atomics after them. All functions are pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

BARRIERS = re.compile(r"__syncthreads|__syncwarp|__shared__|__shfl|WARP_SHFL|WARP_BALLOT|cub::")
ATOMICS = re.compile(r"\b(?:gpu)?[aA]tomic[A-Z]\w*")
_INCLUDE = re.compile(r'#include\s+[<"]([^">]+\.cuh)[">]')
COMMON = 0.25
"""Part of the operators that makes a source common."""


class Batch(NamedTuple):
    """Sources that are compiled together, and the operators all of whose sources are then instrumented."""

    sources: tuple[str, ...]
    ops: tuple[str, ...]


def rank(path: str, read: Callable[[str], str]) -> int:
    """0 for a source with barriers or shared memory, 1 for one with atomics, 2 for others; headers (.cuh) count.

    `read` returns the text of a source or included header; empty for unknown files.
    """
    texts = list(_texts(path, read, set()))
    if any(BARRIERS.search(text) for text in texts):
        return 0
    return 1 if any(ATOMICS.search(text) for text in texts) else 2


def _texts(path: str, read: Callable[[str], str], seen: set[str]) -> Iterable[str]:
    seen.add(path)
    text = read(path)
    yield text
    for header in _INCLUDE.findall(text):
        if header not in seen:
            yield from _texts(header, read, seen)


def ordered(launched: Mapping[str, Iterable[str]], rank_of: Callable[[str], int]) -> list[str]:
    """Sources in the order in which a sweep instruments them. `launched`: sources of each operator's kernels."""
    counts: dict[str, int] = {}
    for sources in launched.values():
        for source in sources:
            counts[source] = counts.get(source, 0) + 1
    common = COMMON * sum(1 for sources in launched.values() if sources)

    def key(source: str) -> tuple[int, int, str]:
        first = -1 if counts[source] > common else rank_of(source)
        return first, -counts[source], source

    return sorted(counts, key=key)


def batches(
    sources: Sequence[str], launched: Mapping[str, frozenset[str]], size: int
) -> list[Batch]:
    """Batches of `size` sources. An operator belongs to the batch of its last source; without one, to no batch."""
    number = {source: at // size for at, source in enumerate(sources)}
    ops: dict[int, list[str]] = {}
    for op, needed in sorted(launched.items()):
        if needed:
            ops.setdefault(max(number[source] for source in needed), []).append(op)
    return [
        Batch(tuple(sources[at : at + size]), tuple(ops.get(at // size, ())))
        for at in range(0, len(sources), size)
    ]
