// Functions of the threads of one block: barriers, dynamic shared memory, fences, clock,
// __nanosleep, assert.
// CUDA C++ Programming Guide, "Synchronization Functions".
//
// Ownership: dynamic shared memory belongs to the scheduler of the worker that runs the block. A
// pointer into it is valid until the block ends.
// Threads: threads of a running kernel. A call outside of a kernel ends the process with a message.
// Memory ordering: a barrier of a block needs no atomics, since all threads of the block run on one
// thread of the operating system. The fences are sequentially consistent, as __threadfence is in
// CUDA; with the relaxed atomics of atomic.h they order memory between blocks.
#pragma once

#include <simtrt/config.h>
#include <simtrt/kernel/qualifiers.h>

#include <cstddef>
#include <ctime>

namespace simtrt {

/// Result that a barrier of a block computes from the predicates of its threads.
enum class Barrier : unsigned char { kPlain, kCount, kAnd, kOr };

/// Waits until all threads of the block that have not returned arrive; returns the result of
/// `kind`.
SIMTRT_EXPORT int block_barrier(Barrier kind, bool predicate);

/// Arrives at the barrier `number` of the block, on which `count` threads meet (0: all threads that have not returned). A
/// thread that `waits` returns after the last arrival, with the result of `kind`.
SIMTRT_EXPORT int named_barrier(unsigned number, unsigned count, Barrier kind, bool predicate,
                                bool waits);

/// Dynamic shared memory of the running block, aligned to 1024 bytes. A call outside of a kernel
/// ends the process with a message, because a reference bound at namespace scope would silently be
/// invalid.
SIMTRT_EXPORT void* dynamic_shared();

/// Size in bytes of the dynamic shared memory of the running block's launch.
SIMTRT_EXPORT std::size_t dynamic_shared_size();

/// Waits until all threads of the grid arrive. The call is a fault unless
/// simtLaunchCooperativeKernel launched the kernel.
SIMTRT_EXPORT void grid_barrier();

/// True if the running kernel was launched by simtLaunchCooperativeKernel.
SIMTRT_EXPORT bool is_cooperative_launch();

/// Lets other threads of the block run first.
SIMTRT_EXPORT void yield();

/// Ends the kernel with simtErrorLaunchFailure.
[[noreturn]] SIMTRT_EXPORT void trap();

/// Value of a steady counter with the rate simtDeviceProp::clockRate, in cycles.
SIMTRT_EXPORT long long clock_cycles();

}  // namespace simtrt

__forceinline__ void __syncthreads() { simtrt::block_barrier(simtrt::Barrier::kPlain, false); }
__forceinline__ int __syncthreads_count(int predicate) {
  return simtrt::block_barrier(simtrt::Barrier::kCount, predicate != 0);
}
__forceinline__ int __syncthreads_and(int predicate) {
  return simtrt::block_barrier(simtrt::Barrier::kAnd, predicate != 0);
}
__forceinline__ int __syncthreads_or(int predicate) {
  return simtrt::block_barrier(simtrt::Barrier::kOr, predicate != 0);
}

__forceinline__ void __barrier_sync(unsigned number) {
  simtrt::named_barrier(number, 0, simtrt::Barrier::kPlain, false, true);
}
__forceinline__ void __barrier_sync_count(unsigned number, unsigned count) {
  simtrt::named_barrier(number, count, simtrt::Barrier::kPlain, false, true);
}

inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline void __nanosleep(unsigned) { simtrt::yield(); }
[[noreturn]] inline void __trap() { simtrt::trap(); }
[[noreturn]] inline void __brkpt() { simtrt::trap(); }

inline long long int clock64() { return simtrt::clock_cycles(); }

// clock() counts cycles in a kernel, and CLOCKS_PER_SEC units on the host. A ported function may
// run in both, so simt_clock determines at run time if a kernel calls it. Calls of clock() are
// linked to the symbol simt_clock, because a name as common as clock cannot be a macro.
extern "C" SIMTRT_EXPORT clock_t simt_clock() noexcept;
extern "C" clock_t clock() noexcept __asm__("simt_clock");

/// `extern __shared__ T name[];` is ported to `T (&name)[] = SIMT_DYNAMIC_SHARED(T);`. Variadic,
/// because T may contain commas.
#define SIMT_DYNAMIC_SHARED(...) (*static_cast<__VA_ARGS__(*)[]>(::simtrt::dynamic_shared()))

// A failed assert in a kernel ends the kernel, not the process; outside of kernels the C library's
// assert applies. <cassert> declares the function only at its first inclusion, so the name can be
// redirected afterwards.
#include <cassert>
extern "C" [[noreturn]] SIMTRT_EXPORT void simt_assert_fail(const char* assertion, const char* file,
                                                            unsigned int line,
                                                            const char* function) noexcept;
#define __assert_fail simt_assert_fail
