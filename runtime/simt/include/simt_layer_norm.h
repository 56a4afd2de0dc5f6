// Gradients of the weight and bias of layer_norm, for PyTorch's GammaBetaBackwardSimpleCUDAKernel (layer_norm_kernel.cu).
//
// PyTorch's kernel gives a column to a thread. On a host, a thread takes many columns and reads row after row, as memory is
// laid out, and the compiler can vectorize its loop. The port's patches (mappings/simt/launches.yaml) call this function in
// blocks of one thread.
#pragma once

#include <simt_launch_sizes.h>
#include <simt_row_moments.h>
#include <simt_runtime.h>
#include <simtrt/kernel/wide_vectors.h>

#include <cstdint>

namespace simtrt {

/// Adds one row to the sums of the columns.
template <class Sum, class T>
inline void add_layer_norm_row(Sum* weight, Sum* bias, const T* grad, const T* input, Sum mean, Sum rstd, int columns) {
#pragma GCC ivdep
  for (int j = 0; j < columns; ++j) {
    const Sum value = static_cast<Sum>(grad[j]);
    weight[j] += value * (static_cast<Sum>(input[j]) - mean) * rstd;
    bias[j] += value;
  }
}

/// Gradients of the columns of this block, `block_columns` of `all_columns`. `grad_weight` and `grad_bias` may be null.
template <class Sum, int block_columns, class T>
__device__ void layer_norm_columns(std::int64_t rows, std::int64_t all_columns, const T* grad, const T* input,
                                   const Sum* mean, const Sum* rstd, T* grad_weight, T* grad_bias) {
  const std::int64_t first = std::int64_t{blockIdx.x} * block_columns;
  const std::int64_t left = all_columns - first;
  const int columns = static_cast<int>(left < block_columns ? left : block_columns);
  Sum weight[block_columns] = {};
  Sum bias[block_columns] = {};
  with_wide_vectors([&] {
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t offset = row * all_columns + first;
      add_layer_norm_row(weight, bias, grad + offset, input + offset, mean[row], rstd[row], columns);
    }
  });
  for (int j = 0; j < columns; ++j) {
    if (grad_weight != nullptr) grad_weight[first + j] = static_cast<T>(weight[j]);
    if (grad_bias != nullptr) grad_bias[first + j] = static_cast<T>(bias[j]);
  }
}

}  // namespace simtrt
