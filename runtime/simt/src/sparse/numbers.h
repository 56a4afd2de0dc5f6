// Element types of functions whose names contain the type.
#pragma once

#include <complex>

#include "sparse/elements.h"

namespace simtrt {

// simtComplex and std::complex<float> have the same layout: [complex.numbers] of the C++ standard.
template <class T>
struct SparseNumber {
  using Value = T;
};
template <>
struct SparseNumber<simtComplex> {
  using Value = std::complex<float>;
};
template <>
struct SparseNumber<simtDoubleComplex> {
  using Value = std::complex<double>;
};
/// Type in which the host computes with T.
template <class T>
using SparseValue = typename SparseNumber<T>::Value;

template <class Value>
inline constexpr simtDataType kSparseType = SIMT_R_32F;
template <>
inline constexpr simtDataType kSparseType<double> = SIMT_R_64F;
template <>
inline constexpr simtDataType kSparseType<std::complex<float>> = SIMT_C_32F;
template <>
inline constexpr simtDataType kSparseType<std::complex<double>> = SIMT_C_64F;

template <class T>
const SparseValue<T>* values_of(const T* numbers) {
  return reinterpret_cast<const SparseValue<T>*>(numbers);
}
template <class T>
SparseValue<T>* values_of(T* numbers) {
  return reinterpret_cast<SparseValue<T>*>(numbers);
}

}  // namespace simtrt
