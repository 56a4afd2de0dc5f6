// Storage of each data type of a matrix, and conversion to the type of the computation.
#pragma once

#include <simt_fp8.h>
#include <simt_library_types.h>
#include <simtrt/short_float/rounding.h>
#include <simtrt/short_float/bits.h>

#include <complex>
#include <cstddef>
#include <cstdint>

namespace simtrt {

/// An element in memory (Storage) and in computations (Value). store() rounds to nearest even;
/// load() is exact.
template <class T>
struct PlainElement {
  using Storage = T;
  using Value = T;
  static T load(T x) { return x; }
  static T store(T x) { return x; }
};
using FloatElement = PlainElement<float>;
using DoubleElement = PlainElement<double>;
using ComplexElement = PlainElement<std::complex<float>>;
using DoubleComplexElement = PlainElement<std::complex<double>>;
using Int32Element = PlainElement<std::int32_t>;

struct HalfElement {
  using Storage = std::uint16_t;
  using Value = float;
  // Same result as half_bits_to_float, but without branches, because branches would prevent
  // vectorisation. The exponent and mantissa of a half, read as those of a float, denote 2^-112
  // times the half's value, also for subnormals.
  static float load(std::uint16_t x) {
    const float scaled = bit_cast<float>((x & 0x7FFFU) << 13) * 0x1p112f;
    const std::uint32_t bits = bit_cast<std::uint32_t>(scaled);
    const std::uint32_t special = (x & 0x7C00U) == 0x7C00U ? 0x7F800000U : 0U;
    return bit_cast<float>(bits | special | (x & 0x8000U) << 16);
  }
  static std::uint16_t store(float x) { return float_to_half_bits(x); }
};

struct Bfloat16Element {
  using Storage = std::uint16_t;
  using Value = float;
  static float load(std::uint16_t x) { return bfloat16_bits_to_float(x); }
  static std::uint16_t store(float x) { return float_to_bfloat16_bits(x); }
};

/// Calls `use` with the element type of a real or complex floating-point type; returns false for other types.
template <class Use>
bool with_float_element(simtDataType type, const Use& use) {
  switch (type) {
    case SIMT_R_16F: use(HalfElement()); return true;
    case SIMT_R_16BF: use(Bfloat16Element()); return true;
    case SIMT_R_32F: use(FloatElement()); return true;
    case SIMT_R_64F: use(DoubleElement()); return true;
    case SIMT_C_32F: use(ComplexElement()); return true;
    case SIMT_C_64F: use(DoubleComplexElement()); return true;
    default: return false;
  }
}

template <__nv_fp8_interpretation_t interpretation>
struct Fp8Element {
  using Storage = __nv_fp8_storage_t;
  using Value = float;
  static float load(__nv_fp8_storage_t x) {
    return half_bits_to_float(fp8_to_half_bits(x, interpretation == __NV_E4M3));
  }
  /// Saturates, as cuBLASLt's conversion does.
  static __nv_fp8_storage_t store(float x) {
    return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, interpretation);
  }
};

struct Int8Element {
  using Storage = std::int8_t;
  using Value = float;
  static float load(std::int8_t x) { return static_cast<float>(x); }
};

struct ComplexInt8Element {
  struct Storage {
    std::int8_t real;
    std::int8_t imaginary;
  };
  using Value = std::complex<float>;
  static std::complex<float> load(Storage x) {
    return {static_cast<float>(x.real), static_cast<float>(x.imaginary)};
  }
};

/// Size of an element in bytes; 0 for types that no function of simtblas accepts.
inline std::size_t element_size(simtDataType type) {
  switch (type) {
    case SIMT_R_8I:
    case SIMT_R_8F_E4M3:
    case SIMT_R_8F_E5M2: return 1;
    case SIMT_R_16F:
    case SIMT_R_16BF:
    case SIMT_C_8I: return 2;
    case SIMT_R_32F:
    case SIMT_R_32I: return 4;
    case SIMT_R_64F:
    case SIMT_C_32F: return 8;
    case SIMT_C_64F: return 16;
    default: return 0;
  }
}

inline const void* element_at(const void* base, simtDataType type, std::ptrdiff_t index) {
  return static_cast<const char*>(base) + index * static_cast<std::ptrdiff_t>(element_size(type));
}
inline void* element_at(void* base, simtDataType type, std::ptrdiff_t index) {
  return static_cast<char*>(base) + index * static_cast<std::ptrdiff_t>(element_size(type));
}

/// Calls `use` with the element type that corresponds to `type` in a computation of type Value. The
/// element type has load(), and may lack store(). The caller has checked that Value and `type` are
/// a valid combination.
template <class Value, class Use>
void with_input_element(simtDataType type, const Use& use) {
  if constexpr (std::is_same_v<Value, float>) {
    switch (type) {
      case SIMT_R_16F: return use(HalfElement());
      case SIMT_R_16BF: return use(Bfloat16Element());
      case SIMT_R_8I: return use(Int8Element());
      case SIMT_R_8F_E4M3: return use(Fp8Element<__NV_E4M3>());
      case SIMT_R_8F_E5M2: return use(Fp8Element<__NV_E5M2>());
      default: return use(FloatElement());
    }
  } else if constexpr (std::is_same_v<Value, std::complex<float>>) {
    if (type == SIMT_C_8I) {
      return use(ComplexInt8Element());
    }
    use(ComplexElement());
  } else {
    use(PlainElement<Value>());
  }
}

/// Like the function above, for types with both load() and store().
template <class Value, class Use>
void with_output_element(simtDataType type, const Use& use) {
  if constexpr (std::is_same_v<Value, float>) {
    switch (type) {
      case SIMT_R_16F: return use(HalfElement());
      case SIMT_R_16BF: return use(Bfloat16Element());
      case SIMT_R_8F_E4M3: return use(Fp8Element<__NV_E4M3>());
      case SIMT_R_8F_E5M2: return use(Fp8Element<__NV_E5M2>());
      default: return use(FloatElement());
    }
  } else {
    use(PlainElement<Value>());
  }
}

}  // namespace simtrt
