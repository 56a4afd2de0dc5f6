// thrust::constant_iterator: a sequence of equal values.
#pragma once

#include <thrust/iterator/iterator_adaptor.h>

THRUST_NAMESPACE_BEGIN

/// The iterator counts its position, so that two iterators delimit a range.
template <class Value, class Incrementable = use_default, class System = use_default>
class constant_iterator
    : public iterator_adaptor<constant_iterator<Value, Incrementable, System>, std::ptrdiff_t,
                              Value, detail::or_default<System, detail::AnySystem>,
                              random_access_traversal_tag, Value> {
  friend class iterator_core_access;
  using Adaptor = typename constant_iterator::super_t;

 public:
  constant_iterator() = default;
  constant_iterator(const Value& value, std::ptrdiff_t place = 0) : Adaptor(place), value_(value) {}

  const Value& value() const { return value_; }

 private:
  Value dereference() const { return value_; }

  Value value_{};
};

template <class Value, class Incrementable = std::ptrdiff_t>
constant_iterator<Value> make_constant_iterator(Value value, Incrementable place = 0) {
  return constant_iterator<Value>(value, static_cast<std::ptrdiff_t>(place));
}

THRUST_NAMESPACE_END
