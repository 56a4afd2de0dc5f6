// Objects that each thread of the operating system has once, such as the stacks on which it runs
// kernels.
//
// Ownership: a key of pthread owns the object of each thread.
// Threads: each object belongs to one thread. Memory ordering: there are no atomics.
#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace simtrt {

/// The calling thread's object of class T, made at the first call. Throws std::bad_alloc.
///
/// When the thread ends, the object is destroyed after all thread_local variables. It is not destroyed by exit(), unlike
/// them: a signal handler may call exit() on a stack that belongs to the object.
template <class T>
T& object_of_thread() {
  static thread_local T* object = nullptr;
  if (object != nullptr) return *object;
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    const auto destroy = [](void* given) {
      object = nullptr;
      delete static_cast<T*>(given);
    };
    if (pthread_key_create(&made, destroy) != 0) throw std::bad_alloc();
    return made;
  }();
  auto made = std::make_unique<T>();
  if (pthread_setspecific(key, made.get()) != 0) throw std::bad_alloc();
  object = made.release();
  return *object;
}

}  // namespace simtrt
