// Combinations of matrix, scalar and computation types that cuBLAS's gemm accepts.
#pragma once

#include <cstring>
#include <optional>

#include "blas/context.h"
#include "blas/elements.h"

namespace simtrt {

/// Type of the computation. Every real matrix type of at most 32 bits is computed in float.
enum class GemmValue { kFloat, kDouble, kComplexFloat, kComplexDouble, kInt32 };

struct GemmTypes {
  GemmValue value;
  simtDataType scale;  // type of alpha and beta
};

/// Types of a gemm; empty if cuBLAS returns NOT_SUPPORTED. Source: the table of cublasGemmEx in the
/// cuBLAS 12.4 documentation.
std::optional<GemmTypes> gemm_types(simtblasComputeType_t compute, simtDataType a, simtDataType b,
                                    simtDataType c);

/// Compute type that corresponds to a data type in the functions of cuBLAS 10.
std::optional<simtblasComputeType_t> compute_type_of(simtDataType type);

/// alpha or beta with a type known at run time: the bytes of its value, or its address on the
/// device.
class AnyScalar {
 public:
  AnyScalar(bool on_device, const void* pointer, simtDataType type)
      : device_(on_device ? pointer : nullptr), type_(type) {
    if (!on_device) {
      std::memcpy(bytes_, pointer, element_size(type));
    }
  }

  /// True if the value is already known to be zero at the time of the call.
  bool known_zero() const {
    constexpr unsigned char zero[sizeof bytes_] = {};
    return device_ == nullptr && std::memcmp(bytes_, zero, sizeof bytes_) == 0;
  }

  /// The scalar as a Value; half and bfloat16 are converted to float.
  template <class Value>
  Value read() const {
    const void* const source = device_ != nullptr ? device_ : bytes_;
    if constexpr (std::is_same_v<Value, float>) {
      if (type_ == SIMT_R_16F) {
        std::uint16_t half;
        std::memcpy(&half, source, sizeof half);
        return HalfElement::load(half);
      }
      if (type_ == SIMT_R_16BF) {
        std::uint16_t bits;
        std::memcpy(&bits, source, sizeof bits);
        return Bfloat16Element::load(bits);
      }
    }
    Value value;
    std::memcpy(&value, source, sizeof value);
    return value;
  }

 private:
  const void* device_;
  simtDataType type_;
  alignas(16) unsigned char bytes_[16] = {};
};

}  // namespace simtrt
