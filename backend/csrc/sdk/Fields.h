#pragma once

#include <type_traits>

// Structs of the vendor's runtime lack some of CUDA's fields in some SDKs: HIP 5.2 has no
// `hipPointerAttribute_t::type`, and no `uuid` in `hipDeviceProp_t`.
namespace at::cuda::backend {

/// Value of a field that the SDK's struct may lack, else `otherwise`. `read` is a generic lambda
/// with a return type that names the field:
/// `[](const auto& known) -> decltype(known.integrated) { return known.integrated; }`.
template <class Struct, class Read, class Value>
Value fieldOr(const Struct& known, Read read, Value otherwise) {
  if constexpr (std::is_invocable_v<Read, const Struct&>) {
    return static_cast<Value>(read(known));
  } else {
    return otherwise;
  }
}

}  // namespace at::cuda::backend

/// Value of the field `name`, or `otherwise` if the SDK's struct lacks the field.
#define BACKEND_FIELD_OR(known, name, otherwise)                                               \
  ::at::cuda::backend::fieldOr(                                                                \
      known, [](const auto& given) -> decltype(given.name) { return given.name; }, otherwise)
