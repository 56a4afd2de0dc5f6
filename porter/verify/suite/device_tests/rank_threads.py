"""Ranks that are threads of one process: collectives of PyTorch's test group `threaded` complete before they return.

In this group, the thread of rank 0 copies between the tensors of all ranks, on its own stream. The group orders this
stream neither after nor before the streams of the other ranks. The results on a GPU are right as long as the kernels
of the other ranks end in time, and kernels on the host take longer.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.testing._internal.distributed import multi_threaded_pg


def complete_collectives() -> None:
    """Make each collective wait for the current streams of all ranks, before and after it copies."""
    multi_threaded_pg.Collective = _CompleteCollective  # type: ignore[misc]


class _CompleteCollective(multi_threaded_pg.Collective):
    """Collective of the ranks; each rank calls `join`, and rank 0 then calls `work` of the collective's kind."""

    def __init__(self, world_size: int, collective: Any, pg: Any) -> None:
        super().__init__(world_size, _CompleteWork(collective), pg)  # type: ignore[no-untyped-call]

    def join(self, rank: int, data: Any) -> Any:
        torch.cuda.current_stream().synchronize()
        return super().join(rank, data)  # type: ignore[no-untyped-call]


class _CompleteWork:
    def __init__(self, collective: Any) -> None:
        self.collective = collective

    def work(self, data: Any) -> None:
        self.collective.work(data)
        torch.cuda.current_stream().synchronize()
