"""The core operators give on the device what they give on the CPU, forward and backward, and none of them falls back.

Samples, dtypes and tolerances are those of PyTorch's own operator database.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from core_ops import NAMES  # noqa: E402
from torch.testing._internal.common_methods_invocations import (  # noqa: E402
    foreach_binary_op_db,
    foreach_pointwise_op_db,
    foreach_reduce_op_db,
    foreach_unary_op_db,
    op_db,
)

DTYPES = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.bool,
    torch.complex64,
)
"""What the core set is held to, where CUDA supports it."""
SAMPLES = 6
"""Of each operator and dtype, spread over the list, whose last samples are the odd ones."""

TOLERANCE = {
    torch.float16: {"rtol": 4e-3, "atol": 4e-3},
    torch.bfloat16: {"rtol": 3e-2, "atol": 3e-2},
    torch.float32: {"rtol": 1e-4, "atol": 1e-4},
    torch.complex64: {"rtol": 1e-4, "atol": 1e-4},
}
"""The CPU and CUDA round 16-bit intermediate results at different places, and sum in another order."""

OPS = [op for op in op_db if op.name in NAMES]


def cases() -> Iterator[Any]:
    for op in OPS:
        for dtype in DTYPES:
            if dtype in op.dtypesIfCUDA and dtype in op.dtypes:
                name = f"{op.name}{'.' + op.variant_test_name if op.variant_test_name else ''}"
                yield pytest.param(op, dtype, id=f"{name}-{str(dtype).removeprefix('torch.')}")


def to(device: str, value: Any) -> Any:
    """The value with its tensors on another device, as leaves of a graph of their own."""
    if isinstance(value, torch.Tensor):
        moved = value.detach().to(device)
        return moved.requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)):
        return type(value)(to(device, item) for item in value)
    if isinstance(value, dict):
        return {key: to(device, item) for key, item in value.items()}
    if isinstance(value, torch.device):
        return torch.device(device)
    return value


def tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


def spread(samples: list[Any]) -> list[Any]:
    step = max(1, len(samples) // SAMPLES)
    return samples[::step][:SAMPLES]


def run(function: Any, sample: Any, device: str) -> tuple[list[Any], list[Any]]:
    """What an operator gives on a device, on the CPU again, and what it gives the inputs as gradients."""
    first, args, kwargs = (to(device, part) for part in (sample.input, sample.args, sample.kwargs))
    outputs = list(tensors(function(first, *args, **kwargs)))
    leaves = [leaf for leaf in tensors([first, args, list(kwargs.values())]) if leaf.requires_grad]
    # Elements weigh differently, so that a transposed gradient shows.
    weighted = [(out * slope(out)).sum().abs() for out in outputs if out.requires_grad]
    gradients: Any = []
    if weighted and leaves:
        gradients = torch.autograd.grad(sum(weighted), leaves, allow_unused=True)
    return [out.detach().cpu() for out in outputs], [
        None if gradient is None else gradient.cpu() for gradient in gradients
    ]


def slope(out: Any) -> Any:
    """A factor for each element, the same on every device."""
    return torch.linspace(0.5, 1.5, max(out.numel(), 1))[: out.numel()].reshape(out.shape).to(out)


def check(function: Any, sample: Any, tolerance: dict[str, float]) -> None:
    expected, expected_gradients = run(function, sample, "cpu")
    found, gradients = run(function, sample, "simt")
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, equal_nan=True, **tolerance)
    for one, other in zip(gradients, expected_gradients, strict=True):
        torch.testing.assert_close(one, other, equal_nan=True, **tolerance)


def test_every_name_is_one_of_the_database() -> None:
    foreach = (*foreach_unary_op_db, *foreach_binary_op_db, *foreach_pointwise_op_db)
    known = {op.name for op in (*op_db, *foreach, *foreach_reduce_op_db)}
    assert known >= NAMES, NAMES - known


@pytest.mark.parametrize(("op", "dtype"), cases())
def test_the_device_agrees_with_the_cpu(op: Any, dtype: Any) -> None:
    grad = (
        op.supports_autograd and dtype in op.backward_dtypesIfCUDA and dtype in op.backward_dtypes
    )
    torch.simt.reset_metrics()
    for sample in spread(list(op.sample_inputs("cpu", dtype, requires_grad=grad))):
        check(op.op, sample, TOLERANCE.get(dtype, {}))
    fallen = torch.simt.metrics()
    assert not fallen, f"fell back: {fallen}"
