// Access to the attributes of simtblasLt's opaque structs, whose types and places tables list.
#pragma once

#include <simtblasLt.h>

#include <cstddef>
#include <cstring>

namespace simtrt {

/// Offset and size of an attribute's value in its descriptor.
struct LtAttribute {
  int number;
  std::size_t offset;
  std::size_t size;
};

#define LT_ATTRIBUTE(number, Descriptor, member) \
  {number, offsetof(Descriptor, member), sizeof(Descriptor::member)}

template <std::size_t count>
const LtAttribute* find_attribute(const LtAttribute (&attributes)[count], int number) {
  for (const LtAttribute& attribute : attributes) {
    if (attribute.number == number) return &attribute;
  }
  return nullptr;
}

/// SetAttribute of a struct `Opaque`: INVALID_VALUE for an unknown attribute and another size than that of the value.
template <class Opaque, std::size_t count>
simtblasStatus_t set_attribute(Opaque* opaque, const LtAttribute (&attributes)[count], int number, const void* value,
                               std::size_t size) {
  const LtAttribute* const attribute = find_attribute(attributes, number);
  if (opaque == nullptr || value == nullptr || attribute == nullptr || size != attribute->size) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(reinterpret_cast<char*>(opaque->data) + attribute->offset, value, size);
  return SIMTBLAS_STATUS_SUCCESS;
}

/// GetAttribute of a struct that contains `data`. If `size` is 0, only the size of the value is written.
template <std::size_t count>
simtblasStatus_t get_attribute(const void* data, const LtAttribute (&attributes)[count], int number, void* value,
                               std::size_t size, std::size_t* written) {
  const LtAttribute* const attribute = find_attribute(attributes, number);
  if (data == nullptr || attribute == nullptr || (size == 0 && written == nullptr) ||
      (size != 0 && (value == nullptr || size < attribute->size))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (size != 0) {
    std::memcpy(value, static_cast<const char*>(data) + attribute->offset, attribute->size);
  }
  if (written != nullptr) *written = attribute->size;
  return SIMTBLAS_STATUS_SUCCESS;
}

}  // namespace simtrt
