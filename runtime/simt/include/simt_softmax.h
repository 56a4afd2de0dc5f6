// Gradient of softmax along rows, for PyTorch's `softmax` and `log_softmax` of at most 1024 columns (PersistentSoftmax.cuh).
//
// PyTorch's kernel gives a row to a warp, whose lanes hold every 32nd element. Here a thread takes whole rows, and the compiler
// can vectorize its loops. The port's patches (mappings/simt/launches.yaml) launch this kernel if launches do not keep CUDA's
// sizes (simt_launch_sizes.h).
#pragma once

#include <simt_launch_sizes.h>
#include <simt_runtime.h>
#include <simt_warp_trees.h>

#include <cmath>
#include <cstdint>

namespace simtrt {

/// Sum of a row. Several partial sums, so that additions do not wait for one another.
template <class Sum, class T>
inline Sum sum_of_row(const T* row, int count) {
  constexpr int kPartial = 8;
  Sum partial[kPartial] = {};
  int i = 0;
  for (; i + kPartial <= count; i += kPartial) {
#pragma GCC unroll 8
    for (int j = 0; j < kPartial; ++j) partial[j] += static_cast<Sum>(row[i + j]);
  }
  Sum sum = 0;
  for (; i < count; ++i) sum += static_cast<Sum>(row[i]);
  for (const Sum part : partial) sum += part;
  return sum;
}

template <bool is_log, class Accumulated, class Out, class In>
__global__ void run_softmax_backward(Out* grad_input, const In* grad, const In* output, int rows, int rows_of_thread,
                                     int stride, int count) {
  const int begin = static_cast<int>(blockIdx.x) * rows_of_thread;
  const int end = rows - begin < rows_of_thread ? rows : begin + rows_of_thread;
  for (int row = begin; row < end; ++row) {
    const std::int64_t offset = std::int64_t{row} * stride;
    const In* const g = grad + offset;
    const In* const y = output + offset;
    Out* const result = grad_input + offset;
    const Accumulated sum = sum_of_row<Accumulated>(g, count);
    // The result may be the memory of `grad`, element by element.
#pragma GCC ivdep
    for (int i = 0; i < count; ++i) {
      const Accumulated value = static_cast<Accumulated>(y[i]);
      result[i] = static_cast<Out>(static_cast<Accumulated>(g[i]) - (is_log ? std::exp(value) : value) * sum);
    }
  }
}

/// Launches the gradient of `rows` rows with `count` elements each; `stride` is the distance between rows in elements. For
/// softmax, `grad` is the product of the gradient and the output, as for PyTorch's `dispatch_softmax_backward`.
template <bool is_log, class Accumulated, class Out, class In>
void softmax_backward_rows(Out* grad_input, const In* grad, const In* output, int rows, int stride, int count,
                           simtStream_t stream) {
  constexpr int kElementsOfThread = 4096;
  if (rows == 0) return;
  const int rows_of_thread = count < kElementsOfThread ? kElementsOfThread / count : 1;
  SIMT_LAUNCH((run_softmax_backward<is_log, Accumulated, Out, In>), ((rows - 1) / rows_of_thread + 1), (1), (0), (stream),
              grad_input, grad, output, rows, rows_of_thread, stride, count);
}

}  // namespace simtrt
