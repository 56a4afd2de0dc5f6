// Types shared by all of cub: key-value pairs, double buffers, future values, and the type of an
// algorithm's computation. Members and rules: CUDA 12.4, cub/util_type.cuh and
// cub/detail/type_traits.cuh.
#pragma once

#include <cub/config.cuh>
#include <simtrt/kernel/qualifiers.h>

// Programs use FLT_MAX and std::numeric_limits without own includes: CUDA's cub/util_type.cuh includes these headers.
#include <cfloat>
#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

CUB_NAMESPACE_BEGIN

/// Type of an absent value, for example in a sort of keys without values.
struct NullType {
  using value_type = NullType;

  template <class T>
  NullType& operator=(const T&) {
    return *this;
  }
  bool operator==(const NullType&) const { return true; }
  bool operator!=(const NullType&) const { return false; }
};

template <class KeyT, class ValueT>
struct KeyValuePair {
  using Key = KeyT;
  using Value = ValueT;

  KeyT key;
  ValueT value;

  KeyValuePair() {}
  KeyValuePair(const KeyT& key, const ValueT& value) : key(key), value(value) {}

  bool operator!=(const KeyValuePair& other) const {
    return value != other.value || key != other.key;
  }
};

/// Two buffers, one of which is current. A sort writes to the buffer that is not current, and makes
/// this buffer current.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;

  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}

  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

/// Value that is read when the work runs, not when it is submitted.
template <class T, class IterT = T*>
struct FutureValue {
  using value_type = T;
  using iterator_type = IterT;

  explicit FutureValue(IterT iter) : iter_(iter) {}
  operator T() const { return *iter_; }

 private:
  IterT iter_;
};

/// VALUE is the logarithm of N to base 2, rounded up.
template <int N, int CURRENT_VAL = N, int COUNT = 0>
struct Log2 {
  enum { VALUE = Log2<N, (CURRENT_VAL >> 1), COUNT + 1>::VALUE };
};
template <int N, int COUNT>
struct Log2<N, 0, COUNT> {
  enum { VALUE = (1 << (COUNT - 1)) < N ? COUNT : COUNT - 1 };
};

template <int N>
struct PowerOfTwo {
  enum { VALUE = (N & (N - 1)) == 0 };
};

namespace detail {

template <class Iterator>
using value_t = typename std::iterator_traits<Iterator>::value_type;

/// Value type of an output iterator; `Fallback` if the iterator has none (std::back_inserter,
/// discarding iterators).
template <class Iterator, class Fallback>
using non_void_value_t =
    std::conditional_t<std::is_void<value_t<Iterator>>::value, Fallback, value_t<Iterator>>;

/// Type in which `op` computes, given the types of the initial value and of the input.
template <class Op, class Init, class Input>
using accumulator_t = std::decay_t<std::invoke_result_t<Op, Init, Input>>;

template <class T>
struct init_value {
  using type = T;
};
template <class T, class Iter>
struct init_value<FutureValue<T, Iter>> {
  using type = T;
};
template <class T>
using init_value_t = typename init_value<T>::type;

}  // namespace detail

CUB_NAMESPACE_END
