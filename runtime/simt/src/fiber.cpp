#include "fiber.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

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

// The two ends of the switch that is under way on this thread.
thread_local Fiber* switched_from = nullptr;
thread_local Fiber* switched_to = nullptr;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

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

Fiber::Fiber(std::size_t bytes, void (*entry)()) : entry_(entry) {
  const std::size_t page = page_size();
  mapped_ = (bytes + page - 1) / page * page + page;
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  if (mprotect(mapping_, page, PROT_NONE) != 0) {
    munmap(mapping_, mapped_);
    throw std::bad_alloc();
  }
  stack_bottom_ = static_cast<char*>(mapping_) + page;
  stack_size_ = mapped_ - page;
  restart();
}

Fiber::~Fiber() {
  if (mapping_ == nullptr) return;
#ifdef SIMTRT_TSAN
  __tsan_destroy_fiber(tsan_);
#endif
  munmap(mapping_, mapped_);
}

void Fiber::restart() {
  suspended_ = make_context(stack_top(), entry_);
  idle = true;
  fake_stack_ = nullptr;
#ifdef SIMTRT_ASAN
  __asan_unpoison_memory_region(stack_bottom_, stack_size_);
#endif
#ifdef SIMTRT_TSAN
  if (tsan_ != nullptr) __tsan_destroy_fiber(tsan_);
  tsan_ = __tsan_create_fiber(0);
#endif
}

bool Fiber::guards(const void* address) const {
  const auto* byte = static_cast<const char*>(address);
  const auto* guard = static_cast<const char*>(mapping_);
  return guard != nullptr && byte >= guard && byte < guard + page_size();
}

void Fiber::switch_to(Fiber& next) {
#if defined(SIMTRT_ASAN) || defined(SIMTRT_TSAN)
  switched_from = this;
  switched_to = &next;
#endif
#ifdef SIMTRT_ASAN
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
  // Where the thread's own stack lies is learnt from the first switch away from it.
  switched_from->stack_bottom_ = bottom;
  switched_from->stack_size_ = size;
#endif
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
