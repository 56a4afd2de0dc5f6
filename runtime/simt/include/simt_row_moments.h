// Mean and variance of a row, for PyTorch's layer_norm and group_norm (RowwiseMomentsCUDAKernel, compute_stats).
//
// PyTorch's kernels divide a row among the threads of a block, and each thread updates a mean and a variance with each
// value (Welford). With one thread for a row, as on a host, the rounding errors of thousands of updates add up: the variance
// of a million floats is wrong by 4e-4. The functions here read the row twice and add blocks of values in double
// precision: the error is that of one rounding, and the loops can be vectorized.
#pragma once

#include <simt_launch_sizes.h>
#include <simt_runtime.h>
#include <simtrt/kernel/wide_vectors.h>

#include <cstdint>

namespace simtrt {

template <class Sum>
struct RowMoments {
  Sum mean;
  Sum variance;  ///< divided by the number of values
};

/// Sum of `value(x)` for the values of a row.
template <class Sum, class T, class Value>
inline double sum_of_row(const T* row, std::int64_t length, const Value& value) {
  constexpr int kLanes = 32;
  constexpr std::int64_t kBlock = 32 * kLanes;  // a lane adds up few values in single precision
  double total = 0;
  std::int64_t begin = 0;
  for (; begin + kLanes <= length; begin += kBlock) {
    const std::int64_t end = length - begin < kBlock ? length - (length - begin) % kLanes : begin + kBlock;
    Sum lanes[kLanes] = {};
    for (std::int64_t at = begin; at < end; at += kLanes)
#pragma GCC ivdep
      for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += value(static_cast<Sum>(row[at + lane]));
    for (const Sum lane : lanes) total += static_cast<double>(lane);
  }
  for (std::int64_t at = length - length % kLanes; at < length; ++at)
    total += static_cast<double>(value(static_cast<Sum>(row[at])));
  return total;
}

/// Mean and variance of `length` values, computed by the calling thread alone.
template <class Sum, class T>
__device__ RowMoments<Sum> row_moments(const T* row, std::int64_t length) {
  RowMoments<Sum> result{};
  with_wide_vectors([&] {
    const double count = static_cast<double>(length);
    result.mean = static_cast<Sum>(sum_of_row<Sum>(row, length, [](Sum x) { return x; }) / count);
    const Sum mean = result.mean;
    result.variance =
        static_cast<Sum>(sum_of_row<Sum>(row, length, [mean](Sum x) { return (x - mean) * (x - mean); }) / count);
  });
  return result;
}

}  // namespace simtrt
