"""Graphs: work recorded once from a stream and replayed."""

from __future__ import annotations

import gc

import torch

from . import _C
from ._lazy import _lazy_init
from .devices import synchronize
from .memory import empty_cache
from .streams import Stream, StreamContext

_Pool = tuple[int, int]


class Graph(_C.Graph):
    """Recorded work: `capture_begin`, `capture_end`, `replay`, `reset`; see the context manager `graph`."""

    def __init__(self) -> None:
        _lazy_init()
        super().__init__()


class graph:
    """Context manager that records the work of its block into a graph, on a stream of its own.

    Args:
        graph: what is recorded into.
        pool: memory to share: `graph_pool_handle()` or another graph's `pool()`.
        stream: where to record; by default one that all recordings share.
        capture_error_mode: which calls of other threads are errors meanwhile: `global`, `thread_local`, `relaxed`.
    """

    _default_stream: Stream | None = None

    def __init__(
        self,
        graph: _C.Graph,
        pool: _Pool | None = None,
        stream: torch.Stream | None = None,
        capture_error_mode: str = "global",
    ) -> None:
        if stream is None:
            stream = type(self)._default_stream = type(self)._default_stream or Stream()
        self.graph = graph
        self.pool = pool
        self.capture_error_mode = capture_error_mode
        self._context = StreamContext(stream)

    def __enter__(self) -> None:
        # What is freed while recording could not be used again: so let it go before.
        synchronize()
        gc.collect()
        empty_cache()
        self._context.__enter__()
        self.graph.capture_begin(self.pool, self.capture_error_mode)

    def __exit__(self, *exception: object) -> None:
        try:
            self.graph.capture_end()
        finally:
            self._context.__exit__(*exception)


def graph_pool_handle() -> _Pool:
    """A new pool of memory that several graphs may share."""
    _lazy_init()
    return _C.graph_pool_handle()


def is_current_stream_capturing() -> bool:
    """Is the work of the current stream being recorded?"""
    return _C.is_current_stream_capturing()
