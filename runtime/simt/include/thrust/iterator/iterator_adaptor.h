// thrust::iterator_adaptor: base class of iterators that modify the behaviour of another iterator.
// Interface: CUDA 12.4, thrust/iterator/iterator_adaptor.h.
#pragma once

#include <thrust/iterator/iterator_facade.h>

THRUST_NAMESPACE_BEGIN

/// Selects the corresponding type of the adapted iterator.
struct use_default {};

namespace detail {

template <class T, class Default>
using or_default = std::conditional_t<std::is_same<T, use_default>::value, Default, T>;

/// Types of an iterator. If Base is not an iterator but a type to count, for example an integer,
/// types of a counter.
template <class Base, class = void>
struct BaseTypes {
  using value = Base;
  using reference = Base&;
  using difference = std::ptrdiff_t;
  using traversal = random_access_traversal_tag;
};
template <class Base>
struct BaseTypes<Base, std::void_t<typename std::iterator_traits<Base>::iterator_category>> {
  using value = iterator_value_t<Base>;
  using reference = iterator_reference_t<Base>;
  using difference = iterator_difference_t<Base>;
  using traversal = typename iterator_traversal<Base>::type;
};

template <class Derived, class Base, class Value, class System, class Traversal, class Reference,
          class Difference>
using facade_of = iterator_facade<
    Derived, or_default<Value, typename BaseTypes<Base>::value>,
    or_default<System, typename system_of<Base>::type>,
    or_default<Traversal, typename BaseTypes<Base>::traversal>,
    or_default<Reference, std::conditional_t<std::is_same<Value, use_default>::value,
                                             typename BaseTypes<Base>::reference,
                                             std::add_lvalue_reference_t<Value>>>,
    or_default<Difference, typename BaseTypes<Base>::difference>>;

}  // namespace detail

template <class Derived, class Base, class Value = use_default, class System = use_default,
          class Traversal = use_default, class Reference = use_default,
          class Difference = use_default>
class iterator_adaptor
    : public detail::facade_of<Derived, Base, Value, System, Traversal, Reference, Difference> {
  friend class iterator_core_access;

 public:
  using base_type = Base;
  using super_t = iterator_adaptor;

  iterator_adaptor() = default;
  explicit iterator_adaptor(const Base& base) : base_(base) {}

  const Base& base() const { return base_; }

 protected:
  const Base& base_reference() const { return base_; }
  Base& base_reference() { return base_; }

 private:
  using Facade = detail::facade_of<Derived, Base, Value, System, Traversal, Reference, Difference>;

  typename Facade::reference dereference() const { return *base_; }
  template <class OtherDerived, class OtherBase, class V, class S, class T, class R, class D>
  bool equal(const iterator_adaptor<OtherDerived, OtherBase, V, S, T, R, D>& other) const {
    return base_ == other.base();
  }
  void advance(typename Facade::difference_type n) { base_ += n; }
  void increment() { ++base_; }
  void decrement() { --base_; }
  template <class OtherDerived, class OtherBase, class V, class S, class T, class R, class D>
  typename Facade::difference_type distance_to(
      const iterator_adaptor<OtherDerived, OtherBase, V, S, T, R, D>& other) const {
    return static_cast<typename Facade::difference_type>(other.base() - base_);
  }

  Base base_{};
};

THRUST_NAMESPACE_END
