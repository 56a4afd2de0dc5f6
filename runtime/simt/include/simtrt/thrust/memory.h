// Device memory of thrust, allocated by simtMalloc.
//
// Ownership: the caller frees its allocations through the resource or allocator that made them.
// Threads and memory ordering: as for simtMalloc and simtFree, which any thread may call.
#pragma once

#include <simtrt/thrust/pointer.h>

#include <cstdlib>
#include <limits>
#include <new>

THRUST_NAMESPACE_BEGIN

/// Memory for `bytes` bytes. Throws std::bad_alloc.
inline device_ptr<void> device_malloc(std::size_t bytes) {
  void* memory = nullptr;
  if (simtMalloc(&memory, bytes) != simtSuccess) {
    static_cast<void>(simtGetLastError());
    throw std::bad_alloc();
  }
  return device_ptr<void>(memory);
}

/// Memory for `count` values, which are not constructed. Throws std::bad_alloc.
template <class T>
device_ptr<T> device_malloc(std::size_t count) {
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
  return device_ptr<T>(static_cast<T*>(device_malloc(count * sizeof(T)).get()));
}

/// Frees memory by simtFree, which waits for the device. Throws thrust::system_error if simtFree
/// rejects the pointer.
template <class T>
void device_free(device_ptr<T> pointer) {
  detail::check_device(simtFree(const_cast<std::remove_cv_t<T>*>(pointer.get())));
}

/// Constructs `count` value-initialised values.
template <class T>
device_ptr<T> device_new(std::size_t count = 1) {
  const device_ptr<T> values = device_malloc<T>(count);
  for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void*>(values.get() + i)) T();
  return values;
}
/// Constructs `count` copies of `value` at `place`.
template <class T>
device_ptr<T> device_new(device_ptr<void> place, const T& value, std::size_t count = 1) {
  const device_ptr<T> values(static_cast<T*>(place.get()));
  for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void*>(values.get() + i)) T(value);
  return values;
}
template <class T>
void device_delete(device_ptr<T> pointer, std::size_t count = 1) {
  for (std::size_t i = 0; i < count; ++i) pointer.get()[i].~T();
  device_free(pointer);
}

/// Allocator of device memory. Its functions do not run in stream order; containers wait for the
/// default stream themselves.
template <class T>
class device_allocator {
 public:
  using value_type = T;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  template <class U>
  struct rebind {
    using other = device_allocator<U>;
  };

  device_allocator() = default;
  template <class U>
  device_allocator(const device_allocator<U>&) {}

  pointer allocate(size_type count) { return device_malloc<T>(count); }
  void deallocate(pointer memory, size_type) { device_free(memory); }
  size_type max_size() const { return std::numeric_limits<size_type>::max() / sizeof(T); }

  friend bool operator==(const device_allocator&, const device_allocator&) { return true; }
  friend bool operator!=(const device_allocator&, const device_allocator&) { return false; }
};

template <class T>
using device_malloc_allocator = device_allocator<T>;

/// Allocates memory on the system of `policy`: a device_ptr or a host pointer. Throws std::bad_alloc.
template <class T = void, class Policy>
auto malloc(const Policy&, std::size_t count) {
  constexpr std::size_t kSize = sizeof(std::conditional_t<std::is_void<T>::value, char, T>);
  if constexpr (std::is_base_of<detail::DevicePolicy, Policy>::value) {
    return device_ptr<T>(static_cast<T*>(device_malloc(count * kSize).get()));
  } else {
    void* memory = std::malloc(count * kSize);
    if (memory == nullptr && count != 0) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
}

template <class Policy, class Pointer>
void free(const Policy&, Pointer pointer) {
  if constexpr (std::is_base_of<detail::DevicePolicy, Policy>::value) {
    device_free(device_pointer_cast(raw_pointer_cast(pointer)));
  } else {
    std::free(pointer);
  }
}

namespace system {
namespace cuda {

template <class T>
using pointer = device_ptr<T>;
template <class T>
using reference = device_reference<T>;
template <class T>
using allocator = device_allocator<T>;

inline device_ptr<void> malloc(std::size_t bytes) { return device_malloc(bytes); }
template <class T>
device_ptr<T> malloc(std::size_t count) {
  return device_malloc<T>(count);
}
template <class T>
void free(device_ptr<T> pointer) {
  device_free(pointer);
}

}  // namespace cuda
}  // namespace system

namespace cuda {

using system::cuda::allocator;
using system::cuda::free;
using system::cuda::malloc;
using system::cuda::pointer;
using system::cuda::reference;

}  // namespace cuda

THRUST_NAMESPACE_END
