"""Philox4x32-10, and the numbers that cuRAND computes from its words, in numpy: expected values for the device's
numbers.

    thread = Thread(seed=0, subsequence=0, offset=0)
    thread.uniform()                                 # torch.rand(1, device="cuda") after manual_seed(0)

Source of the generator: J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC
2011). Source of its use: cuRAND's guide (device API, "Philox_4x32_10" and "Distributions"). The seed is the key. The
counter contains the number of a block of four words and, in its upper half, the subsequence. Uniform numbers are in
(0, 1]. Normal numbers are computed in pairs by the method of Box and Muller. A double consumes two words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.generic]

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
WORD = 0xFFFFFFFF
HALF = np.uint64(32)


def philox4x32(counter: Sequence[Array | int], key: tuple[int, int]) -> Array:
    """Four words of each counter, as a uint64 array of shape (4, n). `counter`: four words, or arrays of n words."""
    word = list(
        np.atleast_2d(np.stack(np.broadcast_arrays(*counter)).astype(np.uint64).reshape(4, -1))
    )
    left, right = key
    for _ in range(ROUNDS):
        first = word[0] * np.uint64(MULTIPLIERS[0])
        second = word[2] * np.uint64(MULTIPLIERS[1])
        word = [
            (second >> HALF) ^ word[1] ^ np.uint64(left),
            second & np.uint64(WORD),
            (first >> HALF) ^ word[3] ^ np.uint64(right),
            first & np.uint64(WORD),
        ]
        left, right = (left + KEY_STEPS[0]) & WORD, (right + KEY_STEPS[1]) & WORD
    return np.stack(word)


def blocks(seed: int, subsequence: Array | int, block: Array | int) -> Array:
    """The words 4 * block to 4 * block + 3 of a subsequence, for each pair of the two, as (4, n) of uint64."""
    subsequence, block = (np.asarray(each, np.uint64) for each in (subsequence, block))
    counter = (
        block & np.uint64(WORD),
        block >> HALF,
        subsequence & np.uint64(WORD),
        subsequence >> HALF,
    )
    return philox4x32(counter, (seed & WORD, seed >> 32))


def uniform(word: Array) -> Array:
    """Number in (0, 1], float32: the word is rounded, and half a step is added."""
    return word.astype(np.float32) * np.float32(2**-32) + np.float32(2**-33)


def uniform_double(low: Array, high: Array) -> Array:
    """Number in (0, 1], float64, from two words: the second is shifted left by 21 bits, for a total of 53 bits."""
    return (low ^ (high << np.uint64(21))).astype(np.float64) * 2.0**-53 + 2.0**-54


def normal(first: Array, second: Array) -> tuple[Array, Array]:
    """Pair of normal numbers from two words. The uniform number for the radius is rounded to float32 like CUDA's,
    which matters near 1; the rest is computed in float64.
    """
    return box_muller(uniform(first).astype(np.float64), (second + 0.5) * 2.0**-32)


def normal_double(words: Array) -> tuple[Array, Array]:
    """Pair of normal numbers from four words."""
    return box_muller(uniform_double(words[0], words[1]), uniform_double(words[2], words[3]))


def box_muller(radius: Array, turn: Array) -> tuple[Array, Array]:
    """Two normal numbers from two uniform numbers, the sine first."""
    length = np.sqrt(-2 * np.log(radius))
    return length * np.sin(2 * np.pi * turn), length * np.cos(2 * np.pi * turn)


class Thread:
    """Generator of one thread: successive numbers of one subsequence."""

    def __init__(self, seed: int, subsequence: int, offset: int) -> None:
        """`offset` is a number of words, a multiple of four, as in PyTorch."""
        self._seed, self._subsequence, self._block = seed, subsequence, offset // 4
        self._words: list[np.uint64] = []
        self._spare: float | None = None

    def word(self) -> int:
        """The next word."""
        if not self._words:
            self._words = list(blocks(self._seed, self._subsequence, self._block)[:, 0])
            self._block += 1
        return int(self._words.pop(0))

    def uniform(self) -> float:
        """Number from one word, with float32's value."""
        return float(uniform(np.uint64(self.word())))

    def normal(self) -> float:
        """First number of a new pair, or second number of the previous pair: a pair consumes two words."""
        if self._spare is not None:
            number, self._spare = self._spare, None
        else:
            number, self._spare = normal(np.uint64(self.word()), np.uint64(self.word()))
        return float(number)
