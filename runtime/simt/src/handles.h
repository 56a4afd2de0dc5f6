// Handles of the API: the live ones, and the objects behind them. A handle that was destroyed, or
// never was one, is recognised and is an error, not a crash.
//
// Ownership: the table shares ownership of an object until its handle is removed. Calls in progress
// keep the object alive.
// Threads: any thread. Memory ordering: a shared mutex; there are no atomics.
#pragma once

#include <simt_runtime_api.h>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace simtrt {

/// Live objects by their handle.
template <class Handle, class Object>
class Handles {
 public:
  void add(Handle handle, std::shared_ptr<Object> object) {
    const std::unique_lock lock(mutex_);
    live_.emplace(handle, std::move(object));
  }

  /// Null where the handle is not alive.
  std::shared_ptr<Object> find(Handle handle) const {
    const std::shared_lock lock(mutex_);
    const auto it = live_.find(handle);
    return it == live_.end() ? nullptr : it->second;
  }

  /// One for which `predicate(object)` holds; null where there is none.
  template <class Predicate>
  std::shared_ptr<Object> find_if(Predicate predicate) const {
    const std::shared_lock lock(mutex_);
    for (const auto& [handle, object] : live_) {
      if (predicate(*object)) return object;
    }
    return nullptr;
  }

  /// What it stood for; null where the handle is not alive.
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
