"""PyTorch's operators with replaced kernels: results must equal the CPU's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
import replaced_ops
import torch

DEVICE = os.environ.get("PORTER_DEVICE", "simt")
BACKEND = getattr(torch, DEVICE)


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    replaced_ops.reset_calls()
    BACKEND.reset_metrics()
    yield


def compare(function: Callable[..., torch.Tensor], *tensors: torch.Tensor) -> None:
    torch.testing.assert_close(function(*(x.to(DEVICE) for x in tensors)).cpu(), function(*tensors))


@pytest.mark.parametrize("shape", [(3,), (2, 3, 4), (0, 2), ()])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int16, torch.complex64, torch.bool])
def test_flip(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    x = torch.testing.make_tensor(shape, dtype=dtype, device="cpu")
    compare(lambda x: torch.flip(x, list(range(-1, x.dim() - 1))), x)
    assert replaced_ops.calls()["aten::flip"] == 1


def test_flip_has_the_gradient_it_had() -> None:
    x = torch.randn(3, 4, device=DEVICE, requires_grad=True)
    (x.flip(0, 1) * torch.arange(4, device=DEVICE)).sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad.cpu(), torch.arange(3, -1, -1).expand(3, 4).float())
    assert replaced_ops.calls()["aten::flip"] == 2


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_in_every_form(approximate: str) -> None:
    x = torch.randn(1000)
    expected = torch.nn.functional.gelu(x, approximate=approximate)
    on_device = x.to(DEVICE)
    gelu = torch.ops.aten.gelu
    torch.testing.assert_close(gelu(on_device, approximate=approximate).cpu(), expected)
    out = torch.empty(2000, device=DEVICE)[::2]
    assert gelu.out(on_device, approximate=approximate, out=out) is out
    torch.testing.assert_close(out.cpu(), expected)
    torch.ops.aten.gelu_(on_device, approximate=approximate)
    torch.testing.assert_close(on_device.cpu(), expected)
    counted = replaced_ops.calls()
    assert [counted[f"aten::{name}"] for name in ("gelu", "gelu.out", "gelu_")] == [1, 1, 1]


def test_what_pytorch_says_of_gelu_holds() -> None:
    with pytest.raises(RuntimeError, match="dtype"):
        torch.ops.aten.gelu.out(
            torch.ones(2, device=DEVICE), out=torch.ones(2, device=DEVICE, dtype=torch.int32)
        )
    with pytest.raises(RuntimeError, match="same device"):
        torch.ops.aten.gelu.out(torch.ones(2, device=DEVICE), out=torch.ones(2))


@pytest.mark.parametrize("k", [-1, 0, 2])
def test_triu(k: int) -> None:
    compare(lambda x: torch.triu(x, k), torch.randn(2, 3, 4))
    compare(lambda x: torch.triu(x, k), torch.randn(4, 3).t())
    assert replaced_ops.calls()["aten::triu"] == 2
    with pytest.raises(RuntimeError, match="a matrix, or a batch of them"):
        torch.triu(torch.ones(3, device=DEVICE))


def test_a_compiled_model_calls_them() -> None:
    @torch.compile(backend="aot_eager", fullgraph=True)
    def model(x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(x.triu()).flip(0)

    x = torch.randn(5, 5)
    expected = torch.nn.functional.gelu(x.triu()).flip(0)
    torch.testing.assert_close(model(x.to(DEVICE)).cpu(), expected)
    assert {name for name, calls in replaced_ops.calls().items() if calls} == {
        "aten::flip",
        "aten::gelu",
        "aten::triu",
    }


def test_what_is_left_out_says_why() -> None:
    with pytest.raises(NotImplementedError, match="aten::mode is left out on this device: what it"):
        torch.mode(torch.ones(3, device=DEVICE))
    assert not BACKEND.metrics()


def test_what_runs_on_the_cpu_is_counted() -> None:
    compare(torch.nonzero, torch.tensor([0, 1, 0, 2]))
    assert BACKEND.metrics() == {"aten::nonzero": 1}
