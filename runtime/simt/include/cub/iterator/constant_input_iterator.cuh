// cub::ConstantInputIterator: a sequence of equal values.
#pragma once

#include <simtrt/cub/iterator.h>

CUB_NAMESPACE_BEGIN

template <class ValueType, class OffsetT = std::ptrdiff_t>
class ConstantInputIterator
    : public detail::OffsetIterator<ConstantInputIterator<ValueType, OffsetT>, ValueType, OffsetT> {
 public:
  explicit ConstantInputIterator(ValueType value, OffsetT offset = 0) : value_(value) {
    this->offset_ = offset;
  }

  ValueType at(OffsetT) const { return value_; }

 private:
  ValueType value_;
};

CUB_NAMESPACE_END
