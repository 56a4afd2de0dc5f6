// Functions that the compiler's instrumentation calls (-fsanitize=thread, bounds, alignment, object-size). They replace
// libtsan and libubsan: each passes the access to the checkers in libsimt.so. `porter check` compiles this file, without
// instrumentation, and links it into the program with `--wrap` for the functions of the C library below.
//
// The names and types of the functions are the interface between GCC or LLVM and these libraries.
//
// Ownership: none. Threads: any. Memory ordering: atomic operations have the order that the program states.
#include <simtrt/check_access.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace check = simtrt::check;

namespace {

std::uintptr_t place(const volatile void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

/// Range of an earlier access that permits this one; null if there is none. This test is part of the program: a call into
/// the runtime would take longer than the access itself.
__attribute__((always_inline)) inline const check::PermittedRange* known_range(std::uintptr_t address, std::size_t size,
                                                                               bool writes, const void* pc) {
  check::ThreadAccesses* const here = check::thread_accesses;
  if (here == nullptr) return nullptr;
  here->last_pc = pc;
  here->last_write = writes;
  here->has_accessed = true;
  const check::PermittedRange* range = here->permitted_at(address);
  return range != nullptr && range->holds(address, size) ? range : nullptr;
}

__attribute__((always_inline)) inline const check::PermittedRange* pass(const volatile void* pointer, std::size_t size,
                                                                        unsigned flags, const void* pc) {
  if (!check::hooks_active.load(std::memory_order_relaxed)) return &check::everywhere;
  const std::uintptr_t address = place(pointer);
  const check::PermittedRange* range = known_range(address, size, (flags & check::kWrite) != 0, pc);
  return range != nullptr ? range : check::access(address, size, flags, pc);
}

__attribute__((always_inline)) inline void pass_atomic(const volatile void* pointer, std::size_t size, bool reads,
                                                       bool writes, int order, const void* pc) {
  if (!check::hooks_active.load(std::memory_order_relaxed)) return;
  const std::uintptr_t address = place(pointer);
  if (known_range(address, size, writes, pc) == nullptr) check::atomic_access(address, size, reads, writes, order, pc);
}

}  // namespace

#define HOOK extern "C" __attribute__((visibility("hidden"), used))
#define CALLER __builtin_return_address(0)

#define ACCESS(name, size, flags) \
  HOOK void __tsan_##name(void* address) { pass(address, size, flags, CALLER); }
#define ACCESSES(size)                                       \
  ACCESS(read##size, size, check::kRead)                     \
  ACCESS(write##size, size, check::kWrite)                   \
  ACCESS(unaligned_read##size, size, check::kRead)           \
  ACCESS(unaligned_write##size, size, check::kWrite)         \
  ACCESS(volatile_read##size, size, check::kVolatile)        \
  ACCESS(volatile_write##size, size, check::kVolatile | check::kWrite) \
  ACCESS(unaligned_volatile_read##size, size, check::kVolatile)        \
  ACCESS(unaligned_volatile_write##size, size, check::kVolatile | check::kWrite)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

// access_tests.cpp reads a range as numbers: the begin, then a span for each size.
static_assert(sizeof(check::PermittedRange) == 6 * sizeof(unsigned long), "the numbers of access_tests.cpp");

/// Called instead of the functions above where the plugin access_tests.cpp has inserted a test that has failed. `kind`: the
/// logarithm of the size, plus 8 for a write, plus 16 for a volatile access.
HOOK void simt_check_access(void* address, std::atomic<const check::PermittedRange*>* site, unsigned kind) {
  const unsigned flags = ((kind & 8) != 0 ? check::kWrite : check::kRead) | ((kind & 16) != 0 ? check::kVolatile : 0U);
  const check::PermittedRange* range = pass(address, std::size_t{1} << (kind & 7), flags, CALLER);
  if (range != nullptr) site->store(range, std::memory_order_release);
}

HOOK void __tsan_read_range(void* address, std::size_t size) {
  pass(address, size, check::kRead, CALLER);
}
HOOK void __tsan_write_range(void* address, std::size_t size) {
  pass(address, size, check::kWrite, CALLER);
}
HOOK void __tsan_init() { check::add_module(CALLER); }
HOOK void __tsan_func_entry(void*) {}
HOOK void __tsan_func_exit() {}
HOOK void __tsan_vptr_update(void**, void*) {}
HOOK void __tsan_vptr_read(void**) {}
HOOK void __tsan_ignore_thread_begin() {}
HOOK void __tsan_ignore_thread_end() {}

#define FETCH(bits, T, operation)                                                                 \
  HOOK T __tsan_atomic##bits##_fetch_##operation(volatile T* at, T value, int order) {            \
    pass_atomic(at, sizeof(T), true, true, order, CALLER);                                        \
    return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST);                               \
  }
#define COMPARE_EXCHANGE(bits, T, strength)                                                       \
  HOOK int __tsan_atomic##bits##_compare_exchange_##strength(volatile T* at, T* expected,         \
                                                             T wanted, int order, int) {          \
    pass_atomic(at, sizeof(T), true, true, order, CALLER);                                        \
    return __atomic_compare_exchange_n(at, expected, wanted, false, __ATOMIC_SEQ_CST,             \
                                       __ATOMIC_SEQ_CST);                                         \
  }
#define ATOMICS(bits, T)                                                                          \
  HOOK T __tsan_atomic##bits##_load(const volatile T* at, int order) {                            \
    pass_atomic(at, sizeof(T), true, false, order, CALLER);                                       \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                               \
  HOOK void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                     \
    pass_atomic(at, sizeof(T), false, true, order, CALLER);                                       \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                \
  }                                                                                               \
  HOOK T __tsan_atomic##bits##_exchange(volatile T* at, T value, int order) {                     \
    pass_atomic(at, sizeof(T), true, true, order, CALLER);                                        \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                               \
  FETCH(bits, T, add)                                                                             \
  FETCH(bits, T, sub)                                                                             \
  FETCH(bits, T, and)                                                                             \
  FETCH(bits, T, or)                                                                              \
  FETCH(bits, T, xor)                                                                             \
  FETCH(bits, T, nand)                                                                            \
  COMPARE_EXCHANGE(bits, T, strong)                                                               \
  COMPARE_EXCHANGE(bits, T, weak)                                                                 \
  HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T wanted,         \
                                                    int order, int) {                             \
    pass_atomic(at, sizeof(T), true, true, order, CALLER);                                        \
    __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_SEQ_CST,                   \
                                __ATOMIC_SEQ_CST);                                                \
    return expected;                                                                              \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)

HOOK void __tsan_atomic_thread_fence(int order) {
  check::fence(order);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HOOK void __tsan_atomic_signal_fence(int) {}

// Interface of UndefinedBehaviorSanitizer (GCC's and LLVM's ubsan data).
struct SourceLocation {
  const char* file;
  unsigned line, column;
};
struct TypeDescriptor {
  unsigned short kind, info;  // kind 0: integer, whose info is 2 * log2(bits) + is_signed
  char name[1];
};
struct OutOfBoundsData {
  SourceLocation place;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};
struct TypeMismatchData {
  SourceLocation place;
  const TypeDescriptor* type;
  unsigned char log_alignment, kind;
};

HOOK void __ubsan_handle_out_of_bounds(OutOfBoundsData* data, unsigned long index) {
  const unsigned bits = 1U << (data->index->info >> 1);
  long long value = static_cast<long long>(index);
  if ((data->index->info & 1) != 0 && bits < 64)
    value = static_cast<long long>(index << (64 - bits)) >> (64 - bits);
  check::bad_index(data->place.file, data->place.line, value, data->array->name);
}
HOOK void __ubsan_handle_type_mismatch_v1(TypeMismatchData* data, unsigned long pointer) {
  check::bad_address(data->place.file, data->place.line, reinterpret_cast<const void*>(pointer),
                     std::size_t{1} << data->log_alignment, data->type->name);
}

// Functions of the C library that access or manage memory.
extern "C" {
void* __real_memcpy(void*, const void*, std::size_t);
void* __real_memmove(void*, const void*, std::size_t);
void* __real_memset(void*, int, std::size_t);
void* __real_malloc(std::size_t);
void __real_free(void*);
}

HOOK void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  pass(from, size, check::kRead, CALLER);
  pass(to, size, check::kWrite, CALLER);
  return __real_memcpy(to, from, size);
}
HOOK void* __wrap_memmove(void* to, const void* from, std::size_t size) {
  pass(from, size, check::kRead, CALLER);
  pass(to, size, check::kWrite, CALLER);
  return __real_memmove(to, from, size);
}
HOOK void* __wrap_memset(void* to, int value, std::size_t size) {
  pass(to, size, check::kWrite, CALLER);
  return __real_memset(to, value, size);
}
HOOK void* __wrap_malloc(std::size_t size) {
  void* pointer = nullptr;
  return check::kernel_malloc(size, &pointer, CALLER) ? pointer : __real_malloc(size);
}
HOOK void __wrap_free(void* pointer) {
  if (!check::kernel_free(pointer, CALLER)) __real_free(pointer);
}
