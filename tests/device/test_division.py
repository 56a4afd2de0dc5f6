"""Integer division by zero, undefined in CUDA, has the results of NVIDIA's GPUs. Remainders: pytorch/pytorch
issue 48130, and upstream's test of fmod and remainder. Quotients: issue 135330 (RTX 4090).
"""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.mark.parametrize("function", [torch.fmod, torch.remainder])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32])
def test_remainders_have_all_bits_set(function, dtype) -> None:
    x = torch.arange(9, device="simt").sub(0 if dtype is torch.uint8 else 5).to(dtype)
    expected = torch.full((9,), 255 if dtype is torch.uint8 else -1, dtype=dtype)
    assert torch.equal(function(x, torch.zeros_like(x)).cpu(), expected)


@pytest.mark.parametrize("function", [torch.fmod, torch.remainder])
def test_of_64_bits_those_of_a_small_dividend_have_half(function) -> None:
    x = torch.tensor([-9, -1, 0, 1, 9], device="simt")
    half = 2**32 - 1
    assert function(x, torch.zeros_like(x)).tolist() == [-1, -1, half, half, half]


def test_a_quotient_is_the_published_one() -> None:
    one, zero = (torch.tensor(value, device="simt") for value in (1, 0))
    assert torch.floor_divide(one, zero).item() == 4294967295
