"""Copies and sums between devices of this process: the functions of `torch.cuda.comm`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from ._build import DEVICE
from ._device_types import is_own, printed_type
from .devices import _get_device_index
from .streams import StreamContext


def broadcast(
    tensor: Tensor, devices: Iterable[Any] | None = None, *, out: Sequence[Tensor] | None = None
) -> tuple[Tensor, ...]:
    """Copies of a tensor on the devices, or in the tensors `out`. A copy on the tensor's own device is the tensor.

    Raises RuntimeError if an output is on another device or has another shape.
    """
    if (devices is None) == (out is None):
        raise RuntimeError(
            f"Exactly one of 'devices' and 'out' must be specified, but got devices={devices} and out={out}"
        )
    if out is None:
        return tuple(tensor.to(target, non_blocking=True) for target in _targets(devices or ()))
    _check_devices(out, "output tensor")
    for index, each in enumerate(out):
        if each.shape != tensor.shape:
            raise RuntimeError(
                f"Expected all output tensors to have same shape as the source tensor {_shape(tensor)}, "
                f"but output tensor at index {index} has shape {_shape(each)}"
            )
    return tuple(each.copy_(tensor, non_blocking=True) for each in out)


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
    """Parts of a tensor along `dim`, one on each device or in each tensor of `out`.

    A part on the tensor's own device is a view. With `streams`, each copy runs in the device's stream.
    Raises RuntimeError if the number or the sizes of the parts do not fit the devices or outputs.
    """
    if out is not None:
        for name, value in (("devices", devices), ("chunk_sizes", chunk_sizes)):
            if value is not None:
                raise RuntimeError(
                    f"'{name}' must not be specified when 'out' is specified, but got {name}={value}"
                )
        return _scatter_into(tensor, out, dim % tensor.dim())
    targets = _targets(devices or ())
    if not targets:
        raise RuntimeError("Expected at least one device to scatter to")
    if chunk_sizes is None:
        parts = tensor.chunk(len(targets), dim)
    elif len(chunk_sizes) == len(targets):
        parts = tensor.split(list(chunk_sizes), dim)
    else:
        raise RuntimeError(
            "Expected devices and chunk_sizes to be of same length, "
            f"but got {len(targets)} devices and {len(chunk_sizes)} sizes"
        )
    results = []
    for index, (part, target) in enumerate(zip(parts, targets, strict=False)):
        with StreamContext(streams[index] if streams else None):
            results.append(part.to(target, non_blocking=True))
    return tuple(results)


def _scatter_into(tensor: Tensor, out: Sequence[Tensor], dim: int) -> tuple[Tensor, ...]:
    if not out:
        raise RuntimeError("Expected at least one output tensor to scatter to")
    _check_devices(out, "output tensor")
    for index, each in enumerate(out):
        if _other_sizes(each, dim) != _other_sizes(tensor, dim):
            raise RuntimeError(
                f"Output tensor at index {index} has incorrect shape: {_shape(each)}. "
                f"Expected the shape of the source tensor {_shape(tensor)}, except for dim {dim}"
            )
    sizes = [each.size(dim) for each in out]
    if sum(sizes) != tensor.size(dim):
        raise RuntimeError(
            f"Total size for output tensors along scatter dim {dim} does not match "
            f"the source tensor: {sum(sizes)}, not {tensor.size(dim)}"
        )
    parts = tensor.split(sizes, dim)
    return tuple(each.copy_(part, non_blocking=True) for each, part in zip(out, parts, strict=True))


def gather(
    tensors: Iterable[Tensor], dim: int = 0, destination: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Concatenation of tensors, on the device `destination` (default: the current one) or in `out`.

    If all tensors have the memory format channels_last, the result has it. Scalars become vectors of one element.
    Raises RuntimeError for tensors that are not on the device, or whose shapes differ in another dimension than `dim`.
    """
    given = [each.unsqueeze(0) if each.dim() == 0 else each for each in tensors]
    _check_parts(given, dim)
    if out is not None:
        if destination is not None:
            raise RuntimeError(
                f"'destination' must not be specified when 'out' is specified, but got destination={destination}"
            )
        return torch.cat([each.to(out.device) for each in given], dim, out=out)
    index = _get_device_index(destination, optional=True, allow_cpu=True)
    target = torch.device("cpu") if index < 0 else torch.device(DEVICE, index)
    return torch.cat([each.to(target, non_blocking=index >= 0) for each in given], dim)


def _check_parts(given: Sequence[Tensor], dim: int) -> None:
    """Raise RuntimeError unless the tensors are on the device and can be concatenated."""
    if not given:
        raise RuntimeError("Expected at least one tensor to gather from")
    _check_devices(given, "input tensor")
    first = given[0]
    for index, each in enumerate(given):
        if each.dim() != first.dim():
            raise RuntimeError(
                "Expected all input tensors to have the same number of dimensions, but tensor at index "
                f"{index} has {each.dim()} dimensions, expected {first.dim()}"
            )
        if _other_sizes(each, dim % first.dim()) != _other_sizes(first, dim % first.dim()):
            raise RuntimeError(
                f"Input tensor at index {index} has invalid shape {_shape(each)}, "
                f"expected {_shape(first)} except for dim {dim}"
            )


def _check_devices(tensors: Iterable[Tensor], kind: str) -> None:
    for index, each in enumerate(tensors):
        if not is_own(each.device):
            raise RuntimeError(
                f"Expected all {kind}s to be {printed_type().upper()} tensors, "
                f"but {kind} at index {index} has device '{each.device}'"
            )


def _other_sizes(tensor: Tensor, dim: int) -> tuple[int, ...]:
    """Shape without the dimension `dim`."""
    return (*tensor.shape[:dim], *tensor.shape[dim + 1 :])


def _shape(tensor: Tensor) -> list[int]:
    return list(tensor.shape)


def _targets(devices: Iterable[Any]) -> list[torch.device]:
    return [torch.device(DEVICE, _get_device_index(each)) for each in devices]
