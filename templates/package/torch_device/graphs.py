"""Graphs: the work of a stream is captured once, and can then be replayed."""

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
    """Captured work: `capture_begin`, `capture_end`, `replay`, `reset`. See also the context manager `graph`."""

    def __init__(self) -> None:
        _lazy_init()
        super().__init__()


class graph:
    """Context manager that captures the work of its block into a graph, on a separate stream.

    Args:
        graph: graph that receives the work.
        pool: memory pool to share: `graph_pool_handle()` or another graph's `pool()`.
        stream: stream for the capture; by default one stream that all captures share.
        capture_error_mode: threads whose unsafe calls, such as an allocation, fail during the capture: `global` (all
            threads), `thread_local` (the capturing thread), `relaxed` (none).
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
        # During the capture, freed memory cannot be reused. Therefore unused memory is freed now.
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
    """New memory pool, which several graphs may share."""
    _lazy_init()
    return _C.graph_pool_handle()


def is_current_stream_capturing() -> bool:
    """Return True if the current stream is being captured."""
    return _C.is_current_stream_capturing()
