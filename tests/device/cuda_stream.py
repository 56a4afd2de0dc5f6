"""Model of the random words from which a CUDA device computes each element of a tensor that PyTorch fills.

    call = Call(seed=0, offset=0, device=Device(multiprocessors=80))
    call.uniform(1000)                               # torch.rand(1000, device="cuda"); 1 is possible

Source: PyTorch 2.6.0, aten/src/ATen.

- A generator has a seed and an offset in words (cuda/CUDAGeneratorImpl.cpp). Each thread of a kernel begins at the
  offset, in the subsequence with the thread's number in the grid. The call increases the offset by the number of words
  that one thread may consume, rounded up to a multiple of four.
- Most distributions (native/cuda/DistributionTemplates.h, RreluWithNoise.cu, the plain kernel of Dropout.cu) launch
  blocks of 256 threads: as many as cover the tensor, at most multiprocessors * (threads of a multiprocessor / 256). In
  each turn a thread draws four words and writes four elements (two elements of 64 bits), which are the number of
  threads apart. The next turn continues four (two) times that number further. The offset increases by four for each
  turn. Therefore only the elements behind the first grid depend on the device.
- Contiguous dropout: if the number of elements is divisible by four (two), a thread computes four (two) neighbouring
  elements instead (Dropout.cu). For two elements it draws four words and ignores two. The offset increases as in the
  plain kernel.
- Kernels that use CUDA_tensor_apply2 (cuda/ApplyGridUtils.cuh) have one thread for each element (gamma, poisson) or for
  four neighbouring elements (bernoulli of a tensor), without a limit on the number of threads. Their offsets increase
  by fixed numbers.
- multinomial with replacement (native/cuda/MultinomialKernel.cu) has blocks of 128 threads for each distribution and a
  thread for each sample. A sample uses the first of four words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from philox import Array, blocks, normal, normal_double, uniform, uniform_double

BLOCK = 256


@dataclass(frozen=True)
class Device:
    """Device properties that determine the size of a grid."""

    multiprocessors: int
    threads_per_multiprocessor: int = 2048

    def threads(self, count: int) -> int:
        """Number of threads that fill a tensor of `count` elements."""
        most = self.multiprocessors * (self.threads_per_multiprocessor // BLOCK)
        return BLOCK * min(most, -(-count // BLOCK))


@dataclass(frozen=True)
class Call:
    """Call of a kernel: the generator's seed and offset before the call, and the device."""

    seed: int
    offset: int
    device: Device

    def advance(self, count: int, unroll: int = 4) -> int:
        """Increment of the offset by the call. A thread computes `unroll` elements from one draw of four words: four
        elements, or two of 64 bits."""
        return 4 * (-(-count // (self.device.threads(count) * unroll)))

    def drawn(self, subsequence: Array | int, turn: Array | int) -> Array:
        """Four words of each draw, in the order of the threads, as an array of shape (4, n)."""
        return blocks(self.seed, subsequence, self.offset // 4 + np.asarray(turn))

    def strided(self, count: int, unroll: int, start: int = 0) -> tuple[Array, Array]:
        """For each element from `start` on: the four words of its draw, and its position among `unroll`."""
        threads = self.device.threads(count)
        element = np.arange(start, count)
        words = self.drawn(element % threads, element // (threads * unroll))
        return words, element // threads % unroll

    def bits(self, count: int) -> Array:
        """One word for each element."""
        words, place = self.strided(count, 4)
        return np.take_along_axis(words, place[None], 0)[0]

    def bits64(self, count: int) -> Array:
        """64 bits for each element, from two words; the first word is the upper half."""
        words, place = self.strided(count, 2)
        high, low = (np.take_along_axis(words, 2 * place[None] + each, 0)[0] for each in (0, 1))
        return (high << np.uint64(32)) | low

    def uniform(self, count: int) -> Array:
        """A number in (0, 1] for each element, float32."""
        return uniform(self.bits(count))

    def uniform_double(self, count: int) -> Array:
        """A number in (0, 1] for each element, float64."""
        words, place = self.strided(count, 2)
        return np.where(
            place == 0, uniform_double(words[0], words[1]), uniform_double(words[2], words[3])
        )

    def normal(self, count: int, start: int = 0) -> Array:
        """Normal number for each element from `start` on; two neighbouring words yield two numbers."""
        words, place = self.strided(count, 4, start)
        return np.choose(place, [*normal(words[0], words[1]), *normal(words[2], words[3])])

    def normal_double(self, count: int) -> Array:
        """A normal number of 53 bits for each element."""
        words, place = self.strided(count, 2)
        return np.choose(place, normal_double(words))

    def neighbours(self, count: int) -> Array:
        """Number in (0, 1] for each element, float32, in a kernel with four neighbouring elements for each thread
        and one draw for each thread.
        """
        element = np.arange(count)
        return uniform(np.take_along_axis(self.drawn(element // 4, 0), element[None] % 4, 0)[0])

    def dropout(self, count: int) -> Array:
        """Number that dropout compares with the probability to keep an element, float32."""
        vector = next(size for size in (4, 2, 1) if count % size == 0)
        if vector == 1:
            return self.uniform(count)
        element = np.arange(count)
        thread, turn = (
            (element // vector) % self.device.threads(count),
            element // (vector * self.device.threads(count)),
        )
        return uniform(np.take_along_axis(self.drawn(thread, turn), element[None] % vector, 0)[0])

    def samples(self, distributions: int, count: int) -> Array:
        """Number in (0, 1] for each sample of each distribution, in the order of multinomial, float32."""
        threads = 128 * (-(-count // 128))
        thread = threads * np.arange(distributions)[:, None] + np.arange(count)
        return uniform(self.drawn(thread.ravel(), 0)[0]).reshape(distributions, count)
