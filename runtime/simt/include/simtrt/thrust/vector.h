// Code shared by thrust::device_vector and thrust::host_vector: a growing array.
//
// Ownership: a vector owns its elements and their memory. Threads: as for std::vector, one thread
// at a time may change it. Memory ordering: there are no atomics; the caller orders its threads.
#pragma once

#include <simtrt/thrust/memory.h>
#include <simtrt/thrust/usual.h>

#include <algorithm>
#include <initializer_list>
#include <iostream>  // programs rely on it, as CUDA's headers include it
#include <vector>

THRUST_NAMESPACE_BEGIN

namespace detail {

/// Memory and iterators of a vector.
template <class T>
struct HostMemory {
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using policy = host_system_tag;

  static T* allocate(std::size_t count) {
    return count == 0 ? nullptr : static_cast<T*>(::operator new(count * sizeof(T)));
  }
  static void release(T* memory) { ::operator delete(memory); }
};

template <class T>
struct DeviceMemory {
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using policy = device_system_tag;

  static T* allocate(std::size_t count) {
    return count == 0 ? nullptr : device_malloc<T>(count).get();
  }
  static void release(T* memory) {
    // The error of a failed device was reported at its origin; a destructor does not throw it.
    if (memory != nullptr) static_cast<void>(simtFree(memory));
  }
};

/// Modifications wait for the device's default stream, like copies. Iterators are pointers.
template <class T, class Memory>
class Vector {
 public:
  using value_type = T;
  using pointer = typename Memory::pointer;
  using const_pointer = typename Memory::const_pointer;
  using reference = typename Memory::reference;
  using const_reference = typename Memory::const_reference;
  using iterator = pointer;
  using const_iterator = const_pointer;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  Vector() = default;
  explicit Vector(size_type count) { resize(count); }
  Vector(size_type count, const T& value) { resize(count, value); }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  Vector(Iterator first, Iterator last) {
    assign(first, last);
  }
  Vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  Vector(const Vector& other) { assign(other.begin(), other.end()); }
  Vector(Vector&& other) noexcept { swap(other); }
  template <class U, class OtherMemory>
  Vector(const Vector<U, OtherMemory>& other) {
    assign(other.begin(), other.end());
  }
  ~Vector() {
    clear_values();
    Memory::release(values_);
  }

  Vector& operator=(const Vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  Vector& operator=(Vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class U, class OtherMemory>
  Vector& operator=(const Vector<U, OtherMemory>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  Vector& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }

  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  void assign(Iterator first, Iterator last) {
    Vector fresh;
    fresh.append(first, static_cast<size_type>(std::distance(first, last)));
    swap(fresh);
  }
  void assign(size_type count, const T& value) {
    Vector fresh(count, value);
    swap(fresh);
  }

  pointer data() { return pointer(values_); }
  const_pointer data() const { return const_pointer(values_); }
  iterator begin() { return data(); }
  iterator end() { return data() + static_cast<difference_type>(size_); }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + static_cast<difference_type>(size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }

  reference operator[](size_type i) { return data()[i]; }
  const_reference operator[](size_type i) const { return data()[i]; }
  reference front() { return data()[0]; }
  const_reference front() const { return data()[0]; }
  reference back() { return data()[size_ - 1]; }
  const_reference back() const { return data()[size_ - 1]; }

  bool empty() const { return size_ == 0; }
  size_type size() const { return size_; }
  size_type capacity() const { return capacity_; }
  size_type max_size() const { return std::numeric_limits<size_type>::max() / sizeof(T); }

  void reserve(size_type count) {
    if (count > capacity_) reallocate(count);
  }
  void shrink_to_fit() {
    if (size_ < capacity_) reallocate(size_);
  }
  void resize(size_type count) { resize(count, T()); }
  void resize(size_type count, const T& value) {
    if (count < size_) {
      erase(begin() + static_cast<difference_type>(count), end());
      return;
    }
    if (count == size_) return;
    reserve(count);
    on_memory([&] {
      for (; size_ < count; ++size_) ::new (static_cast<void*>(values_ + size_)) T(value);
    });
  }
  void clear() { erase(begin(), end()); }
  void push_back(const T& value) {
    if (size_ == capacity_) reallocate(std::max<size_type>(2 * capacity_, 1));
    resize(size_ + 1, value);
  }
  template <class... Args>
  void emplace_back(Args&&... args) {
    push_back(T(std::forward<Args>(args)...));
  }
  void pop_back() { erase(end() - 1, end()); }

  iterator erase(iterator at) { return erase(at, at + 1); }
  iterator erase(iterator first, iterator last) {
    if (first == last) return first;
    T* const from = raw_pointer_cast(last);
    on_memory([&] {
      T* const kept = std::move(from, values_ + size_, raw_pointer_cast(first));
      while (values_ + size_ != kept) values_[--size_].~T();
    });
    return first;
  }
  iterator insert(iterator at, const T& value) {
    const difference_type place = at - begin();
    insert(at, size_type(1), value);
    return begin() + place;
  }
  void insert(iterator at, size_type count, const T& value) {
    const Vector fresh(count, value);
    insert(at, fresh.begin(), fresh.end());
  }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  void insert(iterator at, Iterator first, Iterator last) {
    const difference_type place = at - begin();
    Vector grown;
    grown.reserve(size_ + static_cast<size_type>(std::distance(first, last)));
    grown.append(begin(), static_cast<size_type>(place));
    grown.append(first, static_cast<size_type>(std::distance(first, last)));
    grown.append(begin() + place, size_ - static_cast<size_type>(place));
    swap(grown);
  }

  void swap(Vector& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  friend void swap(Vector& a, Vector& b) noexcept { a.swap(b); }

 private:
  /// Runs `change` in the order of the default stream.
  template <class Change>
  void on_memory(Change change) {
    run(typename Memory::policy{}, change);
  }

  template <class Iterator>
  void append(Iterator first, size_type count) {
    if (count == 0) return;
    reserve(size_ + count);
    const auto copy_all = [&] {
      for (size_type i = 0; i < count; ++i, ++first, ++size_) {
        ::new (static_cast<void*>(values_ + size_)) T(static_cast<T>(at(first)));
      }
    };
    if constexpr (is_on_device<Iterator>) {
      run(device_system_tag{}, copy_all);
    } else {
      on_memory(copy_all);
    }
  }

  void reallocate(size_type count) {
    T* const fresh = Memory::allocate(count);
    on_memory([&] {
      for (size_type i = 0; i < size_; ++i) {
        ::new (static_cast<void*>(fresh + i)) T(std::move(values_[i]));
        values_[i].~T();
      }
    });
    Memory::release(values_);
    values_ = fresh;
    capacity_ = count;
  }

  void clear_values() {
    if constexpr (!std::is_trivially_destructible<T>::value) {
      for (size_type i = 0; i < size_; ++i) values_[i].~T();
    }
    size_ = 0;
  }

  T* values_ = nullptr;
  size_type size_ = 0;
  size_type capacity_ = 0;
};

template <class T, class M, class U, class N>
bool operator==(const Vector<T, M>& a, const Vector<U, N>& b) {
  if (a.size() != b.size()) return false;
  const Vector<T, HostMemory<T>> left(a);
  const Vector<U, HostMemory<U>> right(b);
  return std::equal(left.begin(), left.end(), right.begin());
}
template <class T, class M, class U, class N>
bool operator!=(const Vector<T, M>& a, const Vector<U, N>& b) {
  return !(a == b);
}

template <class T, class M, class U, class Allocator>
bool operator==(const Vector<T, M>& a, const std::vector<U, Allocator>& b) {
  return a == Vector<U, HostMemory<U>>(b.begin(), b.end());
}
template <class T, class M, class U, class Allocator>
bool operator==(const std::vector<U, Allocator>& a, const Vector<T, M>& b) {
  return b == a;
}
template <class T, class M, class U, class Allocator>
bool operator!=(const Vector<T, M>& a, const std::vector<U, Allocator>& b) {
  return !(a == b);
}
template <class T, class M, class U, class Allocator>
bool operator!=(const std::vector<U, Allocator>& a, const Vector<T, M>& b) {
  return !(b == a);
}

}  // namespace detail

THRUST_NAMESPACE_END
