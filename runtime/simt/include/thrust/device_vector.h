// thrust::device_vector: growing array in device memory (simtMalloc).
#pragma once

#include <simtrt/thrust/vector.h>

#include <memory>
#include <vector>

THRUST_NAMESPACE_BEGIN

/// Has the members of std::vector. The allocator is ignored.
template <class T, class Allocator = device_allocator<T>>
class device_vector : public detail::Vector<T, detail::DeviceMemory<T>> {
  using Base = detail::Vector<T, detail::DeviceMemory<T>>;

 public:
  using allocator_type = Allocator;

  using Base::Base;
  using Base::operator=;
  device_vector() = default;
  template <class U, class OtherAllocator>
  device_vector(const std::vector<U, OtherAllocator>& other) : Base(other.begin(), other.end()) {}
  template <class U, class OtherMemory>
  device_vector(const detail::Vector<U, OtherMemory>& other) : Base(other) {}

  template <class U, class OtherAllocator>
  device_vector& operator=(const std::vector<U, OtherAllocator>& other) {
    this->assign(other.begin(), other.end());
    return *this;
  }
};

namespace system {
namespace cuda {

template <class T>
using vector = device_vector<T>;

}  // namespace cuda
}  // namespace system

namespace cuda {

using system::cuda::vector;

}  // namespace cuda

THRUST_NAMESPACE_END
