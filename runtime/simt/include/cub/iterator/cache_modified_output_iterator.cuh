// cub::CacheModifiedOutputIterator: writes by cub::ThreadStore.
#pragma once

#include <cub/thread/thread_store.cuh>

#include <cstddef>
#include <iterator>

CUB_NAMESPACE_BEGIN

template <CacheStoreModifier MODIFIER, class ValueType, class OffsetT = std::ptrdiff_t>
class CacheModifiedOutputIterator {
  /// Item to which an assignment writes.
  struct Reference {
    ValueType* item;
    ValueType operator=(ValueType value) {
      ThreadStore<MODIFIER>(item, value);
      return value;
    }
  };

 public:
  using self_type = CacheModifiedOutputIterator;
  using difference_type = OffsetT;
  using value_type = void;
  using pointer = void;
  using reference = Reference;
  using iterator_category = std::random_access_iterator_tag;

  template <class QualifiedValueType>
  explicit CacheModifiedOutputIterator(QualifiedValueType* ptr)
      : items_(const_cast<std::remove_cv_t<QualifiedValueType>*>(ptr)) {}

  Reference operator*() const { return {items_}; }
  template <class Distance>
  Reference operator[](Distance n) const {
    return {items_ + n};
  }

  self_type& operator++() { return *this += 1; }
  self_type operator++(int) {
    self_type old = *this;
    ++items_;
    return old;
  }
  template <class Distance>
  self_type& operator+=(Distance n) {
    items_ += n;
    return *this;
  }
  template <class Distance>
  self_type& operator-=(Distance n) {
    items_ -= n;
    return *this;
  }
  template <class Distance>
  self_type operator+(Distance n) const {
    return self_type(items_ + n);
  }
  template <class Distance>
  self_type operator-(Distance n) const {
    return self_type(items_ - n);
  }
  difference_type operator-(const self_type& other) const {
    return static_cast<difference_type>(items_ - other.items_);
  }
  bool operator==(const self_type& other) const { return items_ == other.items_; }
  bool operator!=(const self_type& other) const { return items_ != other.items_; }

 private:
  ValueType* items_;
};

CUB_NAMESPACE_END
