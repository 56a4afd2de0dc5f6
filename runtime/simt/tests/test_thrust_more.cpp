// thrust's shuffles, functions of tuples, universal memory, and internal headers of thrust and cub that
// programs include.
#include "cub_test.h"

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/util_debug.cuh>
#include <cub/util_macro.cuh>
#include <cub/util_type.cuh>
#include <thrust/detail/type_traits.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>
#include <thrust/zip_function.h>

#include <sstream>
#include <vector>

namespace {

TEST_CASE("a shuffle is a permutation that depends on the generator alone") {
  thrust::device_vector<int> values(100), again(100), copied(100);
  thrust::sequence(values.begin(), values.end());
  thrust::shuffle_copy(values.begin(), values.end(), copied.begin(), thrust::default_random_engine(7));
  again = values;
  thrust::shuffle(again.begin(), again.end(), thrust::default_random_engine(7));
  CHECK(thrust::equal(again.begin(), again.end(), copied.begin()));
  CHECK_FALSE(thrust::equal(again.begin(), again.end(), values.begin()));
  thrust::sort(again.begin(), again.end());
  CHECK(thrust::equal(again.begin(), again.end(), values.begin()));
}

TEST_CASE("a function of two arguments receives the elements of a tuple") {
  thrust::universal_vector<int> a(4, 3), b(4, 5), sums(4);
  const auto begin = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  const auto add = [](int x, int y) { return x + y; };
  thrust::transform(begin, begin + 4, sums.begin(), thrust::make_zip_function(add));
  CHECK_EQ(std::vector<int>(sums.begin(), sums.end()), std::vector<int>(4, 8));
}

TEST_CASE("vectors and their elements, compared with the standard library's and printed") {
  const std::vector<int> values{1, 2};
  const thrust::device_vector<int> same(values);
  CHECK(same == values);
  CHECK(std::vector<int>{3} != same);
  std::ostringstream text;
  text << same[1];
  CHECK_EQ(text.str(), "2");
}

__global__ void differences(int* items) {
  __shared__ cub::BlockAdjacentDifference<int, 4>::TempStorage storage;
  int own[1] = {items[threadIdx.x]};
  cub::BlockAdjacentDifference<int, 4>(storage).SubtractLeft(own, own, [](int& a, int& b) { return a - b; });
  items[threadIdx.x] = own[0];
}

TEST_CASE("an operator of cub that takes references to variables") {
  const DeviceArray<int> items(std::vector<int>{1, 4, 9, 16});
  SIMT_LAUNCH((differences), (1), (4), (0), (0), items.data());
  REQUIRE_FINISHED();
  CHECK_EQ(items.values(), std::vector<int>{1, 3, 5, 7});
}

TEST_CASE("traits of types by thrust's internal names") {
  CHECK(thrust::detail::is_same<int, int>::value);
  CHECK(thrust::detail::is_floating_point<double>::value);
  const cub::KeyValuePair<int, float> pair(1, 2.f);
  CHECK_EQ(pair.key, 1);
}

}  // namespace
