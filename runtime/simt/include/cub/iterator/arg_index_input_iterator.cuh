// cub::ArgIndexInputIterator: pairs of index and value.
#pragma once

#include <simtrt/cub/iterator.h>

CUB_NAMESPACE_BEGIN

template <class InputIteratorT, class OffsetT = std::ptrdiff_t,
          class OutputValueT = detail::value_t<InputIteratorT>>
class ArgIndexInputIterator
    : public detail::OffsetIterator<ArgIndexInputIterator<InputIteratorT, OffsetT, OutputValueT>,
                                    KeyValuePair<OffsetT, OutputValueT>, OffsetT> {
 public:
  explicit ArgIndexInputIterator(InputIteratorT input, OffsetT offset = 0) : input_(input) {
    this->offset_ = offset;
  }

  KeyValuePair<OffsetT, OutputValueT> at(OffsetT offset) const {
    return {offset, static_cast<OutputValueT>(input_[offset])};
  }

  /// Gives the present position the index 0: later indices count from this position.
  void normalize() {
    input_ += this->offset_;
    this->offset_ = 0;
  }

 private:
  mutable InputIteratorT input_;
};

CUB_NAMESPACE_END
