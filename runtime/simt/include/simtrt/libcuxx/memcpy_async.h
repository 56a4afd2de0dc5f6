// cuda::memcpy_async: copies by the calling threads. The copy is complete when the call returns; a
// barrier or pipeline therefore orders it like any other write.
#pragma once

#include <cstddef>
#include <cstring>

namespace simtrt {

/// The calling thread's part of a copy that the threads of `group` share.
template <class Group>
void copy_part(const Group& group, void* to, const void* from, std::size_t size) {
  const std::size_t threads = group.size(), rank = group.thread_rank();
  const std::size_t begin = size * rank / threads, end = size * (rank + 1) / threads;
  std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
}

}  // namespace simtrt

namespace cuda {

/// Size in bytes with a promise about the alignment of both pointers.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  explicit constexpr aligned_size_t(::std::size_t size) : value(size) {}
  constexpr operator ::std::size_t() const { return value; }
};

/// Result of memcpy_async of libcu++: `none` says that the copy is already complete.
enum async_contract_fulfillment { none, async };

template <class T, class Size, class Tracker>
async_contract_fulfillment memcpy_async(T* to, const T* from, Size size, Tracker&) {
  ::std::memcpy(static_cast<void*>(to), static_cast<const void*>(from),
                static_cast<::std::size_t>(size));
  return none;
}
template <class Group, class T, class Size, class Tracker>
async_contract_fulfillment memcpy_async(const Group& group, T* to, const T* from, Size size,
                                        Tracker&) {
  simtrt::copy_part(group, to, from, static_cast<::std::size_t>(size));
  return none;
}
template <class Size, class Tracker>
async_contract_fulfillment memcpy_async(void* to, const void* from, Size size, Tracker&) {
  ::std::memcpy(to, from, static_cast<::std::size_t>(size));
  return none;
}
template <class Group, class Size, class Tracker>
async_contract_fulfillment memcpy_async(const Group& group, void* to, const void* from, Size size,
                                        Tracker&) {
  simtrt::copy_part(group, to, from, static_cast<::std::size_t>(size));
  return none;
}

}  // namespace cuda
