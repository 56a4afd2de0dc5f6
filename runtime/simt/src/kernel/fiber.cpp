#include "kernel/fiber.h"

#include <pthread.h>

#include <atomic>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define SIMTRT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMTRT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SIMTRT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIMTRT_TSAN 1
#endif
#endif

#ifdef SIMTRT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef SIMTRT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace simtrt {
namespace {

std::atomic<std::size_t> stack_bytes{256 * 1024};

}  // namespace

std::size_t fiber_stack_bytes() { return stack_bytes.load(); }
void set_fiber_stack_bytes(std::size_t bytes) { stack_bytes.store(bytes); }

#ifdef SIMTRT_ASAN
namespace {

// Fibers of the switch in progress on this thread: the suspended and the resumed fiber.
thread_local Fiber* switched_from = nullptr;
thread_local Fiber* switched_to = nullptr;

}  // namespace
#endif

Fiber::Fiber() {
#ifdef SIMTRT_ASAN
  pthread_attr_t attributes;
  void* bottom = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &bottom, &stack_size_);
    pthread_attr_destroy(&attributes);
  }
  stack_bottom_ = bottom;
#endif
#ifdef SIMTRT_TSAN
  tsan_ = __tsan_get_current_fiber();
#endif
}

Fiber::Fiber(std::size_t bytes, void (*entry)()) : stack_(std::in_place, bytes), entry_(entry) {
  stack_bottom_ = stack_->begin();
  stack_size_ = stack_->size();
  restart();
}

Fiber::~Fiber() {
#ifdef SIMTRT_TSAN
  if (stack_) __tsan_destroy_fiber(tsan_);
#endif
}

void Fiber::restart() {
  suspended_ = make_context(stack_top(), entry_);
  fake_stack_ = nullptr;
  forget_frames();
#ifdef SIMTRT_TSAN
  if (tsan_ != nullptr) __tsan_destroy_fiber(tsan_);
  tsan_ = __tsan_create_fiber(0);
#endif
}

void Fiber::forget_frames() {
#ifdef SIMTRT_ASAN
  __asan_unpoison_memory_region(stack_bottom_, stack_size_);
#endif
}

void Fiber::switch_to(Fiber& next) {
#ifdef SIMTRT_ASAN
  switched_from = this;
  switched_to = &next;
  __sanitizer_start_switch_fiber(&fake_stack_, next.stack_bottom_, next.stack_size_);
#endif
#ifdef SIMTRT_TSAN
  __tsan_switch_to_fiber(next.tsan_, 0);
#endif
  simtrt_switch_context(&suspended_, next.suspended_);
  finish_switch();
}

void finish_switch() {
#ifdef SIMTRT_ASAN
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(switched_to->fake_stack_, &bottom, &size);
  // The sanitizer reports the bounds of the stack that the switch has left; for the thread's own
  // stack, this is the only source of its bounds.
  switched_from->stack_bottom_ = bottom;
  switched_from->stack_size_ = size;
#endif
}

void FiberPool::set_stack_bytes(std::size_t bytes) {
  if (bytes == stack_bytes_) return;
  stack_bytes_ = bytes;
  free_ = nullptr;
  all_.clear();
}

Fiber& FiberPool::take() {
  if (free_ == nullptr) {
    all_.push_back(std::make_unique<Fiber>(stack_bytes_, entry_));
    return *all_.back();
  }
  Fiber& fiber = *free_;
  free_ = fiber.next;
  return fiber;
}

void FiberPool::give_back(Fiber& fiber) {
  fiber.next = free_;
  free_ = &fiber;
}

void FiberPool::restart_all() {
  free_ = nullptr;
  for (const auto& fiber : all_) {
    fiber->restart();
    give_back(*fiber);
  }
}

Fiber* FiberPool::guarding(const void* address) const {
  for (const auto& fiber : all_) {
    if (fiber->guards(address)) return fiber.get();
  }
  return nullptr;
}

}  // namespace simtrt
