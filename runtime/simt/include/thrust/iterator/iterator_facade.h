// thrust::iterator_facade: creates an iterator from a few private functions of a class. Interface:
// CUDA 12.4, thrust/iterator/iterator_facade.h.
#pragma once

#include <simtrt/thrust/iterator.h>

#include <memory>

THRUST_NAMESPACE_BEGIN

/// Calls the private functions of an iterator that befriends it: dereference, increment, decrement,
/// advance, equal, distance_to.
class iterator_core_access {
 public:
  template <class F>
  static typename F::reference dereference(const F& f) {
    return f.dereference();
  }
  template <class F>
  static void increment(F& f) {
    f.increment();
  }
  template <class F>
  static void decrement(F& f) {
    f.decrement();
  }
  template <class F, class Distance>
  static void advance(F& f, Distance n) {
    f.advance(n);
  }
  template <class F, class G>
  static bool equal(const F& f, const G& g) {
    return f.equal(g);
  }
  template <class F, class G>
  static typename F::difference_type distance(const F& from, const G& to) {
    return from.distance_to(to);
  }
};

namespace detail {

template <class Value>
class ArrowProxy {
 public:
  explicit ArrowProxy(Value value) : value_(static_cast<Value&&>(value)) {}
  Value* operator->() { return std::addressof(value_); }

 private:
  Value value_;
};

}  // namespace detail

template <class Derived, class Value, class System, class Traversal, class Reference,
          class Difference = std::ptrdiff_t>
class iterator_facade {
 public:
  using value_type = std::remove_cv_t<Value>;
  using reference = Reference;
  using pointer = std::conditional_t<std::is_reference<Reference>::value,
                                     std::add_pointer_t<std::remove_reference_t<Reference>>, void>;
  using difference_type = Difference;
  using iterator_category = detail::category_of_traversal<Traversal>;
  using system = System;

  reference operator*() const { return iterator_core_access::dereference(derived()); }
  auto operator->() const {
    if constexpr (std::is_reference<Reference>::value) {
      return std::addressof(**this);
    } else {
      return detail::ArrowProxy<Reference>(**this);
    }
  }
  reference operator[](difference_type n) const { return *(derived() + n); }

  Derived& operator++() {
    iterator_core_access::increment(derived());
    return derived();
  }
  Derived operator++(int) {
    Derived old = derived();
    ++*this;
    return old;
  }
  Derived& operator--() {
    iterator_core_access::decrement(derived());
    return derived();
  }
  Derived operator--(int) {
    Derived old = derived();
    --*this;
    return old;
  }
  Derived& operator+=(difference_type n) {
    iterator_core_access::advance(derived(), n);
    return derived();
  }
  Derived& operator-=(difference_type n) { return *this += -n; }

  friend Derived operator+(const Derived& it, difference_type n) {
    Derived moved = it;
    moved += n;
    return moved;
  }
  friend Derived operator+(difference_type n, const Derived& it) { return it + n; }
  friend Derived operator-(const Derived& it, difference_type n) { return it + -n; }
  friend difference_type operator-(const Derived& a, const Derived& b) {
    return iterator_core_access::distance(b, a);
  }

  friend bool operator==(const Derived& a, const Derived& b) {
    return iterator_core_access::equal(a, b);
  }
  friend bool operator!=(const Derived& a, const Derived& b) { return !(a == b); }
  friend bool operator<(const Derived& a, const Derived& b) { return a - b < 0; }
  friend bool operator>(const Derived& a, const Derived& b) { return b < a; }
  friend bool operator<=(const Derived& a, const Derived& b) { return !(b < a); }
  friend bool operator>=(const Derived& a, const Derived& b) { return !(a < b); }

 protected:
  Derived& derived() { return static_cast<Derived&>(*this); }
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

THRUST_NAMESPACE_END
