"""Kernels with their own use of random words return the numbers of CUDA's stream.

Exceptions, in which the numbers differ from CUDA's or are not compared:

- binomial: each element consumes an unknown number of words in one of two rejection loops, whose branches depend on the
  last bits of logarithms. The kernel is upstream's. A test checks that the offset increases as on CUDA.
- poisson with a rate of 64 or more: cuRAND inverts an approximation of the incomplete gamma function. The runtime's
  tests check the moments of its numbers.
- scaled_dot_product_attention: CUDA's fused kernels have their own dropout. simt has no fused kernels and uses
  native_dropout, like CUDA if only its plain kernel is permitted.
- dropout between the layers of RNN, LSTM and GRU: on CUDA, cuDNN computes it with its own state. simt uses
  native_dropout, like CUDA without cuDNN.
- the last bits of normal numbers: a GPU uses its own approximations of sine and cosine.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import numpy as np  # noqa: E402
from cuda_stream import Array, Call  # noqa: E402
from generator import MANY, OFFSET, SEED, SINGLE, counts, current, offset, same, started  # noqa: E402
from philox import Thread  # noqa: E402
from random_fills import exponential  # noqa: E402


@pytest.mark.parametrize(
    ("dtype", "count"), [(torch.float32, 1001), (torch.double, 1000), (torch.half, 700_000)]
)
def test_bernoulli_of_a_tensor(dtype: Any, count: int) -> None:
    likely = (torch.arange(count) % 101).to(dtype) / 101
    call = started()
    drawn = torch.bernoulli(likely.to("simt"))
    limit = likely.numpy() if dtype == torch.double else likely.float().numpy()
    same(drawn, 1.0 * (call.neighbours(count) <= limit))
    assert offset() == OFFSET + 12


@pytest.mark.parametrize("rest", [0, 1, 2])
def test_dropout(rest: int) -> None:
    for count in (1000 + rest, current().threads(MANY) * 4 + 4320 + rest):
        kept = started().dropout(count) < np.float32(1 - 0.3)
        ones = torch.ones(count, device="simt")
        result, mask = torch.native_dropout(ones, 0.3, True)
        same(mask, kept)
        same(result, kept / np.float32(0.7), SINGLE)
        assert offset() == OFFSET + started().advance(count)
        started()
        assert torch.equal(torch.nn.functional.dropout(ones, 0.3) != 0, mask)


def test_dropout_of_channels_is_a_bernoulli_number_each() -> None:
    kept = started().uniform(24) < np.float32(0.7)
    ones = torch.ones(4, 6, 2, 2, device="simt")
    channels = torch.nn.functional.dropout2d(ones, 0.3)
    assert torch.equal(channels, channels[:, :, :1, :1].expand_as(channels))
    same(channels[:, :, 0, 0].flatten() != 0, kept)
    assert offset() == OFFSET + 4


def test_dropout_of_16_bit_floats_and_of_doubles() -> None:
    for dtype in (torch.half, torch.bfloat16, torch.double):
        kept = started().dropout(1000) < np.float32(0.5)
        same(torch.native_dropout(torch.ones(1000, dtype=dtype, device="simt"), 0.5, True)[1], kept)


@pytest.mark.parametrize("dtype", [torch.float32, torch.double])
def test_rrelu(dtype: Any) -> None:
    unroll = 2 if dtype == torch.double else 4
    for count in counts(unroll):
        call = started()
        x = torch.linspace(-1, 0.5, count, dtype=dtype)
        noise = torch.empty(count, dtype=dtype, device="simt")
        result = torch.ops.aten.rrelu_with_noise(x.to("simt"), noise, 0.125, 0.375, True)
        uniform = call.uniform_double(count) if dtype == torch.double else call.uniform(count)
        slope = np.where(x.numpy() <= 0, uniform * x.numpy().dtype.type(0.25) + 0.125, 1)
        same(noise, slope)
        same(result, slope * x.numpy(), (1e-6, 1e-12))
        assert offset() == OFFSET + call.advance(count, unroll)


def test_multinomial_with_replacement() -> None:
    """Weights whose sums are all exact."""
    weights = np.array([[1, 0, 2, 5], [4, 4, 0, 0], [0, 1, 1, 14]], np.float32)
    call = started()
    drawn = torch.multinomial(torch.from_numpy(weights).to("simt"), 300, replacement=True)
    sums = np.cumsum(weights / weights.sum(1, keepdims=True), 1)
    numbers = call.samples(3, 300)
    expected = [np.searchsorted(row, each) for row, each in zip(sums, numbers, strict=True)]
    same(drawn, np.stack(expected))
    assert offset() == OFFSET + 4


@pytest.mark.parametrize("samples", [1, 50])
def test_multinomial_without_replacement(samples: int) -> None:
    """The largest quotients of weights and exponential numbers are chosen."""
    weights = np.linspace(1, 3, 100, dtype=np.float32).reshape(2, 50)
    call = started()
    drawn = torch.multinomial(torch.from_numpy(weights).to("simt"), samples)
    order = np.argsort(-weights / exponential(call.uniform(100), 1).reshape(2, 50), 1)
    same(drawn, order[:, :samples])
    assert offset() == OFFSET + 4


def permuted(call: Call, count: int) -> tuple[Array, int]:
    """Result of torch.randperm, and the increment of the offset. The numbers from 0 on are sorted by random keys, with
    so many bits that equal keys are rare. Then the thread with the number of the first position in a run of equal keys
    shuffles the numbers of the run. Source: aten/src/ATen/native/cuda/Randperm.cu and Randperm.cuh."""
    width = math.ceil(math.log2(count - (6 * count**2 + 1) / (12 * math.log(0.9))))
    unroll = 4 if width <= 32 else 2
    keys = call.bits(count) % (2**32 - 1) if width <= 32 else call.bits64(count) % (2**64 - 1)
    keys = keys % 2**width
    order = np.argsort(keys, kind="stable")
    after = call.advance(count, unroll)
    ends = np.append(np.flatnonzero(np.diff(keys[order])) + 1, count)
    for begin, end in zip([0, *ends], ends, strict=False):
        thread = Thread(call.seed, int(begin), call.offset + after)
        for last in range(end - begin - 1, 0, -1):
            other = thread.word() % (last + 1)
            order[[begin + last, begin + other]] = order[[begin + other, begin + last]]
    return order, after + 4 * (-(-count // 4))


@pytest.mark.parametrize(
    ("count", "start"),
    [(2, OFFSET), (10, OFFSET), (5, 2520), (1000, 416), (30_000, OFFSET), (40_000, OFFSET)],
    ids=[
        "two",
        "ten",
        "three equal keys",
        "two pairs of equal keys",
        "keys of 32 bits",
        "keys of 33 bits",
    ],
)
def test_randperm(count: int, start: int) -> None:
    expected, moved = permuted(started(start), count)
    same(torch.randperm(count, device="simt"), expected)
    assert offset() == start + moved


def test_poisson() -> None:
    """D. Knuth, The Art of Computer Programming, 3.4.1: uniform numbers are multiplied until the product is below
    exp(-rate)."""
    rates = np.linspace(0.1, 20, 400, dtype=np.float32)
    started()
    drawn = torch.poisson(torch.from_numpy(rates).to("simt"))
    expected = []
    for index, rate in enumerate(rates):
        thread, product, count = Thread(SEED, index, OFFSET), math.exp(rate), 0
        while (product := product * thread.uniform()) > 1:
            count += 1
        expected.append(count)
    same(drawn, np.array(expected))
    assert offset() == OFFSET + 20


def gamma(thread: Thread, shape: float) -> float:
    """G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables" (2000). For a shape below
    1, the result is a number for shape + 1, multiplied by u ** (1 / shape) for a uniform number u."""
    scale = 1.0
    if shape < 1:
        scale, shape = (1 - thread.uniform()) ** (1 / shape), shape + 1
    d = shape - 1 / 3
    while True:
        x = thread.normal()
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v <= 0:
            continue
        u = 1 - thread.uniform()
        if u < 1 - 0.0331 * x**4 or math.log(u) < 0.5 * x**2 + d * (1 - v + math.log(v)):
            return scale * d * v


def test_gamma_and_dirichlet() -> None:
    shapes = np.linspace(0.3, 6, 600, dtype=np.float32)
    started()
    drawn = torch._standard_gamma(torch.from_numpy(shapes).to("simt"))
    expected = np.array(
        [gamma(Thread(SEED, index, OFFSET), float(shape)) for index, shape in enumerate(shapes)]
    )
    same(drawn, expected, (2e-5, 1e-6))
    assert offset() == OFFSET + 12
    started()
    drawn = torch._sample_dirichlet(torch.from_numpy(shapes.reshape(100, 6)).to("simt"))
    rows = expected.reshape(100, 6)
    same(drawn, rows / rows.sum(1, keepdims=True), (2e-5, 1e-6))


def test_binomial_moves_the_offset() -> None:
    started()
    torch.binomial(torch.full((10,), 20.0, device="simt"), torch.full((10,), 0.5, device="simt"))
    assert offset() == OFFSET + 44
