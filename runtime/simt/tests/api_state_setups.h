// Code shared by the files that put a process into a state and make a call.
#pragma once

#include "api_states.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace api_states {

inline void must(simtError_t error, const char* what) {
  if (error == simtSuccess) return;
  std::fprintf(stderr, "api_states: %s: %s\n", what, simtGetErrorName(error));
  std::exit(2);
}
#define MUST(...) must(__VA_ARGS__, #__VA_ARGS__)

/// Work that waits until it is released. Lives as long as the process.
class Hold {
 public:
  static Hold& instance() {
    static Hold& hold = *new Hold();
    return hold;
  }
  /// Makes all later work of the stream wait.
  void put_on(simtStream_t stream) {
    is_held_ = true;
    MUST(simtLaunchHostFunc(
        stream,
        [](void* hold) {
          auto& own = *static_cast<Hold*>(hold);
          std::unique_lock lock(own.mutex_);
          own.changed_.wait(lock, [&] { return !own.is_held_; });
        },
        this));
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }
  bool is_held() const { return is_held_; }

 private:
  std::atomic<bool> is_held_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

/// Creates the objects that exist in every state.
void prepare(Subject& subject);
/// Puts the process into a state. Ends the process with a message for an unknown state.
void enter(const std::string& state, Subject& subject);
simtStream_t new_stream(unsigned flags = simtStreamNonBlocking);

}  // namespace api_states
