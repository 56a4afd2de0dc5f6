// Types of cub: KeyValuePair, DoubleBuffer, FutureValue, NullType, Traits, and tools of templates.
// Names: CUDA 12.4, cub/util_type.cuh.
#pragma once

#include <cub/util_macro.cuh>
#include <simtrt/cub/thread.h>
#include <simtrt/cub/traits.h>
#include <simtrt/cub/types.h>

CUB_NAMESPACE_BEGIN

/// Memory for a T whose constructor never runs.
template <class T>
using Uninitialized = detail::Uninitialized<T>;

/// Type of an integer constant.
template <int A>
struct Int2Type {
  enum { VALUE = A };
};

template <bool IF, class ThenType, class ElseType>
struct If {
  using Type = std::conditional_t<IF, ThenType, ElseType>;
};

template <class A, class B>
struct Equals {
  enum { VALUE = std::is_same<A, B>::value, NEGATE = !VALUE };
};

template <class Tp>
struct RemoveQualifiers {
  using Type = std::remove_cv_t<Tp>;
};

template <bool Condition, class T = void>
struct EnableIf {
  using Type = std::enable_if_t<Condition, T>;
};

template <class T, int COUNT>
struct ArrayWrapper {
  T array[COUNT];
};

template <class NumeratorT, class DenominatorT>
constexpr NumeratorT DivideAndRoundUp(NumeratorT n, DenominatorT d) {
  return static_cast<NumeratorT>(n / d + (n % d != 0 ? 1 : 0));
}

CUB_NAMESPACE_END
