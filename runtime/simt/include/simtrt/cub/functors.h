// Function objects of cub. Names and results: CUDA 12.4, cub/thread/thread_operators.cuh.
#pragma once

#include <simtrt/cub/types.h>

#include <functional>

CUB_NAMESPACE_BEGIN

// The standard ones look for operators of the operands only. Here, those of __half at global scope
// would be found as well, and a type that converts to both float and __half have no unique one.
using Equality = std::equal_to<>;
using Inequality = std::not_equal_to<>;
using Sum = std::plus<>;
using Difference = std::minus<>;
using Division = std::divides<>;

/// The first where the two are not ordered, as with a NaN.
struct Max {
  template <class T, class U>
  std::common_type_t<T, U> operator()(T&& t, U&& u) const {
    using R = std::common_type_t<T, U>;
    return std::greater<>()(u, t) ? static_cast<R>(u) : static_cast<R>(t);
  }
};

/// The first where the two are not ordered, as with a NaN.
struct Min {
  template <class T, class U>
  std::common_type_t<T, U> operator()(T&& t, U&& u) const {
    using R = std::common_type_t<T, U>;
    return std::less<>()(u, t) ? static_cast<R>(u) : static_cast<R>(t);
  }
};

/// Of two pairs the one with the larger value; of equal values the one with the smaller key.
struct ArgMax {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    const bool earlier = Equality()(a.value, b.value) && b.key < a.key;
    return earlier || std::greater<>()(b.value, a.value) ? b : a;
  }
};

/// Of two pairs the one with the smaller value; of equal values the one with the smaller key.
struct ArgMin {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    const bool earlier = Equality()(a.value, b.value) && b.key < a.key;
    return earlier || std::less<>()(b.value, a.value) ? b : a;
  }
};

CUB_NAMESPACE_END
