// Handles of the API: valid handles, and the objects behind them. An invalid or destroyed handle is
// recognised and causes an error, not a crash.
//
// Ownership: the table shares ownership of an object until its handle is removed. Calls in progress
// keep the object alive.
// Threads: any thread.
// Memory ordering: a shared mutex protects the table; there are no atomics.
#pragma once

#include <simt_runtime_api.h>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace simtrt {

/// Table that maps handles to objects.
template <class Handle, class Object>
class Handles {
 public:
  void add(Handle handle, std::shared_ptr<Object> object) {
    const std::unique_lock lock(mutex_);
    live_.emplace(handle, std::move(object));
  }

  /// Object of a handle; null for an invalid handle.
  std::shared_ptr<Object> find(Handle handle) const {
    const std::shared_lock lock(mutex_);
    const auto it = live_.find(handle);
    return it == live_.end() ? nullptr : it->second;
  }

  /// First object for which `predicate(object)` is true; null if there is none.
  template <class Predicate>
  std::shared_ptr<Object> find_if(Predicate predicate) const {
    const std::shared_lock lock(mutex_);
    for (const auto& [handle, object] : live_) {
      if (predicate(*object)) return object;
    }
    return nullptr;
  }

  /// Removes a handle and returns its object; null for an invalid handle.
  std::shared_ptr<Object> remove(Handle handle) {
    const std::unique_lock lock(mutex_);
    const auto it = live_.find(handle);
    if (it == live_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(it->second);
    live_.erase(it);
    return object;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<Handle, std::shared_ptr<Object>> live_;
};

}  // namespace simtrt
