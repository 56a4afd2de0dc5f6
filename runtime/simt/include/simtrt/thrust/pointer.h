// Pointers and references to device memory. On the host, a read or write is a simtMemcpy, which
// waits for earlier work. Device code reads and writes directly.
#pragma once

#include <simtrt/thrust/iterator.h>
#include <thrust/system/cuda/error.h>

#include <cstring>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>

THRUST_NAMESPACE_BEGIN

namespace detail {

inline void check_device(simtError_t error) {
  if (error != simtSuccess)
    throw system_error(error, cuda_category(), "thrust");
}

inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (simtrt::runs_device_work()) {
    std::memcpy(to, from, bytes);
  } else {
    check_device(simtMemcpy(to, from, bytes, simtMemcpyDefault));
  }
}

}  // namespace detail

template <class T>
class device_reference {
 public:
  using value_type = std::remove_cv_t<T>;
  using pointer = device_ptr<T>;

  explicit device_reference(T* address) : address_(address) {}
  device_reference(const device_reference&) = default;
  template <class U, std::enable_if_t<std::is_convertible<U*, T*>::value, int> = 0>
  device_reference(const device_reference<U>& other) : address_(other.address()) {}

  /// Reads the value. Throws thrust::system_error if the copy from the device fails.
  operator value_type() const {
    alignas(value_type) unsigned char bytes[sizeof(value_type)];
    detail::copy_bytes(bytes, address_, sizeof(value_type));
    return *reinterpret_cast<value_type*>(bytes);
  }

  // Writes to device memory. The function is const, because it changes the memory, not the
  // reference object.
  const device_reference& operator=(const value_type& value) const {
    detail::copy_bytes(const_cast<value_type*>(address_), &value, sizeof(value_type));
    return *this;
  }
  const device_reference& operator=(const device_reference& other) const {
    return *this = static_cast<value_type>(other);
  }
  device_reference& operator=(const device_reference& other) {
    static_cast<const device_reference&>(*this) = static_cast<value_type>(other);
    return *this;
  }
  template <class U>
  const device_reference& operator=(const device_reference<U>& other) const {
    return *this = static_cast<value_type>(
               static_cast<typename device_reference<U>::value_type>(other));
  }

  device_ptr<T> operator&() const { return device_ptr<T>(address_); }
  T* address() const { return address_; }

  device_reference& operator++() { return *this = static_cast<value_type>(*this) + 1, *this; }
  device_reference& operator--() { return *this = static_cast<value_type>(*this) - 1, *this; }
  value_type operator++(int) {
    const value_type old = *this;
    *this = static_cast<value_type>(old + 1);
    return old;
  }
  value_type operator--(int) {
    const value_type old = *this;
    *this = static_cast<value_type>(old - 1);
    return old;
  }

#define SIMTRT_THRUST_COMPOUND(op)                                                   \
  template <class U>                                                                 \
  const device_reference& operator op## = (const U& value) const {                   \
    return *this = static_cast<value_type>(static_cast<value_type>(*this) op value); \
  }
  SIMTRT_THRUST_COMPOUND(+)
  SIMTRT_THRUST_COMPOUND(-)
  SIMTRT_THRUST_COMPOUND(*)
  SIMTRT_THRUST_COMPOUND(/)
  SIMTRT_THRUST_COMPOUND(%)
  SIMTRT_THRUST_COMPOUND(<<)
  SIMTRT_THRUST_COMPOUND(>>)
  SIMTRT_THRUST_COMPOUND(&)
  SIMTRT_THRUST_COMPOUND(|)
  SIMTRT_THRUST_COMPOUND(^)
#undef SIMTRT_THRUST_COMPOUND

  friend void swap(device_reference a, device_reference b) {
    const value_type kept = a;
    a = static_cast<value_type>(b);
    b = kept;
  }

 private:
  T* address_;
};

template <class T, class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream,
                                             const device_reference<T>& reference) {
  return stream << static_cast<typename device_reference<T>::value_type>(reference);
}

template <class T>
class device_ptr {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using reference =
      std::conditional_t<std::is_void<T>::value, void,
                         device_reference<std::conditional_t<std::is_void<T>::value, char, T>>>;
  using pointer = device_ptr;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  using system = device_system_tag;
  using raw_pointer = T*;

  constexpr device_ptr() = default;
  constexpr device_ptr(std::nullptr_t) {}
  template <class U, std::enable_if_t<std::is_convertible<U*, T*>::value, int> = 0>
  constexpr explicit device_ptr(U* address) : address_(address) {}
  template <class U, std::enable_if_t<std::is_convertible<U*, T*>::value, int> = 0>
  constexpr device_ptr(const device_ptr<U>& other) : address_(other.get()) {}

  constexpr T* get() const { return address_; }
  explicit constexpr operator bool() const { return address_ != nullptr; }

  reference operator*() const { return reference(address_); }
  T* operator->() const { return address_; }
  template <class Distance>
  auto operator[](Distance n) const {
    return reference(address_ + n);
  }

  device_ptr& operator++() { return *this += 1; }
  device_ptr& operator--() { return *this -= 1; }
  device_ptr operator++(int) {
    device_ptr old = *this;
    *this += 1;
    return old;
  }
  device_ptr operator--(int) {
    device_ptr old = *this;
    *this -= 1;
    return old;
  }
  device_ptr& operator+=(difference_type n) {
    address_ += n;
    return *this;
  }
  device_ptr& operator-=(difference_type n) {
    address_ -= n;
    return *this;
  }
  friend device_ptr operator+(device_ptr p, difference_type n) { return p += n; }
  friend device_ptr operator+(difference_type n, device_ptr p) { return p += n; }
  friend device_ptr operator-(device_ptr p, difference_type n) { return p -= n; }

 private:
  T* address_ = nullptr;
};

template <class T, class U>
std::ptrdiff_t operator-(const device_ptr<T>& a, const device_ptr<U>& b) {
  return a.get() - b.get();
}
#define SIMTRT_THRUST_COMPARE(op)                                    \
  template <class T, class U>                                        \
  bool operator op(const device_ptr<T>& a, const device_ptr<U>& b) { \
    return a.get() op b.get();                                       \
  }
SIMTRT_THRUST_COMPARE(==)
SIMTRT_THRUST_COMPARE(!=)
SIMTRT_THRUST_COMPARE(<)
SIMTRT_THRUST_COMPARE(>)
SIMTRT_THRUST_COMPARE(<=)
SIMTRT_THRUST_COMPARE(>=)
#undef SIMTRT_THRUST_COMPARE
template <class T>
bool operator==(const device_ptr<T>& p, std::nullptr_t) {
  return p.get() == nullptr;
}
template <class T>
bool operator!=(const device_ptr<T>& p, std::nullptr_t) {
  return p.get() != nullptr;
}

template <class T>
device_ptr<T> device_pointer_cast(T* pointer) {
  return device_ptr<T>(pointer);
}
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& pointer) {
  return pointer;
}

template <class T>
T* raw_pointer_cast(T* pointer) {
  return pointer;
}
template <class T>
T* raw_pointer_cast(const device_ptr<T>& pointer) {
  return pointer.get();
}

template <class T>
T& raw_reference_cast(const device_reference<T>& reference) {
  return *reference.address();
}
template <class T>
T& raw_reference_cast(device_reference<T>& reference) {
  return *reference.address();
}

THRUST_NAMESPACE_END
