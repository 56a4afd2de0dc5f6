// Transforms along one dimension of an array. A line is a row of the array in this dimension.
// Groups of lines are computed together; the workers share the groups.
#pragma once

#include <simt_fp16.h>
#include <simtrt/enqueue.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <new>
#include <tuple>
#include <utility>

#include "fft/complex.h"
#include "fft/transform.h"

namespace simtrt::fft {

/// Offsets of the first elements of the lines along one dimension, in the input and in the output
/// array.
class Lines {
 public:
  void repeat(std::size_t count, std::ptrdiff_t in, std::ptrdiff_t out) {
    loops_[loop_count_++] = {count, in, out};
    count_ *= count;
  }

  std::size_t count() const { return count_; }

  /// Offsets of line `line` in input and output. Lines with consecutive indexes differ in the
  /// dimension that was added last.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> begin_of(std::size_t line) const {
    std::ptrdiff_t in = 0, out = 0;
    for (int i = loop_count_; i-- > 0;) {
      const auto at = static_cast<std::ptrdiff_t>(line % loops_[i].count);
      in += at * loops_[i].in;
      out += at * loops_[i].out;
      line /= loops_[i].count;
    }
    return {in, out};
  }

 private:
  struct Loop {
    std::size_t count;
    std::ptrdiff_t in, out;
  };
  std::array<Loop, kMaxRank> loops_{};  // the batch, and all dimensions but one
  int loop_count_ = 0;
  std::size_t count_ = 1;
};

/// Group of lines that are computed together: one line for each lane of V. Its arrays `data` and
/// `spare` are the memory of the computation.
template <class V>
struct Group {
  using Number = V;
  std::array<std::ptrdiff_t, kLanes<V>> in, out;
  Complex<V>*data, *spare;
};

inline float loaded(float number) { return number; }
inline double loaded(double number) { return number; }
inline float loaded(__half number) { return __half2float(number); }

inline void store(float& to, float number) { to = number; }
inline void store(double& to, double number) { to = number; }
inline void store(__half& to, float number) { to = __float2half(number); }

template <class V, class E>
V load_real(const Group<V>& group, const E* in, std::ptrdiff_t at) {
  return lanes_from<V>([&](std::size_t lane) { return loaded(in[group.in[lane] + at]); });
}

template <class V, class E>
Complex<V> load(const Group<V>& group, const Complex<E>* in, std::ptrdiff_t at) {
  return {lanes_from<V>([&](std::size_t lane) { return loaded(in[group.in[lane] + at].re); }),
          lanes_from<V>([&](std::size_t lane) { return loaded(in[group.in[lane] + at].im); })};
}

template <class V, class E>
void store_real(const Group<V>& group, E* out, std::ptrdiff_t at, const V& numbers) {
  for_each_lane(numbers, [&](std::size_t lane, Scalar<V> number) {
    store(out[group.out[lane] + at], number);
  });
}

template <class V, class E>
void store(const Group<V>& group, Complex<E>* out, std::ptrdiff_t at, const Complex<V>& numbers) {
  for_each_lane(numbers.re, [&](std::size_t lane, Scalar<V> number) {
    store(out[group.out[lane] + at].re, number);
  });
  for_each_lane(numbers.im, [&](std::size_t lane, Scalar<V> number) {
    store(out[group.out[lane] + at].im, number);
  });
}

/// Memory for the arrays `data` and `spare` of a group. Its size is sufficient for groups of V; a
/// group of a single line uses the same memory.
template <class V>
class Room {
 public:
  explicit Room(std::size_t length)
      : length_(length), memory_(::operator new(2 * length * sizeof(Complex<V>), kAlignment)) {}
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() { ::operator delete(memory_, kAlignment); }

  template <class W>
  Group<W> group_at(const Lines& lines, std::size_t first) const {
    Group<W> group{};
    for (std::size_t lane = 0; lane < kLanes<W>; ++lane) {
      std::tie(group.in[lane], group.out[lane]) = lines.begin_of(first + lane);
    }
    group.data = static_cast<Complex<W>*>(memory_);
    group.spare = group.data + length_;
    return group;
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  std::size_t length_;
  void* memory_;
};

/// Calls body(group) for groups of Lanes<T>, and for single lines (T) if fewer lines remain.
///
/// Args: `length`: numbers in a line; `room`: numbers in each array of a group.
template <class T, class Body>
void for_each_group(const Lines& lines, std::size_t length, std::size_t room, const Body& body) {
  using V = Lanes<T>;
  constexpr std::size_t kWidth = kLanes<V>;
  constexpr double kHandOverWork = 1 << 17;  // operations, about 30 microseconds
  const auto numbers = static_cast<double>(length);
  const double work = static_cast<double>(kWidth) * numbers * (4 + std::log2(numbers));
  const auto grain = static_cast<std::size_t>(std::max(1.0, kHandOverWork / work));
  const std::size_t groups = (lines.count() + kWidth - 1) / kWidth;
  parallel_for(groups, grain, [&](std::size_t begin, std::size_t end) {
    const Room<V> memory(room);
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t first = group * kWidth;
      if (first + kWidth <= lines.count()) {
        body(memory.template group_at<V>(lines, first));
        continue;
      }
      for (std::size_t line = first; line < lines.count(); ++line) {
        body(memory.template group_at<T>(lines, line));
      }
    }
  });
}

}  // namespace simtrt::fft
