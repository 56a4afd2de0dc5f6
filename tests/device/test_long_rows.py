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


@pytest.mark.parametrize("rows", [1, 40])
@pytest.mark.parametrize("begin", [0, 1, 3])
@pytest.mark.parametrize("length", [1, 5, 127, 130, 515, 4096, 40001])
def test_rows_of_every_length_and_alignment_are_reduced(rows: int, begin: int, length: int) -> None:
    values = torch.randint(
        -50, 50, (rows, begin + length), generator=torch.Generator().manual_seed(1)
    )
    row = values.float()[:, begin:]
    there = values.float().to("simt")[:, begin:]
    # Sums of small integers are exact in every order.
    assert torch.equal(there.sum(1).cpu(), row.sum(1))
    assert torch.equal(there.amax(1).cpu(), row.amax(1))
    first = there.argmax(1).cpu()
    assert torch.equal(first, row.argmax(1))
    torch.testing.assert_close(there.norm(dim=1).cpu(), row.norm(dim=1))
    torch.testing.assert_close(there.mean(1).cpu(), row.mean(1))


@pytest.mark.parametrize("shape", [(1, 2, 300_000), (70, 3, 5), (33, 2, 1), (4, 3, 50, 41)])
def test_batch_norm_and_its_gradients_are_exact(shape: tuple[int, ...]) -> None:
    generator = torch.Generator().manual_seed(2)
    values = torch.randn(shape, generator=generator) * 3 + 100
    weight, bias = torch.randn(2, shape[1], generator=generator)
    slope = torch.randn(shape, generator=generator)

    def results(device: str, dtype: torch.dtype) -> list[torch.Tensor]:
        given = [one.to(device, dtype).requires_grad_() for one in (values, weight, bias)]
        out = torch.nn.functional.batch_norm(given[0], None, None, *given[1:], training=True)
        return [out, *torch.autograd.grad(out, given, slope.to(device, dtype))]

    exact = results("cpu", torch.float64)
    for found, right in zip(results("simt", torch.float32), exact, strict=True):
        scale = right.abs().max().item()
        torch.testing.assert_close(found.cpu().double(), right, rtol=1e-4, atol=2e-5 * scale)
