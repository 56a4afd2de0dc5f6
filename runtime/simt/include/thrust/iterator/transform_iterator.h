// thrust::transform_iterator: applies a function to the values of another iterator.
#pragma once

#include <thrust/iterator/iterator_adaptor.h>

THRUST_NAMESPACE_BEGIN

namespace detail {

template <class Function, class Iterator>
using transformed_t = decltype(std::declval<Function&>()(at(std::declval<Iterator&>())));

}  // namespace detail

template <class Function, class Iterator, class Reference = use_default, class Value = use_default>
class transform_iterator
    : public iterator_adaptor<
          transform_iterator<Function, Iterator, Reference, Value>, Iterator,
          detail::or_default<Value, std::decay_t<detail::transformed_t<Function, Iterator>>>,
          use_default, use_default,
          detail::or_default<Reference, detail::transformed_t<Function, Iterator>>> {
  friend class iterator_core_access;
  using Adaptor = typename transform_iterator::super_t;

 public:
  transform_iterator() = default;
  transform_iterator(const Iterator& base, Function function)
      : Adaptor(base), function_(function) {}
  explicit transform_iterator(const Iterator& base) : Adaptor(base) {}

  Function functor() const { return function_; }

 private:
  typename Adaptor::reference dereference() const {
    Iterator base = this->base();
    return function_(detail::at(base));
  }

  // Mutable, because call operators in CUDA programs are often not const.
  mutable Function function_;
};

template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator base, Function function) {
  return transform_iterator<Function, Iterator>(base, function);
}

THRUST_NAMESPACE_END
