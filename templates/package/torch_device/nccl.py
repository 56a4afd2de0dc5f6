"""Collectives between devices of this process: the functions of `torch.cuda.nccl`.

The device's own library performs them. Each tensor of a sequence is on another device; `streams` and `comms` have one
entry for each tensor. Without `streams`, the current streams are used; without `comms`, communicators of the package.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from . import _C
from ._device_types import is_own
from ._lazy import _lazy_init
from .distributed import _require
from .distributed import version as version

SUM, PROD, MAX, MIN = range(4)
"""Reductions."""

_Streams = Sequence["torch.Stream | None"] | None


def is_available(tensors: Sequence[Tensor]) -> bool:
    """Test whether the tensors can be used together: dense, contiguous, and each on another device of this type."""
    if not hasattr(_C, "collectives_all_reduce"):
        return False
    if any(
        each.layout is not torch.strided or not each.is_contiguous() or not is_own(each.device)
        for each in tensors
    ):
        return False
    return len({each.get_device() for each in tensors}) == len(tensors)


def unique_id() -> bytes:
    """Id of a new communicator, which all its ranks give to `init_rank`."""
    _start()
    return _C.collectives_unique_id()


def init_rank(num_ranks: int, uid: bytes, rank: int) -> Any:
    """Communicator of one rank on the current device. Waits for the other ranks. It ends with the last reference."""
    _start()
    return _C.collectives_init_rank(num_ranks, uid, rank)


def all_reduce(
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor] | None = None,
    op: int = SUM,
    streams: _Streams = None,
    comms: Sequence[Any] | None = None,
) -> None:
    """Write the reduction of all inputs to each output. By default, the inputs are the outputs."""
    given = _tensors(inputs)
    results = given if outputs is None else _tensors(outputs)
    _C.collectives_all_reduce(given, results, op, _triples(streams), _list(comms))


def reduce(
    inputs: Sequence[Tensor],
    output: Tensor | Sequence[Tensor] | None = None,
    root: int = 0,
    op: int = SUM,
    streams: _Streams = None,
    comms: Sequence[Any] | None = None,
    *,
    outputs: Sequence[Tensor] | None = None,
) -> None:
    """Write the reduction of all inputs to `output`, on the device of input `root`; by default, to this input.

    Deprecated, as in `torch.cuda.nccl`: a sequence as `output` or `outputs`, of which item `root` is the output.
    """
    given = _tensors(inputs)
    if outputs is not None:
        if output is not None:
            raise ValueError("'output' and 'outputs' can not be both specified; use 'output'")
        output = outputs
    if isinstance(output, Sequence):
        warnings.warn(
            "nccl.reduce with an output tensor list is deprecated; give one tensor as 'output'",
            FutureWarning,
            stacklevel=2,
        )
        output = output[root]
    result = given[root] if output is None else output
    _C.collectives_reduce(given, result, root, op, _triples(streams), _list(comms))


def broadcast(
    inputs: Sequence[Tensor],
    root: int = 0,
    streams: _Streams = None,
    comms: Sequence[Any] | None = None,
) -> None:
    """Copy the first tensor to the others. As in `torch.cuda.nccl`, `root` is checked and has no other effect."""
    given = _tensors(inputs)
    if not 0 <= root < len(given):
        raise RuntimeError("invalid root")
    _C.collectives_broadcast(given, _triples(streams), _list(comms))


def all_gather(
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    streams: _Streams = None,
    comms: Sequence[Any] | None = None,
) -> None:
    """Write all inputs, one after the other, to each output."""
    _C.collectives_all_gather(_tensors(inputs), _tensors(outputs), _triples(streams), _list(comms))


def reduce_scatter(
    inputs: Sequence[Tensor],
    outputs: Sequence[Tensor],
    op: int = SUM,
    streams: _Streams = None,
    comms: Sequence[Any] | None = None,
) -> None:
    """Write part i of the reduction of all inputs to output i."""
    given, results = _tensors(inputs), _tensors(outputs)
    _C.collectives_reduce_scatter(given, results, op, _triples(streams), _list(comms))


def _start() -> None:
    _require()
    _lazy_init()


def _tensors(given: Sequence[Tensor]) -> list[Tensor]:
    _start()
    if isinstance(given, Tensor):
        raise TypeError("Inputs should be a collection of tensors")
    return list(given)


def _triples(streams: _Streams) -> list[tuple[int, int, int] | None] | None:
    if streams is None:
        return None
    return [
        None if each is None else (each.stream_id, each.device_index, each.device_type)
        for each in streams
    ]


def _list(comms: Sequence[Any] | None) -> list[Any] | None:
    return None if comms is None else list(comms)
