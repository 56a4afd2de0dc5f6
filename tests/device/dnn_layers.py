"""Comparison of layers on the device, computed by one implementation of seam `dnn`, with the same layers on the CPU."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

LIBRARIES = ("columns", "host")
"""Implementations in the backend for target simt. `columns` has convolutions only."""
PRECISION = {torch.float64: 1e-10, torch.float32: 2e-5, torch.bfloat16: 0.04, torch.float16: 0.005}
"""Permitted difference, relative to the largest element."""


@contextlib.contextmanager
def computed_by(kind: str, library: str, calls: int = 1) -> Iterator[None]:
    """Context manager that uses a library. Fails unless the library, and no other, computes `calls` layers of a kind.

    PyTorch's kernels compute the layers if the library does not have them.
    """
    dnn = torch.simt.dnn
    computes = library if kind in dnn.groups(library) else "pytorch"
    before = dnn.calls()[kind]
    with dnn.use(library):
        yield
    after = dnn.calls()[kind]
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {
        computes: calls
    }


def agree(found: Sequence[Any], expected: Sequence[Any], dtype: Any) -> None:
    """Fail if tensors on the device differ from tensors on the CPU in size, dtype or value."""
    for index, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert (one is None) == (other is None), index
        if one is None:
            continue
        assert one.device.type == "simt"
        scale = other.abs().max().item() if other.numel() else 1.0
        bound = PRECISION[dtype] * max(scale, 1.0)
        torch.testing.assert_close(
            one.detach().cpu(),
            other.detach(),
            rtol=0,
            atol=bound,
            msg=lambda text, index=index: f"result {index}: {text}",
        )


def gradients(results: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
    """Gradients of the inputs: of a sum of all results, in which each element has another weight."""
    total = sum(
        (result * torch.linspace(0.5, 1.5, result.numel()).to(result).reshape(result.shape)).sum()
        for result in results
    )
    return list(torch.autograd.grad(total, inputs, allow_unused=True))


def on(device: str, tensors: Sequence[Any]) -> list[Any]:
    """Copies on a device, as leaves of autograd's graph with the same `requires_grad`."""
    return [
        None
        if tensor is None
        else tensor.detach().to(device, copy=True).requires_grad_(tensor.requires_grad)
        for tensor in tensors
    ]


Layer = Callable[..., Sequence[Any]]


def check(kind: str, library: str, layer: Layer, given: Sequence[Any], dtype: Any) -> None:
    """Fail if results or gradients of `layer(*given)` on the device differ from those on the CPU."""
    cpu, device = on("cpu", given), on("simt", given)
    expected = layer(*cpu)
    with computed_by(kind, library):
        found = layer(*device)
        found_gradients = gradients(found, [t for t in device if t is not None and t.requires_grad])
    agree(found, expected, dtype)
    agree(
        found_gradients,
        gradients(expected, [t for t in cpu if t is not None and t.requires_grad]),
        dtype,
    )
