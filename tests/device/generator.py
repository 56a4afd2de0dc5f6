"""Access to the device's generator, and comparison of a tensor with the model of CUDA's stream."""

from __future__ import annotations

import numpy as np
import torch
from cuda_stream import Array, Call, Device

SEED, OFFSET = 0x123456789ABC, 12
MANY = 1_000_000_000
"""More elements than any grid has threads."""
EXACT, SINGLE = (0.0, 0.0), (3e-6, 3e-6)
HALF, BRAIN, DOUBLE = (2**-10, 1e-5), (2**-7, 1e-4), (1e-13, 1e-13)
"""Relative and absolute tolerance. Functions of float32 have errors of some units in the last place, on CUDA as
well."""


def current() -> Device:
    """Present device with its properties."""
    properties = torch.simt.get_device_properties(0)
    return Device(properties.multi_processor_count, properties.max_threads_per_multi_processor)


def counts(unroll: int) -> tuple[int, ...]:
    """Element counts: one, some, and more than the threads of the largest grid."""
    return 1, 1000, current().threads(MANY) * unroll + 4321


def started(offset: int = OFFSET) -> Call:
    """Seed the device's generator, and return the model of the next kernel's draws."""
    torch.simt.set_rng_state(torch.tensor([SEED, offset]).view(torch.uint8))
    return Call(SEED, offset, current())


def offset() -> int:
    """Present offset of the device's generator."""
    seed, words = torch.simt.get_rng_state().view(torch.int64).tolist()
    assert seed == SEED
    return words


def same(numbers: torch.Tensor, expected: Array, tolerance: tuple[float, float] = EXACT) -> None:
    """Compare a tensor on the device with the model's values, rounded to the tensor's dtype."""
    wanted = torch.from_numpy(np.ascontiguousarray(expected)).to(numbers.dtype)
    torch.testing.assert_close(numbers.cpu(), wanted, rtol=tolerance[0], atol=tolerance[1])
