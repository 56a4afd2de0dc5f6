#include "streams/helping_thread.h"

#include "check/settings.h"
#include "kernel/block_scheduler.h"
#include "streams/device.h"

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace simtrt {
namespace {

/// Space that work outside of kernels may need; kernels run on stacks of their own.
constexpr std::size_t kStackBytes = 512 * 1024;

/// Bounds of the calling thread's own stack; both 0 if they are unknown.
struct StackBounds {
  StackBounds() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* lowest = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    begin = reinterpret_cast<std::uintptr_t>(lowest);
    end = begin + bytes;
  }

  /// True if the caller runs on this stack, with enough space: not on the stack of a coroutine or of a signal handler.
  bool has_space() const {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return here < end && here >= begin + kStackBytes;
  }

  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

thread_local HelpingThread* own = nullptr;

}  // namespace

bool HelpingThread::can_help() {
  if (check::active || RuntimeThread::current() != nullptr || BlockScheduler::current() != nullptr)
    return false;
  static thread_local const StackBounds stack;
  return stack.has_space();
}

HelpingThread::HelpingThread(const std::shared_ptr<Runnable>& stream) {
  if (!Workers::instance().begin_help(*stream)) return;
  try {
    thread_.emplace(RuntimeThread::StartedBy::kProgram);
  } catch (const std::bad_alloc&) {
    Workers::instance().end_help();
    Workers::instance().put(stream);
    return;
  }
  own = this;
  device_ = Device::current_ordinal();
  std::fegetenv(&arithmetic_);
  std::fesetenv(FE_DFL_ENV);
}

HelpingThread::~HelpingThread() {
  if (!helps()) return;
  own = nullptr;
  Workers::instance().end_help();
  for (const auto& work : afterwards_) work();
  std::fesetenv(&arithmetic_);
  Device::set_current(device_);
}

bool HelpingThread::afterwards(const std::function<void()>& work) {
  if (own == nullptr) return false;
  own->afterwards_.push_back(work);
  return true;
}

}  // namespace simtrt
