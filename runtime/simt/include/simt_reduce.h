// Sums of the values of one thread, for PyTorch's reductions (ReduceOp::input_vectorized_thread_reduce_impl).
//
// In PyTorch's kernels, neighbouring threads read neighbouring vectors of four values, and a thread has four sums. On a host,
// whose threads run one after another, each of the 32 threads of a block then reads each cache line of the row, and waits
// for one of its four sums with each value. Here a thread reads neighbouring vectors, with 16 sums.
#pragma once

#include <simt_launch_sizes.h>
#include <simt_runtime.h>

#include <algorithm>
#include <type_traits>

namespace simtrt {

/// Reduces the vectors of thread `thread` of `threads` that share the values data[0, end), of which the last end % kVector
/// remain. Returns the number of the vector with which the thread continues: one behind all vectors, or `thread` if nothing
/// was done, because launches keep CUDA's order of accesses.
///
/// `reduce(sum, value, index)` adds a value to a sum, `combine(sum, sum)` adds two sums; `none` is the sum of no value.
template <int kVector, class Index, class Sum, class T, class Reduce, class Combine>
__device__ Index reduce_neighbours(Sum (&sums)[kVector], const Sum& none, const T* data, Index thread, Index threads, Index end,
                                   const Reduce& reduce, const Combine& combine) {
  if (launches_as_cuda()) return thread;
  const Index vectors = end / kVector;
  const Index each = (vectors + threads - 1) / threads;
  Index at = std::min(vectors, thread * each) * kVector;
  const Index last = std::min(vectors, (thread + 1) * each) * kVector;
  // Addresses, because unsigned indices may wrap around, which prevents vectorization.
  const T* from = data + at;
  if constexpr (std::is_arithmetic_v<Sum> || std::is_same_v<Sum, T>) {  // complex numbers have the same type
    constexpr int kLanes = 16;
    Sum lanes[kLanes];
    for (Sum& lane : lanes) lane = none;
    for (; at + kLanes <= last; at += kLanes, from += kLanes)
#pragma GCC unroll 16
      for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = reduce(lanes[lane], from[lane], at + lane);
    for (int lane = 0; lane < kLanes; ++lane) sums[lane % kVector] = combine(sums[lane % kVector], lanes[lane]);
  }
  for (; at < last; at += kVector, from += kVector)
    for (int lane = 0; lane < kVector; ++lane) sums[lane] = reduce(sums[lane], from[lane], at + lane);
  return vectors;
}

/// Sum of a row of `length` neighbouring values, which the thread reduces alone.
template <class Index, class Sum, class T, class Reduce, class Combine>
__device__ Sum reduce_row(const Sum& none, const T* data, Index length, const Reduce& reduce, const Combine& combine) {
  constexpr int kVector = 4;
  Sum sums[kVector] = {none, none, none, none};
  const Index whole = reduce_neighbours(sums, none, data, Index{0}, Index{1}, length, reduce, combine) * kVector;
  for (Index at = whole; at < length; ++at) sums[at - whole] = reduce(sums[at - whole], data[at], at);
  return combine(combine(sums[0], sums[1]), combine(sums[2], sums[3]));
}

}  // namespace simtrt
