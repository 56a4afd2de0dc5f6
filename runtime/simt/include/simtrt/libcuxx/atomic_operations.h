// Operations of cuda::atomic and cuda::atomic_ref on a value in memory: the compiler's atomics.
//
// Ownership: the caller owns the value; the functions keep no pointer.
// Threads: any thread of the host or of a kernel.
// Memory ordering: the caller's order; a compiler that does not know the order while it compiles
// uses sequential consistency.
#pragma once

#include <simtrt/libcuxx/scope.h>

#include <cstring>
#include <type_traits>

namespace simtrt {

/// Order of a failed compare-and-exchange whose caller gives one order.
constexpr ::std::memory_order failure_order(::std::memory_order order) {
  if (order == ::std::memory_order_acq_rel) return ::std::memory_order_acquire;
  if (order == ::std::memory_order_release) return ::std::memory_order_relaxed;
  return order;
}

/// Atomic operations on the T that `Derived::place()` returns. The members are those of
/// std::atomic, also for volatile objects; arithmetic also accepts floating-point types and pointers, and
/// there are minimum and maximum.
template <class Derived, class T>
class AtomicOperations {
  static_assert(::std::is_trivially_copyable_v<T>, "an atomic copies bytes");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "the processor has atomics of 1, 2, 4 and 8 bytes");
  using Order = ::std::memory_order;
  static constexpr Order kStrict = ::std::memory_order_seq_cst;
  using Difference = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const volatile { return true; }

  T load(Order order = kStrict) const volatile {
    alignas(T) unsigned char bytes[sizeof(T)];
    __atomic_load(place(), reinterpret_cast<T*>(bytes), static_cast<int>(order));
    return *reinterpret_cast<T*>(bytes);
  }
  void store(T value, Order order = kStrict) const volatile {
    __atomic_store(place(), &value, static_cast<int>(order));
  }
  T exchange(T value, Order order = kStrict) const volatile {
    alignas(T) unsigned char bytes[sizeof(T)];
    __atomic_exchange(place(), &value, reinterpret_cast<T*>(bytes), static_cast<int>(order));
    return *reinterpret_cast<T*>(bytes);
  }
  bool compare_exchange_strong(T& expected, T wanted, Order success, Order failure) const volatile {
    return __atomic_compare_exchange(place(), &expected, &wanted, false, static_cast<int>(success),
                                     static_cast<int>(failure));
  }
  bool compare_exchange_strong(T& expected, T wanted, Order order = kStrict) const volatile {
    return compare_exchange_strong(expected, wanted, order, failure_order(order));
  }
  bool compare_exchange_weak(T& expected, T wanted, Order success, Order failure) const volatile {
    return compare_exchange_strong(expected, wanted, success, failure);
  }
  bool compare_exchange_weak(T& expected, T wanted, Order order = kStrict) const volatile {
    return compare_exchange_strong(expected, wanted, order);
  }

  /// Returns when the value differs from `old`.
  void wait(T old, Order order = kStrict) const volatile {
    wait_until([&] {
      const T now = load(order);
      return ::std::memcmp(static_cast<const void*>(&now), static_cast<const void*>(&old),
                           sizeof(T)) != 0;
    });
  }
  void notify_one() const volatile {}
  void notify_all() const volatile {}

  T fetch_add(Difference value, Order order = kStrict) const volatile {
    if constexpr (::std::is_integral_v<T>) {
      return __atomic_fetch_add(place(), value, static_cast<int>(order));
    } else {
      return update([value](T old) { return static_cast<T>(old + value); }, order);
    }
  }
  T fetch_sub(Difference value, Order order = kStrict) const volatile {
    if constexpr (::std::is_integral_v<T>) {
      return __atomic_fetch_sub(place(), value, static_cast<int>(order));
    } else {
      return update([value](T old) { return static_cast<T>(old - value); }, order);
    }
  }
  T fetch_min(T value, Order order = kStrict) const volatile {
    return update([value](T old) { return value < old ? value : old; }, order);
  }
  T fetch_max(T value, Order order = kStrict) const volatile {
    return update([value](T old) { return old < value ? value : old; }, order);
  }
  T fetch_and(T value, Order order = kStrict) const volatile {
    return __atomic_fetch_and(place(), value, static_cast<int>(order));
  }
  T fetch_or(T value, Order order = kStrict) const volatile {
    return __atomic_fetch_or(place(), value, static_cast<int>(order));
  }
  T fetch_xor(T value, Order order = kStrict) const volatile {
    return __atomic_fetch_xor(place(), value, static_cast<int>(order));
  }

  operator T() const volatile { return load(); }
  T operator++() const volatile { return fetch_add(1) + 1; }
  T operator--() const volatile { return fetch_sub(1) - 1; }
  T operator++(int) const volatile { return fetch_add(1); }
  T operator--(int) const volatile { return fetch_sub(1); }
  T operator+=(Difference value) const volatile { return fetch_add(value) + value; }
  T operator-=(Difference value) const volatile { return fetch_sub(value) - value; }
  T operator&=(T value) const volatile { return fetch_and(value) & value; }
  T operator|=(T value) const volatile { return fetch_or(value) | value; }
  T operator^=(T value) const volatile { return fetch_xor(value) ^ value; }

 private:
  T* place() const volatile { return static_cast<const volatile Derived*>(this)->place(); }

  template <class Update>
  T update(Update change, Order order) const volatile {
    T old = load(::std::memory_order_relaxed);
    while (!compare_exchange_strong(old, change(old), order)) {
    }
    return old;
  }
};

}  // namespace simtrt
