"""Copies and sums between devices of this process: the functions of `torch.cuda.comm`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from ._build import DEVICE
from .devices import _get_device_index
from .streams import StreamContext


def broadcast(
    tensor: Tensor, devices: Iterable[Any] | None = None, *, out: Sequence[Tensor] | None = None
) -> tuple[Tensor, ...]:
    """Copies of a tensor on the devices, or in the tensors `out`. A copy on the tensor's own device is the tensor."""
    if (devices is None) == (out is None):
        raise RuntimeError(
            f"Exactly one of 'devices' and 'out' must be specified, but got devices={devices} and out={out}"
        )
    if out is not None:
        return tuple(each.copy_(tensor, non_blocking=True) for each in out)
    return tuple(tensor.to(target, non_blocking=True) for target in _targets(devices or ()))


def broadcast_coalesced(
    tensors: Iterable[Tensor], devices: Iterable[Any], buffer_size: int = 10485760
) -> list[list[Tensor]]:
    """Copies of several tensors: one list for each device, in the order of the devices."""
    given = list(tensors)
    return [[each.to(target, non_blocking=True) for each in given] for target in _targets(devices)]


def reduce_add(inputs: Sequence[Tensor], destination: Any = None) -> Tensor:
    """Sum of tensors of the same shape on different devices, on `destination` (default: the current device).

    Raises RuntimeError if no input is on that device, ValueError if the shapes differ.
    """
    index = _get_device_index(destination, optional=True)
    root = next((each for each in inputs if each.get_device() == index), None)
    if root is None:
        raise RuntimeError(f"reduce_add: no input is on the destination, device {index}")
    shapes = {tuple(each.shape) for each in inputs}
    if len(shapes) > 1:
        raise ValueError(f"reduce_add: the inputs have different shapes: {sorted(shapes)}")
    total = root
    for each in inputs:
        if each is not root:
            # The first sum makes a new tensor; the inputs stay unchanged.
            part = each.to(root.device, non_blocking=True)
            total = total + part if total is root else total.add_(part)
    return total


def reduce_add_coalesced(
    inputs: Sequence[Sequence[Tensor]], destination: Any = None, buffer_size: int = 10485760
) -> tuple[Tensor, ...]:
    """Sums of several tensors: `inputs` has one sequence for each device, in the same order of tensors."""
    return tuple(reduce_add(each, destination) for each in zip(*inputs, strict=True))


def scatter(
    tensor: Tensor,
    devices: Iterable[Any] | None = None,
    chunk_sizes: Sequence[int] | None = None,
    dim: int = 0,
    streams: Sequence[torch.Stream | None] | None = None,
    *,
    out: Sequence[Tensor] | None = None,
) -> tuple[Tensor, ...]:
    """Parts of a tensor along `dim`, one on each device. With `streams`, each copy runs in the device's stream."""
    if out is not None:
        if devices is not None or chunk_sizes is not None:
            raise RuntimeError(
                "'devices' and 'chunk_sizes' must not be specified when 'out' is specified"
            )
        parts = tensor.split([each.size(dim) for each in out], dim)
        return tuple(
            each.copy_(part, non_blocking=True) for each, part in zip(out, parts, strict=True)
        )
    targets = _targets(devices or ())
    parts = (
        tensor.chunk(len(targets), dim)
        if chunk_sizes is None
        else tensor.split(list(chunk_sizes), dim)
    )
    results = []
    for index, (part, target) in enumerate(zip(parts, targets, strict=False)):
        with StreamContext(streams[index] if streams else None):
            results.append(part.contiguous().to(target, non_blocking=True))
    return tuple(results)


def gather(
    tensors: Iterable[Tensor], dim: int = 0, destination: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Concatenation of tensors, on the device `destination` (default: the current one) or in `out`."""
    given = list(tensors)
    if out is not None:
        if destination is not None:
            raise RuntimeError(
                f"'destination' must not be specified when 'out' is specified, but got destination={destination}"
            )
        return torch.cat([each.to(out.device) for each in given], dim, out=out)
    index = _get_device_index(destination, optional=True, allow_cpu=True)
    target = torch.device("cpu") if index < 0 else torch.device(DEVICE, index)
    # torch.cat does not accept scalars: they become vectors of one element.
    parts = [each.to(target, non_blocking=index >= 0) for each in given]
    return torch.cat([each.unsqueeze(0) if each.dim() == 0 else each for each in parts], dim)


def _targets(devices: Iterable[Any]) -> list[torch.device]:
    return [torch.device(DEVICE, _get_device_index(each)) for each in devices]
