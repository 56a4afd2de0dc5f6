// Asynchronous copies, and reductions and scans that update a value in memory. CUDA C++ Programming
// Guide, "Cooperative Groups", sections "memcpy_async", "reduce" and "inclusive_scan".
// simt_cooperative_groups.h includes this file.
#pragma once

#include <simtrt/libcuxx/memcpy_async.h>

#include <cstddef>
#include <type_traits>

namespace cooperative_groups {

/// Copies `size` bytes; the threads of the group share the copy. wait() ends the copy.
template <class Group, class T, class Size>
void memcpy_async(const Group& group, T* to, const T* from, const Size& size) {
  simtrt::copy_part(group, to, from, static_cast<std::size_t>(size));
}
template <class Group, class Size>
void memcpy_async(const Group& group, void* to, const void* from, const Size& size) {
  simtrt::copy_part(group, to, from, static_cast<std::size_t>(size));
}
/// Copies as many elements as fit into both layouts; a layout is a number of elements.
template <class Group, class T, class ToLayout, class FromLayout>
void memcpy_async(const Group& group, T* to, const ToLayout& to_layout, const T* from,
                  const FromLayout& from_layout) {
  const std::size_t there = static_cast<std::size_t>(to_layout);
  const std::size_t here = static_cast<std::size_t>(from_layout);
  simtrt::copy_part(group, to, from, (there < here ? there : here) * sizeof(T));
}
/// Waits for all copies of the group.
template <class Group>
void wait(const Group& group) {
  group.sync();
}
/// Waits for all copies of the group but the last `Prior`; on this target for all copies.
template <unsigned Prior, class Group>
void wait_prior(const Group& group) {
  group.sync();
}

/// Combines the values of the group into `*to`. The caller synchronises before it reads `*to`.
template <class Group, class T, class Combine>
void reduce_store_async(const Group& group, T* to, T value, Combine combine) {
  const T result = reduce(group, value, combine);
  if (group.thread_rank() == 0) *to = result;
}
/// Combines the values of the group with an atomic value.
template <class Group, class Atomic, class T, class Combine>
void reduce_update_async(const Group& group, Atomic& atomic, T value, Combine combine) {
  const T result = reduce(group, value, combine);
  if (group.thread_rank() != 0) return;
  T seen = atomic.load();
  while (!atomic.compare_exchange_weak(seen, static_cast<T>(combine(seen, result)))) {
  }
}

/// Scan that begins with an atomic value, and then combines the value with the group's sum.
template <class Group, class Atomic, class T, class Combine>
T inclusive_scan_update(const Group& group, Atomic& atomic, T value, Combine combine) {
  const T scanned = inclusive_scan(group, value, combine);
  const T sum = group.shfl(scanned, static_cast<int>(group.size()) - 1);
  T before{};
  if (group.thread_rank() == 0) {
    before = atomic.load();
    while (!atomic.compare_exchange_weak(before, static_cast<T>(combine(before, sum)))) {
    }
  }
  return combine(group.shfl(before, 0), scanned);
}
template <class Group, class Atomic, class T, class Combine>
T exclusive_scan_update(const Group& group, Atomic& atomic, T value, Combine combine) {
  const T scanned = inclusive_scan(group, value, combine);
  const T sum = group.shfl(scanned, static_cast<int>(group.size()) - 1);
  const T earlier = group.shfl_up(scanned, 1);
  T before{};
  if (group.thread_rank() == 0) {
    before = atomic.load();
    while (!atomic.compare_exchange_weak(before, static_cast<T>(combine(before, sum)))) {
    }
  }
  const T start = group.shfl(before, 0);
  return group.thread_rank() == 0 ? start : combine(start, earlier);
}
template <class Group, class Atomic, class T>
T inclusive_scan_update(const Group& group, Atomic& atomic, T value) {
  return inclusive_scan_update(group, atomic, value, plus<T>());
}
template <class Group, class Atomic, class T>
T exclusive_scan_update(const Group& group, Atomic& atomic, T value) {
  return exclusive_scan_update(group, atomic, value, plus<T>());
}

/// Calls the function on one thread of the group.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
/// The same; every thread receives the function's result.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  std::decay_t<decltype(function(static_cast<Arguments&&>(arguments)...))> result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
