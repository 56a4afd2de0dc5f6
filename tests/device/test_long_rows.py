"""Sums, means and variances of long rows lose no more digits than CUDA's (runtime/simt/include/simt_row_moments.h).

One thread of the host may add up a row that CUDA divides among hundreds of threads (mappings/simt/launches.yaml).
"""

from __future__ import annotations

import pytest
import torch

DEVICE = "simt"
LENGTHS = (100, 1000, 5000, 100_000, 4_000_000)


def rows(length: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Two rows on the device, and the same numbers in double precision on the CPU. Their mean is not near 0."""
    made = torch.rand(2, length, generator=torch.Generator().manual_seed(length))
    return made.to(DEVICE), made.double()


def close(found: torch.Tensor, exact: torch.Tensor, error: float) -> None:
    """Compare with the absolute error, as a part of the greatest exact value."""
    torch.testing.assert_close(
        found.double().cpu(), exact, rtol=0, atol=error * float(exact.abs().max())
    )


@pytest.mark.parametrize("length", LENGTHS)
def test_layer_norm(length: int) -> None:
    given, exact = rows(length)
    _, mean, rstd = torch.native_layer_norm(given, [length], None, None, 1e-5)
    close(mean.view(2), exact.mean(1), 1e-7)
    close(rstd.view(2), (exact.var(1, unbiased=False) + 1e-5).rsqrt(), 2e-7)


@pytest.mark.parametrize("dtype", [torch.half, torch.bfloat16, torch.float64])
def test_layer_norm_of_other_types(dtype: torch.dtype) -> None:
    given = rows(100_000)[0].to(dtype)
    exact = given.double().cpu()
    _, mean, rstd = torch.native_layer_norm(given, [100_000], None, None, 1e-5)
    close(mean.view(2), exact.mean(1), 1e-7)
    close(rstd.view(2), (exact.var(1, unbiased=False) + 1e-5).rsqrt(), 2e-7)


@pytest.mark.parametrize("length", LENGTHS)
def test_group_norm(length: int) -> None:
    given, exact = rows(length)
    shaped, exact = given.view(1, 4, length // 2), exact.view(2, length)
    _, mean, rstd = torch.native_group_norm(shaped, None, None, 1, 4, length // 2, 2, 1e-5)
    close(mean.view(2), exact.mean(1), 1e-7)
    close(rstd.view(2), (exact.var(1, unbiased=False) + 1e-5).rsqrt(), 2e-7)


@pytest.mark.parametrize("length", LENGTHS)
def test_gradient_of_layer_norm(length: int) -> None:
    given, exact = rows(length)
    weights = torch.linspace(0, 1, length)
    gradients = []
    for tensor, factor in ((given, weights.to(DEVICE)), (exact, weights.double())):
        leaf = tensor.clone().requires_grad_()
        torch.nn.functional.layer_norm(leaf, [length]).mul(factor).sum().backward()
        assert leaf.grad is not None
        gradients.append(leaf.grad)
    close(gradients[0], gradients[1], 5e-6)


@pytest.mark.parametrize("length", [1000, 100_000, 9_000_000])
def test_reductions(length: int) -> None:
    given, exact = rows(length)
    close(given.sum(1), exact.sum(1), 1e-6)
    close(given.mean(1), exact.mean(1), 1e-6)
    close(given.var(1), exact.var(1), 5e-6)
    close(given.norm(dim=1), exact.norm(dim=1), 1e-6)
