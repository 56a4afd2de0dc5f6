// thrust::placeholders: `_1 * 2 + _2` is a function of two arguments.
#pragma once

#include <simtrt/thrust/config.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

THRUST_NAMESPACE_BEGIN

namespace detail {

/// Function object that evaluates an expression of placeholders.
template <class Evaluate>
struct Expression {
  Evaluate evaluate;

  template <class... Args>
  auto operator()(Args&&... args) const {
    return evaluate(std::forward_as_tuple(args...));
  }

  template <class Value>
  auto operator=(const Value& value) const;
};

template <class Evaluate>
Expression<Evaluate> expression(Evaluate evaluate) {
  return {evaluate};
}

template <std::size_t I>
struct Argument {
  template <class Args>
  decltype(auto) operator()(const Args& args) const {
    return std::get<I>(args);
  }
};

template <class T>
struct is_expression : std::false_type {};
template <class Evaluate>
struct is_expression<Expression<Evaluate>> : std::true_type {};

/// Value of an operand. If the operand is an expression, its result for these arguments; otherwise
/// the operand itself.
template <class Evaluate, class Args>
decltype(auto) operand(const Expression<Evaluate>& operand, const Args& args) {
  return operand.evaluate(args);
}
template <class T, class Args, std::enable_if_t<!is_expression<T>::value, int> = 0>
const T& operand(const T& operand, const Args&) {
  return operand;
}

template <class A, class B>
using if_expression = std::enable_if_t<is_expression<A>::value || is_expression<B>::value, int>;

#define SIMTRT_THRUST_BINARY(op)                                                                  \
  template <class A, class B, if_expression<A, B> = 0>                                            \
  auto operator op(const A& a, const B& b) {                                                      \
    return expression([a, b](const auto& args) { return operand(a, args) op operand(b, args); }); \
  }
SIMTRT_THRUST_BINARY(+)
SIMTRT_THRUST_BINARY(-)
SIMTRT_THRUST_BINARY(*)
SIMTRT_THRUST_BINARY(/)
SIMTRT_THRUST_BINARY(%)
SIMTRT_THRUST_BINARY(==)
SIMTRT_THRUST_BINARY(!=)
SIMTRT_THRUST_BINARY(<)
SIMTRT_THRUST_BINARY(>)
SIMTRT_THRUST_BINARY(<=)
SIMTRT_THRUST_BINARY(>=)
SIMTRT_THRUST_BINARY(&&)
SIMTRT_THRUST_BINARY(||)
SIMTRT_THRUST_BINARY(&)
SIMTRT_THRUST_BINARY(|)
SIMTRT_THRUST_BINARY(^)
SIMTRT_THRUST_BINARY(<<)
SIMTRT_THRUST_BINARY(>>)
#undef SIMTRT_THRUST_BINARY

// Assignments. They change the argument that the left placeholder denotes.
#define SIMTRT_THRUST_ASSIGN(op)                                                                  \
  template <class E, class B>                                                                     \
  auto operator op(const Expression<E>& a, const B& b) {                                          \
    return expression([a, b](const auto& args) { return a.evaluate(args) op operand(b, args); }); \
  }
SIMTRT_THRUST_ASSIGN(+=)
SIMTRT_THRUST_ASSIGN(-=)
SIMTRT_THRUST_ASSIGN(*=)
SIMTRT_THRUST_ASSIGN(/=)
SIMTRT_THRUST_ASSIGN(%=)
SIMTRT_THRUST_ASSIGN(&=)
SIMTRT_THRUST_ASSIGN(|=)
SIMTRT_THRUST_ASSIGN(^=)
SIMTRT_THRUST_ASSIGN(<<=)
SIMTRT_THRUST_ASSIGN(>>=)
#undef SIMTRT_THRUST_ASSIGN

#define SIMTRT_THRUST_UNARY(op)                                               \
  template <class E>                                                          \
  auto operator op(const Expression<E>& a) {                                  \
    return expression([a](const auto& args) { return op a.evaluate(args); }); \
  }
SIMTRT_THRUST_UNARY(+)
SIMTRT_THRUST_UNARY(-)
SIMTRT_THRUST_UNARY(!)
SIMTRT_THRUST_UNARY(~)
SIMTRT_THRUST_UNARY(++)
SIMTRT_THRUST_UNARY(--)
#undef SIMTRT_THRUST_UNARY

template <class Evaluate>
template <class Value>
auto Expression<Evaluate>::operator=(const Value& value) const {
  const Expression self = *this;
  return expression(
      [self, value](const auto& args) { return self.evaluate(args) = operand(value, args); });
}

}  // namespace detail

namespace placeholders {

inline constexpr detail::Expression<detail::Argument<0>> _1{};
inline constexpr detail::Expression<detail::Argument<1>> _2{};
inline constexpr detail::Expression<detail::Argument<2>> _3{};
inline constexpr detail::Expression<detail::Argument<3>> _4{};
inline constexpr detail::Expression<detail::Argument<4>> _5{};
inline constexpr detail::Expression<detail::Argument<5>> _6{};
inline constexpr detail::Expression<detail::Argument<6>> _7{};
inline constexpr detail::Expression<detail::Argument<7>> _8{};
inline constexpr detail::Expression<detail::Argument<8>> _9{};
inline constexpr detail::Expression<detail::Argument<9>> _10{};

}  // namespace placeholders

THRUST_NAMESPACE_END
