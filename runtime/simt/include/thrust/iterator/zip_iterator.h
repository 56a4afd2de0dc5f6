// thrust::zip_iterator: several sequences as a sequence of tuples.
#pragma once

#include <thrust/iterator/iterator_facade.h>
#include <thrust/tuple.h>

THRUST_NAMESPACE_BEGIN

template <class IteratorTuple>
class zip_iterator;

namespace detail {

template <class Tuple>
struct ZipTypes;
template <class First, class... Rest>
struct ZipTypes<std::tuple<First, Rest...>> {
  using facade =
      iterator_facade<zip_iterator<std::tuple<First, Rest...>>,
                      std::tuple<iterator_value_t<First>, iterator_value_t<Rest>...>,
                      typename CommonSystem<First, Rest...>::type,
                      typename iterator_traversal<First>::type,
                      std::tuple<iterator_reference_t<First>, iterator_reference_t<Rest>...>,
                      iterator_difference_t<First>>;
};

}  // namespace detail

/// Tuple of iterators that advance together. The first iterator of the tuple determines equality
/// and distance.
template <class IteratorTuple>
class zip_iterator : public detail::ZipTypes<IteratorTuple>::facade {
  friend class iterator_core_access;
  using Facade = typename detail::ZipTypes<IteratorTuple>::facade;
  using Reference = typename Facade::reference;
  using Difference = typename Facade::difference_type;

 public:
  using iterator_tuple = IteratorTuple;

  zip_iterator() = default;
  zip_iterator(IteratorTuple iterators) : iterators_(iterators) {}
  template <class Other,
            std::enable_if_t<std::is_convertible<Other, IteratorTuple>::value, int> = 0>
  zip_iterator(const zip_iterator<Other>& other) : iterators_(other.get_iterator_tuple()) {}

  const IteratorTuple& get_iterator_tuple() const { return iterators_; }

 private:
  Reference dereference() const {
    return std::apply([](const auto&... its) { return Reference(*its...); }, iterators_);
  }
  bool equal(const zip_iterator& other) const {
    return std::get<0>(iterators_) == std::get<0>(other.iterators_);
  }
  void advance(Difference n) {
    std::apply([n](auto&... its) { (static_cast<void>(its += n), ...); }, iterators_);
  }
  void increment() {
    std::apply([](auto&... its) { (static_cast<void>(++its), ...); }, iterators_);
  }
  void decrement() {
    std::apply([](auto&... its) { (static_cast<void>(--its), ...); }, iterators_);
  }
  Difference distance_to(const zip_iterator& other) const {
    return std::get<0>(other.iterators_) - std::get<0>(iterators_);
  }

  IteratorTuple iterators_;
};

template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(std::tuple<Iterators...> iterators) {
  return zip_iterator<std::tuple<Iterators...>>(iterators);
}
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... iterators) {
  return zip_iterator<std::tuple<Iterators...>>(std::tuple<Iterators...>(iterators...));
}

THRUST_NAMESPACE_END
