// Softmax along rows and its gradient, for PyTorch's `softmax` and `log_softmax` of the last dimension (PersistentSoftmax.cuh).
//
// PyTorch's kernels give a row to a warp or a block, whose threads hold every 32nd element or more. Here a thread takes whole
// rows, and the compiler can vectorize its loops. The port's patches (mappings/simt/launches.yaml) launch these kernels if
// launches do not keep CUDA's sizes (simt_launch_sizes.h).
#pragma once

#include <simt_launch_sizes.h>
#include <simt_runtime.h>
#include <simt_warp_trees.h>
#include <simtrt/kernel/wide_vectors.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace simtrt {

/// Combines a row's elements, beginning with `first` several times over, so that operations do not wait for one another.
template <class Value, class T, class Combine>
inline Value fold_row(const T* row, int count, Value first, const Combine& combine) {
  constexpr int kPartial = 32;
  Value partial[kPartial];
  for (Value& part : partial) part = first;
  int i = 0;
  for (; i + kPartial <= count; i += kPartial) {
#pragma GCC unroll 32
    for (int j = 0; j < kPartial; ++j) partial[j] = combine(partial[j], static_cast<Value>(row[i + j]));
  }
  Value result = first;
  for (; i < count; ++i) result = combine(result, static_cast<Value>(row[i]));
  for (const Value part : partial) result = combine(result, part);
  return result;
}

template <class Sum, class T>
inline Sum sum_of_row(const T* row, int count) {
  return fold_row(row, count, Sum(0), [](Sum a, Sum b) { return a + b; });
}

/// Writes softmax of a row. Exponentials of a long row are computed twice, as in PyTorch's kernel for such rows.
template <bool is_log, class Accumulated, class Out, class In>
inline void softmax_of_row(Out* result, const In* row, int count) {
  constexpr int kPart = 1024;
  Accumulated powers[kPart];
  const auto greater = [](Accumulated a, Accumulated b) { return a > b ? a : b; };
  const Accumulated max = fold_row(row, count, -std::numeric_limits<Accumulated>::infinity(), greater);
  const auto compute = [&](int begin, int part) {
    for (int i = 0; i < part; ++i) powers[i] = std::exp(static_cast<Accumulated>(row[begin + i]) - max);
  };
  Accumulated sum = 0;
  for (int begin = 0; begin < count; begin += kPart) {
    const int part = count - begin < kPart ? count - begin : kPart;
    compute(begin, part);
    sum += sum_of_row<Accumulated>(powers, part);
  }
  if constexpr (is_log) {
    const Accumulated log_of_sum = std::log(sum);
#pragma GCC ivdep
    for (int i = 0; i < count; ++i)
      result[i] = static_cast<Out>(static_cast<Accumulated>(row[i]) - max - log_of_sum);
  } else {
    for (int begin = 0; begin < count; begin += kPart) {
      const int part = count - begin < kPart ? count - begin : kPart;
      if (count > kPart) compute(begin, part);
      for (int i = 0; i < part; ++i) result[begin + i] = static_cast<Out>(powers[i] / sum);
    }
  }
}

/// Calls `row(number)` for the rows of this thread, which is a block of its own.
template <class Row>
inline void for_rows_of_thread(int rows, int rows_of_thread, const Row& row) {
  const int begin = static_cast<int>(blockIdx.x) * rows_of_thread;
  const int end = rows - begin < rows_of_thread ? rows : begin + rows_of_thread;
  with_wide_vectors([begin, end, &row] {
    for (int number = begin; number < end; ++number) row(number);
  });
}

template <bool is_log, class Accumulated, class Out, class In>
__global__ void run_softmax(Out* output, const In* input, int rows, int rows_of_thread, int stride, int count) {
  for_rows_of_thread(rows, rows_of_thread, [=](int row) {
    const std::int64_t offset = std::int64_t{row} * stride;
    softmax_of_row<is_log, Accumulated>(output + offset, input + offset, count);
  });
}

/// Writes the gradient of a row. `result` may be the memory of `grad`.
template <bool is_log, class Accumulated, class Out, class In>
inline void softmax_gradient_of_row(Out* result, const In* grad, const In* output, int count) {
  const Accumulated sum = sum_of_row<Accumulated>(grad, count);
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const Accumulated value = static_cast<Accumulated>(output[i]);
    result[i] = static_cast<Out>(static_cast<Accumulated>(grad[i]) - (is_log ? std::exp(value) : value) * sum);
  }
}

template <bool is_log, class Accumulated, class Out, class In>
__global__ void run_softmax_backward(Out* grad_input, const In* grad, const In* output, int rows, int rows_of_thread,
                                     int stride, int count) {
  for_rows_of_thread(rows, rows_of_thread, [=](int row) {
    const std::int64_t offset = std::int64_t{row} * stride;
    softmax_gradient_of_row<is_log, Accumulated>(grad_input + offset, grad + offset, output + offset, count);
  });
}

/// Number of rows with `count` elements that a thread takes.
inline int softmax_rows_of_thread(int count) {
  constexpr int kElementsOfThread = 4096;
  return count < kElementsOfThread ? kElementsOfThread / count : 1;
}

/// True if a thread may take a row of `count` elements.
inline bool softmax_takes_rows(std::int64_t count) { return !launches_as_cuda() && count <= (1 << 30); }

/// Launches softmax, or its logarithm, of `rows` rows with `count` elements each; `stride` is the distance between rows in
/// elements.
template <bool is_log, class Accumulated, class Out, class In>
void softmax_rows(Out* output, const In* input, int rows, int stride, int count, simtStream_t stream) {
  if (rows == 0) return;
  const int rows_of_thread = softmax_rows_of_thread(count);
  SIMT_LAUNCH((run_softmax<is_log, Accumulated, Out, In>), ((rows - 1) / rows_of_thread + 1), (1), (0), (stream), output,
              input, rows, rows_of_thread, stride, count);
}

/// Launches the gradient of `rows` rows with `count` elements each; `stride` is the distance between rows in elements. For
/// softmax, `grad` is the product of the gradient and the output, as for PyTorch's `dispatch_softmax_backward`.
template <bool is_log, class Accumulated, class Out, class In>
void softmax_backward_rows(Out* grad_input, const In* grad, const In* output, int rows, int stride, int count,
                           simtStream_t stream) {
  if (rows == 0) return;
  const int rows_of_thread = softmax_rows_of_thread(count);
  SIMT_LAUNCH((run_softmax_backward<is_log, Accumulated, Out, In>), ((rows - 1) / rows_of_thread + 1), (1), (0), (stream),
              grad_input, grad, output, rows, rows_of_thread, stride, count);
}

}  // namespace simtrt
