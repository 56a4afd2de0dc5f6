// Accesses of instrumented programs, for the checkers (SIMT_CHECK). Only runtime/simt/check/hooks.cpp, which `porter
// check` links into a program, includes this header.
//
// Ownership: the functions keep no pointer, except that wrapped allocations belong to the caller.
// Threads: any thread of the host or of a kernel.
// Memory ordering: one lock of the checkers guards all their data.
#pragma once

#include <simtrt/config.h>

#include <cstddef>
#include <cstdint>

namespace simtrt::check {

/// Properties of an access.
enum AccessFlags : unsigned { kRead = 0, kWrite = 1, kAtomic = 2, kVolatile = 4 };

/// The program is about to access `size` bytes at `address` in the instruction before `pc`.
SIMTRT_EXPORT void access(std::uintptr_t address, std::size_t size, unsigned flags, const void* pc);

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
