// Base class of cub's input iterators, which compute a value from a position.
#pragma once

#include <simtrt/cub/types.h>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Random-access iterator that returns values, not references. `Derived` has `ValueType at(OffsetT) const`.
template <class Derived, class ValueType, class OffsetT>
class OffsetIterator {
  struct Arrow {
    ValueType value;
    ValueType* operator->() { return &value; }
  };

 public:
  using self_type = Derived;
  using difference_type = OffsetT;
  using value_type = ValueType;
  using pointer = ValueType*;
  using reference = ValueType;
  using iterator_category = std::random_access_iterator_tag;

  reference operator*() const { return self().at(offset_); }
  template <class Distance>
  reference operator[](Distance n) const {
    return self().at(offset_ + static_cast<OffsetT>(n));
  }
  Arrow operator->() const { return Arrow{**this}; }

  Derived& operator++() { return *this += 1; }
  Derived operator++(int) {
    Derived old = self();
    ++offset_;
    return old;
  }
  Derived& operator--() { return *this -= 1; }
  template <class Distance>
  Derived& operator+=(Distance n) {
    offset_ += static_cast<OffsetT>(n);
    return static_cast<Derived&>(*this);
  }
  template <class Distance>
  Derived& operator-=(Distance n) {
    offset_ -= static_cast<OffsetT>(n);
    return static_cast<Derived&>(*this);
  }
  template <class Distance>
  Derived operator+(Distance n) const {
    Derived moved = self();
    moved += n;
    return moved;
  }
  template <class Distance,
            std::enable_if_t<!std::is_base_of<OffsetIterator, Distance>::value, int> = 0>
  Derived operator-(Distance n) const {
    Derived moved = self();
    moved -= n;
    return moved;
  }
  difference_type operator-(const Derived& other) const { return offset_ - other.offset_; }
  bool operator==(const Derived& other) const { return offset_ == other.offset_; }
  bool operator!=(const Derived& other) const { return offset_ != other.offset_; }
  bool operator<(const Derived& other) const { return offset_ < other.offset_; }

 protected:
  OffsetT offset_ = 0;

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace detail

CUB_NAMESPACE_END
