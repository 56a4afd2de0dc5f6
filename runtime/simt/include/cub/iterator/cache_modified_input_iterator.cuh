// cub::CacheModifiedInputIterator: reads by cub::ThreadLoad.
#pragma once

#include <cub/thread/thread_load.cuh>
#include <simtrt/cub/iterator.h>

CUB_NAMESPACE_BEGIN

template <CacheLoadModifier MODIFIER, class ValueType, class OffsetT = std::ptrdiff_t>
class CacheModifiedInputIterator
    : public detail::OffsetIterator<CacheModifiedInputIterator<MODIFIER, ValueType, OffsetT>,
                                    ValueType, OffsetT> {
 public:
  template <class QualifiedValueType>
  explicit CacheModifiedInputIterator(QualifiedValueType* ptr) : items_(ptr) {}

  ValueType at(OffsetT offset) const { return ThreadLoad<MODIFIER>(items_ + offset); }

 private:
  const ValueType* items_;
};

CUB_NAMESPACE_END
