// Element types of sparse matrices, and scalars whose type is known at run time.
#pragma once

#include <complex>
#include <cstring>
#include <type_traits>

#include "blas/elements.h"
#include "sparse/context.h"

namespace simtrt {

inline bool is_element_type(simtDataType type) {
  return with_float_element(type, [](auto) {});
}

/// Type in which products of matrices of `type` are computed.
inline simtDataType product_type(simtDataType type) {
  return type == SIMT_R_16F || type == SIMT_R_16BF ? SIMT_R_32F : type;
}

template <class Value>
Value conjugate_if(bool conjugated, Value value) {
  if constexpr (std::is_floating_point_v<Value>) {
    return value;
  } else {
    return conjugated ? std::conj(value) : value;
  }
}

/// alpha or beta with a type known at run time: the bytes of its value, or its address on the
/// device.
class SparseScalar {
 public:
  SparseScalar(const SparseContext& context, const void* pointer, simtDataType type)
      : device_(context.scalars_on_device() ? pointer : nullptr), type_(type) {
    if (device_ == nullptr) {
      std::memcpy(bytes_, pointer, element_size(type));
    }
  }

  /// The scalar as a Value; 16-bit numbers are converted to float.
  template <class Value>
  Value read() const {
    const void* const source = device_ != nullptr ? device_ : bytes_;
    Value value{};
    with_float_element(type_, [&](auto element) {
      using Element = decltype(element);
      if constexpr (std::is_same_v<typename Element::Value, Value>) {
        typename Element::Storage stored;
        std::memcpy(&stored, source, sizeof stored);
        value = Element::load(stored);
      }
    });
    return value;
  }

 private:
  const void* device_;
  simtDataType type_;
  alignas(16) unsigned char bytes_[16] = {};
};

}  // namespace simtrt
