// thrust::host_vector: growing array in host memory.
#pragma once

#include <simtrt/thrust/vector.h>

#include <memory>
#include <vector>

THRUST_NAMESPACE_BEGIN

/// Has the members of std::vector. The allocator is ignored.
template <class T, class Allocator = std::allocator<T>>
class host_vector : public detail::Vector<T, detail::HostMemory<T>> {
  using Base = detail::Vector<T, detail::HostMemory<T>>;

 public:
  using allocator_type = Allocator;

  using Base::Base;
  using Base::operator=;
  host_vector() = default;
  template <class U, class OtherAllocator>
  host_vector(const std::vector<U, OtherAllocator>& other) : Base(other.begin(), other.end()) {}
  template <class U, class OtherMemory>
  host_vector(const detail::Vector<U, OtherMemory>& other) : Base(other) {}

  template <class U, class OtherAllocator>
  host_vector& operator=(const std::vector<U, OtherAllocator>& other) {
    this->assign(other.begin(), other.end());
    return *this;
  }
};

THRUST_NAMESPACE_END
