// Function objects of cub. Names and results: CUDA 12.4, cub/thread/thread_operators.cuh.
#pragma once

#include <simtrt/cub/types.h>

#include <functional>

CUB_NAMESPACE_BEGIN

// The standard function objects look up operators only in the namespaces of the operands. A
// function object in this namespace would also find the operators of __half at global scope, which
// are ambiguous for a type that converts to both float and __half.
using Equality = std::equal_to<>;
using Inequality = std::not_equal_to<>;
using Sum = std::plus<>;
using Difference = std::minus<>;
using Division = std::divides<>;

/// Larger operand. Returns the first operand if the two are unordered, for example if one is NaN.
struct Max {
  template <class T, class U>
  std::common_type_t<T, U> operator()(T&& t, U&& u) const {
    using R = std::common_type_t<T, U>;
    return std::greater<>()(u, t) ? static_cast<R>(u) : static_cast<R>(t);
  }
};

/// Smaller operand. Returns the first operand if the two are unordered, for example if one is NaN.
struct Min {
  template <class T, class U>
  std::common_type_t<T, U> operator()(T&& t, U&& u) const {
    using R = std::common_type_t<T, U>;
    return std::less<>()(u, t) ? static_cast<R>(u) : static_cast<R>(t);
  }
};

/// Pair with the larger value; if the values are equal, the pair with the smaller key.
struct ArgMax {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    const bool earlier = Equality()(a.value, b.value) && b.key < a.key;
    return earlier || std::greater<>()(b.value, a.value) ? b : a;
  }
};

/// Pair with the smaller value; if the values are equal, the pair with the smaller key.
struct ArgMin {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    const bool earlier = Equality()(a.value, b.value) && b.key < a.key;
    return earlier || std::less<>()(b.value, a.value) ? b : a;
  }
};

CUB_NAMESPACE_END
