// Fibers: stacks with a guard page, on which threads of a block wait for each other.
//
// Ownership: a FiberPool owns its fibers; a BlockScheduler owns the pool. A FiberQueue links fibers
// and owns none: a fiber is in one queue at most.
// Threads: a fiber, its pool and its queues belong to the worker that made them.
// set_fiber_stack_bytes() and fiber_stack_bytes() may be called by any thread.
// Memory ordering: fibers of one worker run on one thread of the operating system and need no
// atomics. The size of stacks is one atomic number that orders nothing else; relaxed would be
// enough.
#pragma once

#include "kernel/context.h"
#include "kernel/guarded_memory.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace simtrt {

/// Size of a thread's stack in a kernel, in bytes: simtLimitStackSize, 256 KiB until it is set.
std::size_t fiber_stack_bytes();
void set_fiber_stack_bytes(std::size_t bytes);

/// One stack and what is suspended on it.
class Fiber {
 public:
  /// Maps a stack of `bytes` with a guard page below it. Throws std::bad_alloc.
  Fiber(std::size_t bytes, void (*entry)());
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Forgets what is suspended here: the next switch to it calls the entry anew.
  void restart();

  /// Tells the sanitizers that nothing on the stack counts any more.
  void forget_frames();

  /// Suspends this fiber, which runs, and goes on with `next`.
  void switch_to(Fiber& next);

  /// True if `address` lies in the guard page, so that the stack is exhausted.
  bool guards(const void* address) const { return stack_ && stack_->guards_below(address); }
  void* stack_top() const { return stack_->end(); }

  Fiber* next = nullptr;  ///< in the one list that holds it

 protected:
  /// A fiber that stands for a thread of the operating system, with the stack it has.
  Fiber();

 private:
  std::optional<GuardedMemory> stack_;  ///< none where the thread of the operating system brings it
  void (*entry_)() = nullptr;
  StackPointer suspended_ = nullptr;
  // State of the sanitizers for this stack.
  void* fake_stack_ = nullptr;
  const void* stack_bottom_ = nullptr;
  std::size_t stack_size_ = 0;
  void* tsan_ = nullptr;

  friend void finish_switch();
};

/// The thread of the operating system itself, as a fiber to come back to.
class NativeFiber : public Fiber {
 public:
  NativeFiber() = default;
};

/// To be called first by an entry: tells the sanitizers that the switch has arrived.
void finish_switch();

/// Fibers in first-in, first-out order, linked through themselves.
class FiberQueue {
 public:
  bool empty() const { return head_ == nullptr; }
  void push(Fiber& fiber) {
    fiber.next = nullptr;
    (head_ == nullptr ? head_ : tail_->next) = &fiber;
    tail_ = &fiber;
  }
  /// Null where there is none.
  Fiber* pop() {
    Fiber* first = head_;
    if (first != nullptr) head_ = first->next;
    return first;
  }
  /// Appends all of `other`, which is empty after that.
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

/// The fibers of one worker, kept for the next block.
class FiberPool {
 public:
  FiberPool(std::size_t stack_bytes, void (*entry)()) : stack_bytes_(stack_bytes), entry_(entry) {}

  /// From now on stacks have this size. Only while no fiber is in use.
  void set_stack_bytes(std::size_t bytes);

  /// An idle fiber. Throws std::bad_alloc.
  Fiber& take();
  void give_back(Fiber& fiber);

  /// After a fault: every fiber is idle again, and what was suspended on them is forgotten.
  void restart_all();

  /// The fiber whose guard page holds `address`, or null.
  Fiber* guarding(const void* address) const;

 private:
  std::size_t stack_bytes_;
  void (*entry_)();
  std::vector<std::unique_ptr<Fiber>> all_;
  Fiber* free_ = nullptr;
};

}  // namespace simtrt
