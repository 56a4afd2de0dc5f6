"""Functions that fill a tensor by the kernel that most distributions share, and the numbers that they write on CUDA.

The formulas are those of PyTorch 2.6.0's ATen/native/cuda/DistributionTemplates.h and ATen/core/TransformationHelper.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from cuda_stream import Array, Call
from generator import BRAIN, DOUBLE, EXACT, HALF, SINGLE


class Filled(NamedTuple):
    """Function that fills a tensor with random numbers."""

    name: str
    dtype: Any
    fill: Callable[[Any], Any]
    expected: Callable[[Call, int], Array]
    """Expected elements of a tensor of the given size."""
    unroll: int = 4
    tolerance: tuple[float, float] = EXACT


def below_one(numbers: Array, dtype: Any) -> Array:
    """Uniform numbers rounded to the dtype, with 0 in place of 1, which torch.rand excludes."""
    rounded = torch.from_numpy(numbers).to(dtype).double().numpy()
    return np.where(rounded == 1, 0, rounded)


def exponential(numbers: Array, rate: float) -> Array:
    """CUDA's exponential numbers: for a uniform number that rounds to 1, half of its epsilon is used, so that no
    result is 0.
    """
    half = np.finfo(numbers.dtype).eps / 2
    return np.where(numbers >= 1 - half, half, -np.log(numbers.astype(np.float64))) / rate


def signed(numbers: Array) -> Array:
    return numbers.astype(np.int64)


FILLED = [
    Filled(
        "rand",
        torch.float32,
        lambda t: t.uniform_(),
        lambda c, n: below_one(c.uniform(n), torch.float32),
    ),
    Filled(
        "rand half",
        torch.half,
        lambda t: t.uniform_(),
        lambda c, n: below_one(c.uniform(n), torch.half),
    ),
    Filled(
        "rand bfloat16",
        torch.bfloat16,
        lambda t: t.uniform_(),
        lambda c, n: below_one(c.uniform(n), torch.bfloat16),
    ),
    Filled(
        "rand double",
        torch.double,
        lambda t: t.uniform_(),
        lambda c, n: below_one(c.uniform_double(n), torch.double),
        unroll=2,
    ),
    # Four times a number is exact, so it is the same whether the device fuses product and sum.
    Filled(
        "uniform",
        torch.float32,
        lambda t: t.uniform_(-1, 3),
        lambda c, n: c.uniform(n) * np.float32(4) - 1,
    ),
    Filled(
        "uniform of any bounds",
        torch.float32,
        lambda t: t.uniform_(-2.7, 5.9),
        lambda c, n: c.uniform(n).astype(np.float64) * 8.6 - 2.7,
        tolerance=(0, 1e-6),
    ),
    Filled(
        "normal",
        torch.float32,
        lambda t: t.normal_(2, 3),
        lambda c, n: c.normal(n) * 3 + 2,
        tolerance=(1e-6, 1e-5),
    ),
    Filled(
        "normal half", torch.half, lambda t: t.normal_(), lambda c, n: c.normal(n), tolerance=HALF
    ),
    Filled(
        "normal bfloat16",
        torch.bfloat16,
        lambda t: t.normal_(),
        lambda c, n: c.normal(n),
        tolerance=BRAIN,
    ),
    Filled(
        "normal double",
        torch.double,
        lambda t: t.normal_(2, 3),
        lambda c, n: c.normal_double(n) * 3 + 2,
        unroll=2,
        tolerance=DOUBLE,
    ),
    Filled(
        "log_normal",
        torch.float32,
        lambda t: t.log_normal_(0.5, 0.25),
        lambda c, n: np.exp(c.normal(n) * 0.25 + 0.5),
        tolerance=SINGLE,
    ),
    Filled(
        "log_normal double",
        torch.double,
        lambda t: t.log_normal_(0.5, 0.25),
        lambda c, n: np.exp(c.normal_double(n) * 0.25 + 0.5),
        unroll=2,
        tolerance=DOUBLE,
    ),
    Filled(
        "exponential",
        torch.float32,
        lambda t: t.exponential_(0.5),
        lambda c, n: exponential(c.uniform(n), 0.5),
        tolerance=SINGLE,
    ),
    Filled(
        "exponential half",
        torch.half,
        lambda t: t.exponential_(2),
        lambda c, n: exponential(c.uniform(n), 2),
        tolerance=HALF,
    ),
    Filled(
        "exponential double",
        torch.double,
        lambda t: t.exponential_(0.5),
        lambda c, n: exponential(c.uniform_double(n), 0.5),
        unroll=2,
        tolerance=DOUBLE,
    ),
    Filled(
        "bernoulli",
        torch.float32,
        lambda t: t.bernoulli_(0.3),
        lambda c, n: 1.0 * (c.uniform(n) < np.float32(0.3)),
    ),
    Filled(
        "bernoulli bool",
        torch.bool,
        lambda t: t.bernoulli_(0.3),
        lambda c, n: c.uniform(n) < np.float32(0.3),
    ),
    Filled(
        "bernoulli double",
        torch.double,
        lambda t: t.bernoulli_(0.3),
        lambda c, n: 1.0 * (c.uniform_double(n) < 0.3),
        unroll=2,
    ),
    Filled(
        "randint",
        torch.int64,
        lambda t: t.random_(-5, 95),
        lambda c, n: signed(c.bits(n) % 100) - 5,
    ),
    Filled(
        "randint int32",
        torch.int32,
        lambda t: t.random_(-7, 2**31 - 1),
        lambda c, n: signed(c.bits(n) % (2**31 + 6)) - 7,
    ),
    Filled(
        "randint half",
        torch.half,
        lambda t: t.random_(0, 1000),
        lambda c, n: signed(c.bits(n) % 1000),
    ),
    Filled(
        "randint of 64 bits",
        torch.int64,
        lambda t: t.random_(-(2**40), 2**41),
        lambda c, n: signed(c.bits64(n) % (3 * 2**40)) - 2**40,
        unroll=2,
    ),
    Filled(
        "randint of every int64",
        torch.int64,
        lambda t: t.random_(-(2**63), None),
        lambda c, n: signed(c.bits64(n)),
        unroll=2,
    ),
    Filled(
        "random",
        torch.int64,
        lambda t: t.random_(),
        lambda c, n: signed(c.bits64(n) % 2**63),
        unroll=2,
    ),
    Filled(
        "random int32", torch.int32, lambda t: t.random_(), lambda c, n: signed(c.bits(n) % 2**31)
    ),
    Filled(
        "random int16", torch.int16, lambda t: t.random_(), lambda c, n: signed(c.bits(n) % 2**15)
    ),
    Filled(
        "random uint8", torch.uint8, lambda t: t.random_(), lambda c, n: signed(c.bits(n) % 2**8)
    ),
    Filled("random bool", torch.bool, lambda t: t.random_(), lambda c, n: c.bits(n) % 2 == 1),
    # Numbers of a float's digits, the power of two above them included.
    Filled(
        "random float",
        torch.float32,
        lambda t: t.random_(),
        lambda c, n: signed(c.bits(n) % (2**24 + 1)),
    ),
    Filled(
        "random bfloat16",
        torch.bfloat16,
        lambda t: t.random_(),
        lambda c, n: signed(c.bits(n) % (2**8 + 1)),
    ),
    Filled(
        "random double",
        torch.double,
        lambda t: t.random_(),
        lambda c, n: signed(c.bits64(n) % (2**53 + 1)),
        unroll=2,
    ),
]
