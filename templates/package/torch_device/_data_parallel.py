"""`torch.nn.DataParallel` for tensors of the device.

PyTorch's `torch.nn.parallel` copies tensors between devices by functions that are compiled for CUDA only, and runs the
replicas of a module on streams of `torch.cuda`. Both use this device if the tensors are on this device. All other
calls reach PyTorch's functions.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch._utils import ExceptionWrapper

from . import _release, comm
from ._build import DEVICE
from .devices import _get_device_index, device
from .streams import StreamContext, current_stream

_COPIES = (
    *("broadcast", "broadcast_coalesced", "reduce_add", "reduce_add_coalesced"),
    *("scatter", "gather"),
)
"""Functions of torch.nn.parallel.comm, which `comm` has too."""


def register() -> None:
    """Make the modules of torch.nn.parallel use this device for its tensors."""
    copies: Any = sys.modules["torch.nn.parallel.comm"]
    for name in _COPIES:
        original = getattr(copies, name)
        setattr(copies, name, _for_device(getattr(comm, name), original))
    # The package torch.nn.parallel contains the function under the name of its module.
    modules = (
        "torch.nn.parallel",
        "torch.nn.parallel.parallel_apply",
        "torch.nn.parallel.data_parallel",
    )
    apply = _parallel_apply(sys.modules[modules[1]].parallel_apply)
    for module in modules:
        setattr(sys.modules[module], "parallel_apply", apply)  # noqa: B010


def _first_tensor(*values: Any) -> torch.Tensor | None:
    """First tensor in nested containers."""
    found: torch.Tensor | None = sys.modules["torch.nn.parallel.parallel_apply"].get_a_var(values)
    return found


def _device_type(*values: Any) -> str:
    """Device type of the first tensor in nested containers; empty if there is no tensor."""
    tensor = _first_tensor(*values)
    return "" if tensor is None else tensor.device.type


def _for_device(own: Callable[..., Any], original: Callable[..., Any]) -> Any:
    @functools.wraps(original)
    def call(*arguments: Any, **options: Any) -> Any:
        kind = _device_type(arguments, options)
        # Copies of tensors on the CPU are made for the device type that DataParallel uses.
        kind = torch._utils._get_available_device_type() if kind in ("", "cpu") else kind
        return (own if kind == DEVICE else original)(*arguments, **options)

    return call


def _parallel_apply(original: Callable[..., Any]) -> Any:
    @functools.wraps(original)
    def parallel_apply(
        modules: Sequence[torch.nn.Module],
        inputs: Sequence[Any],
        kwargs_tup: Sequence[dict[str, Any]] | None = None,
        devices: Sequence[Any] | None = None,
    ) -> list[Any]:
        parameters = [list(module.parameters()) for module in modules]
        if _device_type(parameters, inputs, kwargs_tup) != DEVICE:
            return list(original(modules, inputs, kwargs_tup, devices))
        count = len(modules)
        options = [{}] * count if kwargs_tup is None else list(kwargs_tup)
        targets = [None] * count if devices is None else list(devices)
        assert count == len(inputs) == len(options) == len(targets)
        indices = [_index(*each) for each in zip(targets, inputs, strict=True)]
        return _apply(list(zip(modules, inputs, options, indices, strict=True)))

    return parallel_apply


def _index(target: Any, given: Any) -> int:
    """Index of a device. If `target` is None, the index of the device of the first tensor in `given`."""
    tensor = None if target is not None else _first_tensor(given)
    return _get_device_index(target if tensor is None else tensor.device, optional=True)


def _apply(replicas: Sequence[tuple[torch.nn.Module, Any, dict[str, Any], int]]) -> list[Any]:
    """Results of modules with inputs, options and devices. Several modules run on one thread each.

    Raises the exception of the first module that raises one. Gradient mode, autocast and the current streams of the
    calling thread apply.
    """
    records = torch.is_grad_enabled()
    autocast = _release.current_autocast(DEVICE)
    streams = [current_stream(index) for _, _, _, index in replicas]

    def run(number: int) -> Any:
        module, given, options, index = replicas[number]
        arguments = given if isinstance(given, (list, tuple)) else (given,)
        try:
            with (
                torch.set_grad_enabled(records),
                device(index),
                StreamContext(streams[number]),
                autocast(),
            ):
                return module(*arguments, **options)
        except Exception:
            return ExceptionWrapper(where=f"in replica {number} on device {index}")  # type: ignore[no-untyped-call]

    if len(replicas) == 1:
        results = [run(0)]
    else:
        with ThreadPoolExecutor(len(replicas)) as pool:
            results = list(pool.map(run, range(len(replicas))))
    for result in results:
        if isinstance(result, ExceptionWrapper):
            result.reraise()  # type: ignore[no-untyped-call]
    return results
