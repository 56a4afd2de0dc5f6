// cub::CountingInputIterator: value, value + 1, value + 2, ...
#pragma once

#include <simtrt/cub/iterator.h>

CUB_NAMESPACE_BEGIN

template <class ValueType, class OffsetT = std::ptrdiff_t>
class CountingInputIterator
    : public detail::OffsetIterator<CountingInputIterator<ValueType, OffsetT>, ValueType, OffsetT> {
 public:
  explicit CountingInputIterator(const ValueType& value) : first_(value) {}

  ValueType at(OffsetT offset) const { return first_ + static_cast<ValueType>(offset); }

 private:
  ValueType first_;
};

CUB_NAMESPACE_END
