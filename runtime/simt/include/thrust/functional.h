// Function objects of thrust, and placeholders for function objects written as expressions. Names:
// CUDA 12.4, thrust/functional.h.
#pragma once

#include <simtrt/thrust/config.h>
#include <simtrt/thrust/placeholder.h>

#include <functional>
#include <type_traits>
#include <utility>

THRUST_NAMESPACE_BEGIN

template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};

template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};

// Binary function object. With a template argument T, both parameters have type T; without T, they
// have any types.
#define SIMTRT_THRUST_BINARY(name, Result) \
  template <class T = void>                \
  struct name : std::name<T> {             \
    using first_argument_type = T;         \
    using second_argument_type = T;        \
    using result_type = Result;            \
  };                                       \
  template <>                              \
  struct name<void> : std::name<void> {};

SIMTRT_THRUST_BINARY(plus, T)
SIMTRT_THRUST_BINARY(minus, T)
SIMTRT_THRUST_BINARY(multiplies, T)
SIMTRT_THRUST_BINARY(divides, T)
SIMTRT_THRUST_BINARY(modulus, T)
SIMTRT_THRUST_BINARY(bit_and, T)
SIMTRT_THRUST_BINARY(bit_or, T)
SIMTRT_THRUST_BINARY(bit_xor, T)
SIMTRT_THRUST_BINARY(equal_to, bool)
SIMTRT_THRUST_BINARY(not_equal_to, bool)
SIMTRT_THRUST_BINARY(greater, bool)
SIMTRT_THRUST_BINARY(less, bool)
SIMTRT_THRUST_BINARY(greater_equal, bool)
SIMTRT_THRUST_BINARY(less_equal, bool)
SIMTRT_THRUST_BINARY(logical_and, bool)
SIMTRT_THRUST_BINARY(logical_or, bool)
#undef SIMTRT_THRUST_BINARY

template <class T = void>
struct negate : std::negate<T> {
  using argument_type = T;
  using result_type = T;
};
template <>
struct negate<void> : std::negate<void> {};

template <class T = void>
struct logical_not : std::logical_not<T> {
  using argument_type = T;
  using result_type = bool;
};
template <>
struct logical_not<void> : std::logical_not<void> {};

template <class T = void>
struct square : unary_function<T, T> {
  T operator()(const T& x) const { return x * x; }
};
template <>
struct square<void> {
  template <class T>
  auto operator()(const T& x) const {
    return x * x;
  }
};

template <class T = void>
struct identity : unary_function<T, T> {
  const T& operator()(const T& x) const { return x; }
};
template <>
struct identity<void> {
  template <class T>
  T&& operator()(T&& x) const {
    return static_cast<T&&>(x);
  }
};

template <class T = void>
struct maximum : binary_function<T, T, T> {
  T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const {
    return a < b ? b : a;
  }
};

template <class T = void>
struct minimum : binary_function<T, T, T> {
  T operator()(const T& a, const T& b) const { return a < b ? a : b; }
};
template <>
struct minimum<void> {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const {
    return a < b ? a : b;
  }
};

template <class First = void, class Second = void>
struct project1st : binary_function<First, Second, First> {
  const First& operator()(const First& first, const Second&) const { return first; }
};
template <>
struct project1st<void, void> {
  template <class First, class Second>
  First&& operator()(First&& first, Second&&) const {
    return static_cast<First&&>(first);
  }
};

template <class First = void, class Second = void>
struct project2nd : binary_function<First, Second, Second> {
  const Second& operator()(const First&, const Second& second) const { return second; }
};
template <>
struct project2nd<void, void> {
  template <class First, class Second>
  Second&& operator()(First&&, Second&& second) const {
    return static_cast<Second&&>(second);
  }
};

template <class Predicate>
struct unary_negate {
  explicit unary_negate(Predicate predicate) : predicate(predicate) {}
  template <class T>
  bool operator()(const T& x) const {
    return !predicate(x);
  }
  mutable Predicate predicate;
};

template <class Predicate>
struct binary_negate {
  explicit binary_negate(Predicate predicate) : predicate(predicate) {}
  template <class T, class U>
  bool operator()(const T& a, const U& b) const {
    return !predicate(a, b);
  }
  mutable Predicate predicate;
};

template <class Predicate>
unary_negate<Predicate> not1(const Predicate& predicate) {
  return unary_negate<Predicate>(predicate);
}
template <class Predicate>
binary_negate<Predicate> not2(const Predicate& predicate) {
  return binary_negate<Predicate>(predicate);
}

THRUST_NAMESPACE_END
