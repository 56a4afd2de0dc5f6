// thrust::counting_iterator: value, value + 1, value + 2, ...
#pragma once

#include <thrust/iterator/iterator_adaptor.h>

THRUST_NAMESPACE_BEGIN

template <class Incrementable, class System = use_default, class Traversal = use_default,
          class Difference = use_default>
class counting_iterator
    : public iterator_adaptor<counting_iterator<Incrementable, System, Traversal, Difference>,
                              Incrementable, Incrementable,
                              detail::or_default<System, detail::AnySystem>,
                              detail::or_default<Traversal, random_access_traversal_tag>,
                              Incrementable, detail::or_default<Difference, std::ptrdiff_t>> {
  friend class iterator_core_access;
  using Adaptor = typename counting_iterator::super_t;

 public:
  counting_iterator() = default;
  explicit counting_iterator(Incrementable value) : Adaptor(value) {}

 private:
  using Count = detail::or_default<Difference, std::ptrdiff_t>;

  Incrementable dereference() const { return this->base(); }
  void advance(Count n) { this->base_reference() = static_cast<Incrementable>(this->base() + n); }
  bool equal(const counting_iterator& other) const { return this->base() == other.base(); }
  Count distance_to(const counting_iterator& other) const {
    return static_cast<Count>(other.base()) - static_cast<Count>(this->base());
  }
};

template <class Incrementable>
counting_iterator<Incrementable> make_counting_iterator(Incrementable value) {
  return counting_iterator<Incrementable>(value);
}

THRUST_NAMESPACE_END
