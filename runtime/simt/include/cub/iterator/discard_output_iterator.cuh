// cub::DiscardOutputIterator: discards every value that is written.
#pragma once

#include <simtrt/cub/types.h>

CUB_NAMESPACE_BEGIN

template <class OffsetT = std::ptrdiff_t>
class DiscardOutputIterator {
 public:
  using self_type = DiscardOutputIterator;
  using difference_type = OffsetT;
  using value_type = void;
  using pointer = void;
  using reference = void;
  using iterator_category = std::random_access_iterator_tag;

  explicit DiscardOutputIterator(OffsetT offset = 0) : offset_(offset) {}

  /// The iterator itself is the element; an assignment to it has no effect.
  self_type& operator*() { return *this; }
  self_type& operator[](OffsetT) { return *this; }
  self_type* operator->() { return this; }
  template <class T>
  self_type& operator=(const T&) {
    return *this;
  }
  operator void*() const { return nullptr; }

  self_type& operator++() { return *this += 1; }
  self_type operator++(int) {
    self_type old = *this;
    ++offset_;
    return old;
  }
  self_type& operator+=(OffsetT n) {
    offset_ += n;
    return *this;
  }
  self_type& operator-=(OffsetT n) {
    offset_ -= n;
    return *this;
  }
  self_type operator+(OffsetT n) const { return self_type(offset_ + n); }
  self_type operator-(OffsetT n) const { return self_type(offset_ - n); }
  difference_type operator-(const self_type& other) const { return offset_ - other.offset_; }
  bool operator==(const self_type& other) const { return offset_ == other.offset_; }
  bool operator!=(const self_type& other) const { return offset_ != other.offset_; }

 private:
  OffsetT offset_;
};

CUB_NAMESPACE_END
