"""Every distribution returns the numbers of CUDA's stream, element by element, and leaves the same offset as on CUDA.

The expected numbers come from `cuda_stream`, an independent model, and from the formula of each distribution.
test_random_kernels.py tests the kernels with their own use of random words and lists the exceptions.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import numpy as np  # noqa: E402
from cuda_stream import Call, Device  # noqa: E402
from generator import OFFSET, SINGLE, counts, offset, same, started  # noqa: E402
from philox import philox4x32  # noqa: E402
from random_fills import FILLED, Filled, below_one, signed  # noqa: E402


def test_the_model_gives_the_known_answers() -> None:
    """Source: Random123 1.14.0, tests/kat_vectors, philox4x32 with 10 rounds."""
    words = philox4x32((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0))
    assert words[:, 0].tolist() == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]
    words = philox4x32((2**32 - 1,) * 4, (2**32 - 1,) * 2)
    assert words[:, 0].tolist() == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


@pytest.mark.parametrize(
    ("multiprocessors", "threads", "last"),
    [(108, 2048, [0.1549, -0.6797, -0.1656]), (132, 2048, [-0.6970, -0.7780, 0.3267])],
    ids=["A100", "H100"],
)
def test_the_model_has_the_numbers_of_large_tensors(
    multiprocessors: int, threads: int, last: list[float]
) -> None:
    """Source: https://github.com/pytorch/pytorch/issues/143086, the end of torch.randn(1, 49 * 12 * 112 * 144) of
    seed 1 on two devices, PyTorch 2.5.1."""
    count = 49 * 12 * 112 * 144
    numbers = Call(1, 0, Device(multiprocessors, threads)).normal(count, start=count - 3)
    assert np.abs(numbers - last).max() < 5.1e-5


@pytest.mark.parametrize("case", FILLED, ids=lambda case: case.name)
def test_elements_are_those_of_cudas_stream(case: Filled) -> None:
    for count in counts(case.unroll):
        call = started()
        same(
            case.fill(torch.empty(count, dtype=case.dtype, device="simt")),
            case.expected(call, count),
            case.tolerance,
        )
        assert offset() == OFFSET + call.advance(count, case.unroll)


def test_complex_numbers_are_pairs() -> None:
    call = started()
    numbers = torch.rand(500, dtype=torch.cfloat, device="simt")
    same(torch.view_as_real(numbers).flatten(), below_one(call.uniform(1000), torch.float32))
    call = started()
    numbers = torch.randn(500, dtype=torch.cfloat, device="simt")
    same(torch.view_as_real(numbers).flatten(), call.normal(1000) * 0.5**0.5, SINGLE)


def test_elements_are_filled_as_they_lie_in_memory() -> None:
    call = started()
    numbers = torch.empty(30, 20, device="simt").t().random_()
    assert not numbers.is_contiguous()
    same(numbers.t(), signed(call.bits(600) % (2**24 + 1)).reshape(30, 20))


def test_an_offset_and_a_seed_have_64_bits() -> None:
    far = 2**45 + 8
    call = started(far)
    same(torch.rand(1000, device="simt"), below_one(call.uniform(1000), torch.float32))
    assert offset() == far + 4


def test_cauchy() -> None:
    """Compared by the distribution function: far from the centre, the last bit of the uniform number is a large
    step.
    """
    for count in counts(4):
        call = started()
        numbers = torch.empty(count, device="simt").cauchy_(1, 2).cpu().double().numpy()
        assert (
            np.abs(np.arctan((numbers - 1) / 2) / math.pi + 0.5 - call.uniform(count)).max() < 3e-7
        )
        assert offset() == OFFSET + call.advance(count)


@pytest.mark.parametrize(
    ("dtype", "slack"), [(torch.float32, 1e-5), (torch.int64, 1e-5), (torch.double, 1e-13)]
)
def test_geometric(dtype: Any, slack: float) -> None:
    """A result is the quotient of two logarithms, rounded up. If the quotient is an integer up to rounding, that
    integer and the next one are both correct."""
    unroll = 2 if dtype == torch.double else 4
    for count in counts(unroll):
        call = started()
        numbers = (
            torch.empty(count, dtype=dtype, device="simt").geometric_(0.3).cpu().double().numpy()
        )
        uniform = call.uniform_double(count) if dtype == torch.double else call.uniform(count)
        quotient = np.log(uniform.astype(np.float64)) / math.log1p(-0.3)
        assert (quotient - slack <= numbers).all() and (numbers - 1 <= quotient + slack).all()
        assert offset() == OFFSET + call.advance(count, unroll)


def test_an_empty_tensor_takes_nothing() -> None:
    started()
    torch.rand(0, device="simt")
    torch.randint(5, (0,), device="simt")
    assert offset() == OFFSET
