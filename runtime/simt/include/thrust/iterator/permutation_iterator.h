// thrust::permutation_iterator: the elements of a sequence, in the order of a sequence of
// indices.
#pragma once

#include <thrust/iterator/iterator_adaptor.h>

THRUST_NAMESPACE_BEGIN

template <class ElementIterator, class IndexIterator>
class permutation_iterator
    : public iterator_adaptor<permutation_iterator<ElementIterator, IndexIterator>, IndexIterator,
                              iterator_value_t<ElementIterator>,
                              typename detail::CommonSystem<ElementIterator, IndexIterator>::type,
                              use_default, iterator_reference_t<ElementIterator>> {
  friend class iterator_core_access;
  using Adaptor = typename permutation_iterator::super_t;

 public:
  permutation_iterator() = default;
  permutation_iterator(ElementIterator elements, IndexIterator indices)
      : Adaptor(indices), elements_(elements) {}

 private:
  typename Adaptor::reference dereference() const {
    IndexIterator index = this->base();
    return elements_[static_cast<iterator_difference_t<ElementIterator>>(detail::at(index))];
  }

  ElementIterator elements_{};
};

template <class ElementIterator, class IndexIterator>
permutation_iterator<ElementIterator, IndexIterator> make_permutation_iterator(
    ElementIterator elements, IndexIterator indices) {
  return permutation_iterator<ElementIterator, IndexIterator>(elements, indices);
}

THRUST_NAMESPACE_END
