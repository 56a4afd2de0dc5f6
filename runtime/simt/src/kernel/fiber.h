// Fibers: stacks with a guard page, on which threads of a block wait for each other.
//
// Ownership: a FiberPool owns its fibers; a BlockScheduler owns the pool. A FiberQueue links fibers
// and owns none: a fiber is in at most one queue.
// Threads: a fiber, its pool and its queues belong to the worker that made them.
// set_fiber_stack_bytes() and fiber_stack_bytes() may be called by any thread.
// Memory ordering: fibers of one worker run on one thread of the operating system and need no
// atomics. The size of stacks is an atomic number that orders no other access; relaxed ordering
// would suffice.
#pragma once

#include "kernel/context.h"
#include "kernel/guarded_memory.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace simtrt {

/// Size in bytes of the stack of a kernel's thread: the value of simtLimitStackSize, by default 256
/// KiB.
std::size_t fiber_stack_bytes();
void set_fiber_stack_bytes(std::size_t bytes);

/// A stack with a suspended context.
class Fiber {
 public:
  /// Allocates a stack of `bytes` bytes with a guard page below it. Throws std::bad_alloc.
  Fiber(std::size_t bytes, void (*entry)());
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Discards the suspended context: the next switch to this fiber calls the entry again.
  void restart();

  /// Tells the sanitizers that the frames on the stack will not run again.
  void forget_frames();

  /// Suspends this fiber, which is running, and resumes `next`.
  void switch_to(Fiber& next);

  /// True if `address` lies in the guard page: the stack is then exhausted.
  bool guards(const void* address) const { return stack_ && stack_->guards_below(address); }
  void* stack_top() const { return stack_->end(); }

  /// Stack pointer of the suspended context.
  StackPointer suspended() const { return suspended_; }

  Fiber* next = nullptr;  ///< next fiber in the same queue

 protected:
  /// Fiber of a thread of the operating system, with the thread's own stack.
  Fiber();

 private:
  std::optional<GuardedMemory> stack_;  ///< empty for a NativeFiber
  void (*entry_)() = nullptr;
  StackPointer suspended_ = nullptr;
  // State of the sanitizers for this stack.
  void* fake_stack_ = nullptr;
  const void* stack_bottom_ = nullptr;
  std::size_t stack_size_ = 0;
  void* tsan_ = nullptr;

  friend void finish_switch();
};

/// Fiber of a worker, on the stack of the worker's operating-system thread. The worker switches to
/// it when no thread of a block can run.
class NativeFiber : public Fiber {
 public:
  NativeFiber() = default;
};

/// Called first in the entry function of a fiber: tells the sanitizers that the switch is complete.
void finish_switch();

/// First-in, first-out queue of fibers; each fiber has a pointer to the next.
class FiberQueue {
 public:
  bool empty() const { return head_ == nullptr; }
  void push(Fiber& fiber) {
    fiber.next = nullptr;
    (head_ == nullptr ? head_ : tail_->next) = &fiber;
    tail_ = &fiber;
  }
  /// Removes and returns the first fiber; null if the queue is empty.
  Fiber* pop() {
    Fiber* first = head_;
    if (first != nullptr) head_ = first->next;
    return first;
  }
  /// Appends all fibers of `other`, which becomes empty.
  void take(FiberQueue& other) {
    if (other.head_ == nullptr) return;
    (head_ == nullptr ? head_ : tail_->next) = other.head_;
    tail_ = other.tail_;
    other.head_ = nullptr;
  }
  void clear() { head_ = nullptr; }

 private:
  Fiber* head_ = nullptr;
  Fiber* tail_ = nullptr;
};

/// Fibers of one worker, reused by later blocks.
class FiberPool {
 public:
  FiberPool(std::size_t stack_bytes, void (*entry)()) : stack_bytes_(stack_bytes), entry_(entry) {}

  /// Sets the size of stacks in bytes. Precondition: no fiber is in use.
  void set_stack_bytes(std::size_t bytes);

  /// Returns an idle fiber. Throws std::bad_alloc.
  Fiber& take();
  void give_back(Fiber& fiber);

  /// Called after a fault: makes every fiber idle and discards the suspended contexts.
  void restart_all();

  /// Fiber whose guard page contains `address`, or null.
  Fiber* guarding(const void* address) const;

 private:
  std::size_t stack_bytes_;
  void (*entry_)();
  std::vector<std::unique_ptr<Fiber>> all_;
  Fiber* free_ = nullptr;
};

}  // namespace simtrt
