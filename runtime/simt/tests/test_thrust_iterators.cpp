// thrust's iterators: their values, and iterators that a program derives from them.
#include "cub_test.h"

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_adaptor.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

#include <vector>

namespace {

TEST_CASE("thrust: iterators move, compare, and have the expected values") {
  const auto counting = thrust::make_counting_iterator(5);
  CHECK_EQ(counting[4], 9);
  CHECK_EQ((counting + 7) - counting, 7);
  CHECK(counting < counting + 1);
  CHECK_EQ(thrust::distance(counting, thrust::next(counting, 3)), 3);
  const auto squares = thrust::make_transform_iterator(counting, thrust::square<int>());
  CHECK_EQ(*thrust::next(squares), 36);
  auto both = thrust::make_zip_iterator(thrust::make_tuple(counting, squares));
  CHECK_EQ(thrust::get<1>(both[3]), 64);
  const int values[] = {1, 2, 3};
  CHECK_EQ(*thrust::make_reverse_iterator(values + 3), 3);
  static_assert(
      std::is_same<thrust::iterator_value_t<decltype(both)>, thrust::tuple<int, int>>::value);
  static_assert(std::is_same<thrust::iterator_system_t<thrust::device_vector<int>::iterator>,
                             thrust::device_system_tag>::value);
  static_assert(std::is_same<thrust::iterator_system_t<int*>, thrust::host_system_tag>::value);
  static_assert(std::is_same<thrust::iterator_traversal<int*>::type,
                             thrust::random_access_traversal_tag>::value);
}

TEST_CASE("thrust: an output iterator applies a function to what algorithms write") {
  const std::vector<int> values{1, 2, 3, 4};
  const thrust::device_vector<int> from(values);
  thrust::device_vector<int> to(4);
  const auto written = [&] { return std::vector<int>(to.begin(), to.end()); };
  const auto squared = thrust::make_transform_output_iterator(to.begin(), thrust::square<int>());
  thrust::transform(from.begin(), from.end(), squared, thrust::negate<int>());
  CHECK_EQ(written(), std::vector<int>{1, 4, 9, 16});
  thrust::copy(from.begin(), from.end(), thrust::make_transform_output_iterator(to.begin(), thrust::negate<int>()));
  CHECK_EQ(written(), std::vector<int>{-1, -2, -3, -4});
  thrust::inclusive_scan(from.begin(), from.end(), squared);
  CHECK_EQ(written(), std::vector<int>{1, 9, 36, 100});
  squared[1] = 7;
  CHECK_EQ(int(to[1]), 49);
}

/// Iterator over every second element, derived from iterator_adaptor as in programs.
template <class Iterator>
class EverySecond : public thrust::iterator_adaptor<EverySecond<Iterator>, Iterator> {
 public:
  using super_t = thrust::iterator_adaptor<EverySecond<Iterator>, Iterator>;
  explicit EverySecond(Iterator base) : super_t(base), begin_(base) {}
  friend class thrust::iterator_core_access;

 private:
  Iterator begin_;
  typename super_t::reference dereference() const {
    return *(begin_ + 2 * (this->base() - begin_));
  }
};

TEST_CASE("thrust: an iterator that a program defines") {
  thrust::device_vector<int> data(std::vector<int>{0, 1, 2, 3, 4, 5});
  EverySecond<thrust::device_vector<int>::iterator> it(data.begin());
  CHECK_EQ(thrust::reduce(it, it + 3), 0 + 2 + 4);
}

}  // namespace
