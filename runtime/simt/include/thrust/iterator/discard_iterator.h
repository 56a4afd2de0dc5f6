// thrust::discard_iterator: discards every value that is written.
#pragma once

#include <thrust/iterator/iterator_adaptor.h>

THRUST_NAMESPACE_BEGIN

namespace detail {

struct Discard {
  template <class T>
  const Discard& operator=(const T&) const {
    return *this;
  }
};

}  // namespace detail

template <class System = use_default>
class discard_iterator
    : public iterator_adaptor<discard_iterator<System>, std::ptrdiff_t, detail::Discard,
                              detail::or_default<System, detail::AnySystem>,
                              random_access_traversal_tag, detail::Discard> {
  friend class iterator_core_access;
  using Adaptor = typename discard_iterator::super_t;

 public:
  discard_iterator(std::ptrdiff_t place = 0) : Adaptor(place) {}

 private:
  detail::Discard dereference() const { return {}; }
};

inline discard_iterator<> make_discard_iterator(std::ptrdiff_t place = 0) {
  return discard_iterator<>(place);
}

THRUST_NAMESPACE_END
