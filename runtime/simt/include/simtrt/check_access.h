// Accesses of instrumented programs, for the checkers (SIMT_CHECK). Only runtime/simt/check/hooks.cpp, which `porter
// check` links into a program, includes this header.
//
// Ownership: the functions keep no pointer, except that wrapped allocations belong to the caller.
// Threads: any thread of the host or of a kernel.
// Memory ordering: one lock of the checkers guards all their data.
#pragma once

#include <simtrt/config.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace simtrt::check {

/// Properties of an access.
enum AccessFlags : unsigned { kRead = 0, kWrite = 1, kAtomic = 2, kVolatile = 4 };

/// Addresses that need no call of `access`. The checkers never destroy a range; a change of the memory only clears its
/// spans, so that all copies of its address become invalid at once.
struct PermittedRange {
  static constexpr unsigned kLargestLog = 4;  ///< of the accesses with a span of their own: 16 bytes

  std::uintptr_t begin = 0;
  /// By the logarithm of an access's size: the access is permitted if its address less `begin` is smaller.
  std::array<std::atomic<std::uintptr_t>, kLargestLog + 1> spans{};

  bool holds(std::uintptr_t address, std::size_t size) const {
    const std::uintptr_t length = spans[0].load(std::memory_order_relaxed);
    return size <= length && address - begin <= length - size;
  }
};

/// Data of a thread of the operating system that the hooks read and write without a call of the runtime.
struct ThreadAccesses {
  static constexpr unsigned kPageBits = 12;
  static constexpr unsigned kLogPages = 8, kPages = 1 << kLogPages;

  /// Slot of an address's page in a table of kPages pages. A kernel goes through several arrays at the same time, whose
  /// distances are often powers of two: a product with the golden ratio gives them different slots.
  static constexpr unsigned slot_of(std::uintptr_t address) {
    return static_cast<unsigned>((address >> kPageBits) * std::uint64_t{0x9E3779B97F4A7C15} >> (64 - kLogPages));
  }

  const void* last_pc = nullptr;  ///< last access that reached a hook
  bool last_write = false;
  bool has_accessed = false;  ///< true after an instrumented access of the running block
  std::array<const PermittedRange*, kPages> permitted{};  ///< by `slot_of`; null: unknown

  const PermittedRange*& permitted_at(std::uintptr_t address) { return permitted[slot_of(address)]; }
};

/// Of the calling thread; null before its first access.
extern SIMTRT_EXPORT __attribute__((tls_model("initial-exec"))) __thread ThreadAccesses* thread_accesses;
/// True if a selected kind needs the program's accesses.
extern SIMTRT_EXPORT std::atomic<bool> hooks_active;
/// All addresses while no kind needs the program's accesses; else none.
extern SIMTRT_EXPORT PermittedRange everywhere;

/// The program is about to access `size` bytes at `address` in the instruction before `pc`. Returns the range around the
/// address whose further accesses need no check; null if there is none.
SIMTRT_EXPORT const PermittedRange* access(std::uintptr_t address, std::size_t size, unsigned flags, const void* pc);

/// The program is about to perform an atomic operation with an order of `__atomic_*`. The write of a `load` is false,
/// the read of a `store` is false.
SIMTRT_EXPORT void atomic_access(std::uintptr_t address, std::size_t size, bool reads, bool writes,
                                 int order, const void* pc);
SIMTRT_EXPORT void fence(int order);

/// A reported fault of the compiler's own checks: an index out of bounds, or a misaligned address.
SIMTRT_EXPORT void bad_index(const char* file, unsigned line, long long index, const char* type);
SIMTRT_EXPORT void bad_address(const char* file, unsigned line, const void* address,
                               std::size_t alignment, const char* type);

/// Memory that a kernel allocates and frees. Returns false outside of kernels and for other memory.
SIMTRT_EXPORT bool kernel_malloc(std::size_t size, void** pointer, const void* pc);
SIMTRT_EXPORT bool kernel_free(void* pointer, const void* pc);

/// A variable in the program's writable data, with the addresses of the module that contains it.
SIMTRT_EXPORT void add_module(const void* address_in_module);

}  // namespace simtrt::check
