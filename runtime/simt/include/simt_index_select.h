// Selection of slices by indices, for PyTorch's `index_select` and `embedding`.
//
// PyTorch's kernel divides three times for each element. Here a thread takes many elements of a slice in a row, and finds the
// next offsets by additions. The port's patches (mappings/simt/loops.yaml) put this kernel in the place of PyTorch's.
#pragma once

#include <simt_runtime.h>

#include <algorithm>
#include <cstdint>

namespace simtrt {

/// Offset of an element of a tensor, which can advance along its row. `Info` is PyTorch's TensorInfo: sizes and strides in
/// elements, of which the last dimension is the fastest.
template <class Info, class Index>
class SliceOffset {
 public:
  SliceOffset(const Info& info, Index element) : info_(info), element_(element) { find(); }

  Index value() const { return value_; }
  Index stride() const { return stride_; }
  /// Number of elements until the end of the row.
  Index left() const { return left_; }

  /// Advances by at most `left()` elements.
  void advance(Index count) {
    element_ += count;
    value_ += count * stride_;
    left_ -= count;
    if (left_ == 0) find();
  }

 private:
  void find() {
    Index rest = element_;
    Index value = 0;
    for (int dimension = info_.dims - 1; dimension > 0; --dimension) {
      value += rest % info_.sizes[dimension] * info_.strides[dimension];
      rest /= info_.sizes[dimension];
    }
    value_ = value + rest * info_.strides[0];
    stride_ = info_.strides[info_.dims - 1];
    left_ = info_.sizes[info_.dims - 1] - element_ % info_.sizes[info_.dims - 1];
  }

  const Info& info_;
  Index element_;
  Index value_ = 0;
  Index stride_ = 0;
  Index left_ = 0;
};

template <class T, class Index>
inline void copy_row(T* to, Index to_stride, const T* from, Index from_stride, Index count) {
  if (to_stride == 1 && from_stride == 1) {
    std::copy_n(from, count, to);
  } else {
    for (Index i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
  }
}

/// Has the template parameters and parameters of PyTorch's `indexSelectLargeIndex`. Thread 0 of each block copies; the other
/// threads return.
template <class T, class Indices, class Index, int, int, int, bool index_is_major, template <class, class> class Info>
__global__ void select_slices(Info<T, Index> to, Info<const T, Index> from, Info<const Indices, Index> indices,
                              int to_dimension, int from_dimension, Index total, Index inner,
                              std::int64_t from_size) {
  if (threadIdx.x != 0) return;
  const Index share = (total - 1) / gridDim.x + 1;
  if (share * static_cast<Index>(blockIdx.x) >= total) return;
  Index index = share * blockIdx.x;
  const Index end = total - index < share ? total : index + share;
  const auto selected = [&](Index place) {
    const auto chosen = indices.data[SliceOffset<decltype(indices), Index>(indices, place).value()];
    if (static_cast<std::uint64_t>(chosen) >= static_cast<std::uint64_t>(from_size)) {
      __assert_fail("srcIndex < srcSelectDimSize", __FILE__, __LINE__, __func__);
    }
    return static_cast<Index>(chosen) * from.strides[from_dimension];
  };
  // Indices of the slice and within the slice: the second one advances with each element.
  Index outer = index / inner;
  Index within = index % inner;
  while (index < end) {
    const Index count = end - index < inner - within ? end - index : inner - within;
    if constexpr (index_is_major) {
      T* const row = to.data + outer * to.strides[to_dimension];
      const T* const source = from.data + selected(outer);
      SliceOffset<decltype(to), Index> target(to, within);
      SliceOffset<decltype(from), Index> origin(from, within);
      for (Index left = count; left != 0;) {
        const Index run = std::min(left, std::min(target.left(), origin.left()));
        copy_row(row + target.value(), target.stride(), source + origin.value(), origin.stride(), run);
        left -= run;
        target.advance(run);
        origin.advance(run);
      }
    } else {
      T* const row = to.data + SliceOffset<decltype(to), Index>(to, outer).value();
      const T* const source = from.data + SliceOffset<decltype(from), Index>(from, outer).value();
      for (Index i = within; i < within + count; ++i) row[i * to.strides[to_dimension]] = source[selected(i)];
    }
    index += count;
    within = 0;
    ++outer;
  }
}

}  // namespace simtrt

/// The kernel of PyTorch's `index_select`: its own one if the port is compiled with SIMT_UPSTREAM_LOOPS.
#ifdef SIMT_UPSTREAM_LOOPS
#define SIMT_SELECT_KERNEL indexSelectLargeIndex
#else
#define SIMT_SELECT_KERNEL ::simtrt::select_slices
#endif
