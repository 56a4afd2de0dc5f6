// Loops over the elements of tensors, for kernels that compute each element alone.
//
// A GPU gives an element to a thread; on a host, a thread that takes many elements in a row costs one loop, which the compiler
// can vectorize, and finds the offsets of most elements by an addition instead of divisions. The port's patches
// (mappings/simt/loops.yaml) launch these loops in the place of PyTorch's elementwise kernels.
//
// Compiled with SIMT_UPSTREAM_LOOPS, a port launches PyTorch's own kernels, so that checks see their accesses.
#pragma once

#include <simt_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace simtrt {

#ifdef SIMT_UPSTREAM_LOOPS
inline constexpr bool kUpstreamLoops = true;
#else
inline constexpr bool kUpstreamLoops = false;
#endif

/// Elements of a thread, which is a block of its own.
inline constexpr unsigned kElementsOfThread = 4096;

/// Number of threads for `count` elements; `count` is not 0.
inline unsigned threads_of(unsigned count) { return (count - 1) / kElementsOfThread + 1; }

/// Rows that a thread goes through side by side, and elements of each of them that it takes in turn.
inline constexpr unsigned kRowsOfTile = 16;
inline constexpr unsigned kElementsOfTile = 8;
/// From this stride on, in bytes, each element of a row lies in a cache line of its own.
inline constexpr std::uint64_t kFarStride = 64;

/// Calls `body` with the offsets of the first `count` elements of `rows` rows: some elements of the first row, then some of the
/// next. The offsets are written one by one, because the compiler then keeps them in registers.
template <class Offsets, class Strides, class Body, std::size_t... T>
inline void run_rows(unsigned rows, const Offsets* firsts, unsigned count, const Strides& strides, const Body& body,
                     std::index_sequence<T...>) {
  const Strides own = strides;
  const unsigned tile = rows == 1 ? count : kElementsOfTile;
  for (unsigned begin = 0; begin < count; begin += tile) {
    const unsigned end = count - begin < tile ? count : begin + tile;
    for (unsigned row = 0; row < rows; ++row) {
      const Offsets first = firsts[row];
      for (unsigned i = begin; i < end; ++i) {
        Offsets offsets;
        ((offsets[T] = first[T] + i * own.of[T]), ...);
        body(offsets);
      }
    }
  }
}

/// Elements in the order of `Calculator`, PyTorch's OffsetCalculator: the first dimension is the fastest. Rows whose elements lie
/// far apart in a tensor, as in a transposed matrix, are run side by side: neighbours of an element in its cache line are used
/// before the line is replaced.
template <class Calculator, class Body>
__global__ void run_offsets(unsigned count, const Calculator calculator, const Body body) {
  using Offsets = decltype(calculator.get(0));
  constexpr std::size_t kTensors = sizeof(calculator.strides_[0]) / sizeof(calculator.strides_[0][0]);
  struct Strides {
    std::decay_t<decltype(calculator.strides_[0][0])> of[kTensors];
  } strides;
  bool far = false;
  for (std::size_t tensor = 0; tensor < kTensors; ++tensor) {
    strides.of[tensor] = calculator.strides_[0][tensor];
    far = far || strides.of[tensor] >= kFarStride;
  }
  const Body own = body;
  unsigned index = blockIdx.x * kElementsOfThread;
  const unsigned end = count - index < kElementsOfThread ? count : index + kElementsOfThread;
  const unsigned row = calculator.dims == 0 ? 1 : calculator.sizes_[0].divisor;
  unsigned left = row - index % row;
  while (index < end) {
    const unsigned elements = end - index < left ? end - index : left;
    unsigned rows = 1;
    Offsets firsts[kRowsOfTile];
    firsts[0] = calculator.get(index);
    if (far && elements == row)
      for (; rows < kRowsOfTile && end - index >= (rows + 1) * row; ++rows) firsts[rows] = calculator.get(index + rows * row);
    run_rows(rows, firsts, elements, strides, own, std::make_index_sequence<kTensors>());
    index += rows * elements;
    left = row;
  }
}

/// Offsets of one element, with the interface of an OffsetCalculator.
template <class Offsets>
struct KnownOffsets {
  const Offsets offsets;
  const Offsets& get(int) const { return offsets; }
};

/// Calls `body(index, calculator)` for each index below `count`; `calculator.get(index)` are the offsets of the element.
/// `upstream` launches PyTorch's own kernel, whose threads call its second argument with an index, and checks that launch;
/// `check` checks the launch of the loop.
template <class Calculator, class UpstreamLaunch, class Check, class Body>
void for_each_element(std::int64_t count, const Calculator& calculator, simtStream_t stream, const UpstreamLaunch& upstream,
                      const Check& check, const Body& body) {
  if constexpr (kUpstreamLoops) {
    upstream(count, [=](int index) { body(index, calculator); });
  } else if (count != 0) {
    const auto with_offsets = [=](const auto& offsets) {
      body(0, KnownOffsets<std::decay_t<decltype(offsets)>>{offsets});
    };
    const auto elements = static_cast<unsigned>(count);
    SIMT_LAUNCH((run_offsets<Calculator, std::decay_t<decltype(with_offsets)>>), (threads_of(elements)), (1), (0), (stream),
                elements, calculator, with_offsets);
    check();
  }
}

}  // namespace simtrt
