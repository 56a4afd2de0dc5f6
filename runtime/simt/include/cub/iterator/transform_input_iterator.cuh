// cub::TransformInputIterator: applies a function to the values of another iterator.
#pragma once

#include <simtrt/cub/iterator.h>

CUB_NAMESPACE_BEGIN

template <class ValueType, class ConversionOp, class InputIteratorT, class OffsetT = std::ptrdiff_t>
class TransformInputIterator
    : public detail::OffsetIterator<
          TransformInputIterator<ValueType, ConversionOp, InputIteratorT, OffsetT>, ValueType,
          OffsetT> {
 public:
  TransformInputIterator(InputIteratorT input, ConversionOp conversion)
      : conversion_(conversion), input_(input) {}

  ValueType at(OffsetT offset) const { return conversion_(input_[offset]); }

 private:
  // Mutable, because call operators in CUDA programs are often not const.
  mutable ConversionOp conversion_;
  mutable InputIteratorT input_;
};

CUB_NAMESPACE_END
