// thrust::transform_output_iterator: applies a function to every value that is written.
#pragma once

#include <thrust/iterator/iterator_adaptor.h>

THRUST_NAMESPACE_BEGIN

namespace detail {

/// Place of an output iterator: assigns the function of a value.
template <class Function, class Iterator>
class TransformedOutput {
 public:
  TransformedOutput(const Iterator& place, const Function& function) : place_(place), function_(function) {}

  template <class T>
  const TransformedOutput& operator=(const T& value) const {
    *place_ = function_(value);
    return *this;
  }

 private:
  // Mutable, because call operators in CUDA programs are often not const.
  mutable Iterator place_;
  mutable Function function_;
};

}  // namespace detail

template <class Function, class Iterator>
class transform_output_iterator
    : public iterator_adaptor<transform_output_iterator<Function, Iterator>, Iterator, use_default, use_default,
                              use_default, detail::TransformedOutput<Function, Iterator>> {
  friend class iterator_core_access;
  using Adaptor = typename transform_output_iterator::super_t;

 public:
  transform_output_iterator() = default;
  transform_output_iterator(const Iterator& base, Function function) : Adaptor(base), function_(function) {}

 private:
  typename Adaptor::reference dereference() const { return {this->base(), function_}; }

  Function function_;
};

template <class Function, class Iterator>
transform_output_iterator<Function, Iterator> make_transform_output_iterator(Iterator base, Function function) {
  return transform_output_iterator<Function, Iterator>(base, function);
}

THRUST_NAMESPACE_END
