// thrust's algorithms and iterators, compared with those of the standard library.
#include "cub_test.h"

#include <thrust/adjacent_difference.h>
#include <thrust/advance.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/uninitialized_copy.h>
#include <thrust/uninitialized_fill.h>
#include <thrust/unique.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace {

using Ints = std::vector<int>;

template <class Vector>
Ints ints(const Vector& vector) {
  const thrust::host_vector<int> host(vector);
  return Ints(host.begin(), host.end());
}

Ints first(Ints values, std::ptrdiff_t count) {
  values.resize(static_cast<std::size_t>(count));
  return values;
}

struct IsOdd {
  __host__ __device__ bool operator()(int value) { return value % 2 != 0; }
};

TEST_CASE("thrust: sorts, by themselves and with values") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const Ints keys = random_values<int>(n, -20, 20);
    Ints expected = keys;
    thrust::device_vector<int> device(keys);
    std::sort(expected.begin(), expected.end());
    CHECK_FALSE((n > 100 && thrust::is_sorted(device.begin(), device.end())));
    thrust::sort(device.begin(), device.end());
    CHECK_EQ(ints(device), expected);
    CHECK(thrust::is_sorted(device.begin(), device.end()));

    thrust::host_vector<int> host(keys);
    std::sort(expected.begin(), expected.end(), std::greater<int>());
    thrust::sort(host.begin(), host.end(), thrust::greater<int>());
    CHECK_EQ(ints(host), expected);

    Ints places(keys.size());
    std::iota(places.begin(), places.end(), 0);
    thrust::device_vector<int> keys_device(keys), places_device(places);
    thrust::stable_sort_by_key(keys_device.begin(), keys_device.end(), places_device.begin());
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    CHECK_EQ(ints(places_device), places);
  }
}

TEST_CASE("thrust: sort of tuples, through a zip_iterator") {
  thrust::device_vector<int> a(Ints{3, 1, 3, 2});
  thrust::device_vector<int> b(Ints{1, 9, 0, 5});
  auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::sort(zipped, zipped + 4);
  CHECK_EQ(ints(a), Ints{1, 2, 3, 3});
  CHECK_EQ(ints(b), Ints{9, 5, 0, 1});
}

TEST_CASE("thrust: reductions") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const Ints values = random_values<int>(n, -50, 50);
    const thrust::device_vector<int> device(values);
    CHECK_EQ(thrust::reduce(device.begin(), device.end()),
             std::accumulate(values.begin(), values.end(), 0));
    CHECK_EQ(thrust::reduce(device.begin(), device.end(), -100, thrust::maximum<int>()),
             std::accumulate(values.begin(), values.end(), -100,
                             [](int a, int b) { return std::max(a, b); }));
    const auto square_sum = std::inner_product(values.begin(), values.end(), values.begin(), 0LL);
    CHECK_EQ(thrust::transform_reduce(device.begin(), device.end(), thrust::square<long long>(),
                                      0LL, thrust::plus<long long>()),
             square_sum);
    CHECK_EQ(thrust::inner_product(device.begin(), device.end(), device.begin(), 0LL), square_sum);
    CHECK_EQ(thrust::count(device.begin(), device.end(), 7),
             std::count(values.begin(), values.end(), 7));
    CHECK_EQ(thrust::count_if(device.begin(), device.end(), IsOdd()),
             std::count_if(values.begin(), values.end(), IsOdd()));
    CHECK_EQ(thrust::max_element(device.begin(), device.end()) - device.begin(),
             std::max_element(values.begin(), values.end()) - values.begin());
    const auto both = thrust::minmax_element(device.begin(), device.end());
    CHECK_EQ(both.first - device.begin(),
             std::min_element(values.begin(), values.end()) - values.begin());
    CHECK_EQ(both.second - device.begin(),
             std::max_element(values.begin(), values.end()) - values.begin());
    CHECK_EQ(thrust::find(device.begin(), device.end(), 7) - device.begin(),
             std::find(values.begin(), values.end(), 7) - values.begin());
    CHECK_EQ(thrust::find_if_not(device.begin(), device.end(), IsOdd()) - device.begin(),
             std::find_if_not(values.begin(), values.end(), IsOdd()) - values.begin());
    CHECK_EQ(thrust::any_of(device.begin(), device.end(), IsOdd()),
             std::any_of(values.begin(), values.end(), IsOdd()));
    CHECK_EQ(thrust::all_of(device.begin(), device.end(), IsOdd()),
             std::all_of(values.begin(), values.end(), IsOdd()));
    CHECK_EQ(thrust::none_of(device.begin(), device.end(), IsOdd()),
             std::none_of(values.begin(), values.end(), IsOdd()));
  }
}

TEST_CASE("thrust: scans, in place and by key") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const Ints values = random_values<int>(n, -50, 50);
    const Ints keys = random_values<int>(n, 0, 2, 3);
    Ints expected(values.size());
    thrust::device_vector<int> data(values), out(values.size());
    const thrust::device_vector<int> device_keys(keys);

    std::exclusive_scan(values.begin(), values.end(), expected.begin(), 10);
    thrust::exclusive_scan(data.begin(), data.end(), out.begin(), 10);
    CHECK_EQ(ints(out), expected);
    std::transform_inclusive_scan(values.begin(), values.end(), expected.begin(), std::plus<int>(),
                                  std::negate<int>());
    thrust::transform_inclusive_scan(data.begin(), data.end(), out.begin(), thrust::negate<int>(),
                                     thrust::plus<int>());
    CHECK_EQ(ints(out), expected);
    std::transform_exclusive_scan(values.begin(), values.end(), expected.begin(), 3,
                                  std::plus<int>(), std::negate<int>());
    thrust::transform_exclusive_scan(data.begin(), data.end(), out.begin(), thrust::negate<int>(),
                                     3, thrust::plus<int>());
    CHECK_EQ(ints(out), expected);

    for (int i = 0; i < n; ++i) {
      expected[i] =
          i == 0 || keys[i] != keys[i - 1] ? values[i] : std::max(expected[i - 1], values[i]);
    }
    thrust::inclusive_scan_by_key(device_keys.begin(), device_keys.end(), data.begin(), out.begin(),
                                  thrust::equal_to<int>(), thrust::maximum<int>());
    CHECK_EQ(ints(out), expected);
    for (int i = 0; i < n; ++i) {
      expected[i] = i == 0 || keys[i] != keys[i - 1] ? 5 : expected[i - 1] + values[i - 1];
    }
    thrust::exclusive_scan_by_key(device_keys.begin(), device_keys.end(), data.begin(), out.begin(),
                                  5);
    CHECK_EQ(ints(out), expected);

    std::adjacent_difference(values.begin(), values.end(), expected.begin());
    thrust::adjacent_difference(data.begin(), data.end(), out.begin());
    CHECK_EQ(ints(out), expected);
    std::partial_sum(values.begin(), values.end(), expected.begin());
    thrust::inclusive_scan(data.begin(), data.end(), data.begin());
    CHECK_EQ(ints(data), expected);
  }
}

TEST_CASE("thrust: unique items, and values by key") {
  for (const int n : kAwkwardSizes) {
    CAPTURE(n);
    const Ints keys = random_values<int>(n, 0, 3);
    Ints unique_keys, sums, places;
    for (int i = 0; i < n; ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        unique_keys.push_back(keys[i]);
        sums.push_back(0);
        places.push_back(i);
      }
      sums.back() += i;
    }
    const auto runs = static_cast<std::ptrdiff_t>(unique_keys.size());
    thrust::device_vector<int> data(keys), out(keys.size()), values(keys.size());
    const auto count = thrust::make_counting_iterator(0);
    CHECK_EQ(thrust::unique_count(data.begin(), data.end()), runs);
    const auto ends =
        thrust::reduce_by_key(data.begin(), data.end(), count, out.begin(), values.begin());
    CHECK_EQ(ends.first - out.begin(), runs);
    CHECK_EQ(ends.second - values.begin(), runs);
    CHECK_EQ(first(ints(out), runs), unique_keys);
    CHECK_EQ(first(ints(values), runs), sums);
    CHECK_EQ(thrust::reduce_by_key(data.begin(), data.end(), thrust::make_constant_iterator(1),
                                   thrust::make_discard_iterator(), values.begin())
                     .second -
                 values.begin(),
             runs);
    CHECK_EQ(std::accumulate(keys.begin(), keys.end(), 0, [](int sum, int) { return sum + 1; }),
             thrust::reduce(values.begin(), values.begin() + runs));
    thrust::unique_by_key_copy(data.begin(), data.end(), count, thrust::make_discard_iterator(),
                               values.begin());
    CHECK_EQ(first(ints(values), runs), places);
    CHECK_EQ(thrust::unique_copy(data.begin(), data.end(), out.begin()) - out.begin(), runs);
    thrust::sequence(values.begin(), values.end());
    CHECK_EQ(thrust::unique_by_key(data.begin(), data.end(), values.begin()).first - data.begin(),
             runs);
    CHECK_EQ(first(ints(data), runs), unique_keys);
    CHECK_EQ(first(ints(values), runs), places);
    data = keys;
    CHECK_EQ(thrust::unique(data.begin(), data.end(), thrust::equal_to<int>()) - data.begin(),
             runs);
  }
}

TEST_CASE("thrust: transforms, and copies under conditions") {
  const Ints a = random_values<int>(1001, -50, 50);
  const Ints b = random_values<int>(1001, 1, 9, 2);
  Ints expected(a.size());
  thrust::device_vector<int> da(a), db(b), out(a.size());

  using namespace thrust::placeholders;
  std::transform(a.begin(), a.end(), b.begin(), expected.begin(),
                 [](int x, int y) { return 2 * x + y; });
  thrust::transform(da.begin(), da.end(), db.begin(), out.begin(), 2 * _1 + _2);
  CHECK_EQ(ints(out), expected);
  std::transform(a.begin(), a.end(), expected.begin(), expected.begin(),
                 [](int x, int y) { return x % 2 ? -x : y; });
  thrust::transform_if(da.begin(), da.end(), out.begin(), thrust::negate<int>(), IsOdd());
  CHECK_EQ(ints(out), expected);

  Ints odd;
  std::copy_if(a.begin(), a.end(), std::back_inserter(odd), IsOdd());
  CHECK_EQ(thrust::copy_if(da.begin(), da.end(), out.begin(), IsOdd()) - out.begin(),
           static_cast<std::ptrdiff_t>(odd.size()));
  CHECK_EQ(first(ints(out), static_cast<std::ptrdiff_t>(odd.size())), odd);
  Ints kept;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i] > 4) kept.push_back(a[i]);
  }
  CHECK_EQ(thrust::copy_if(da.begin(), da.end(), db.begin(), out.begin(), _1 > 4) - out.begin(),
           static_cast<std::ptrdiff_t>(kept.size()));
  CHECK_EQ(first(ints(out), static_cast<std::ptrdiff_t>(kept.size())), kept);

  thrust::for_each(da.begin(), da.end(), _1 += 5);
  CHECK_EQ(ints(da)[0], a[0] + 5);
  thrust::tabulate(out.begin(), out.end(), _1 * _1);
  CHECK_EQ(ints(out)[31], 961);
  thrust::generate(out.begin(), out.end(), [] { return 8; });
  CHECK_EQ(thrust::count(out.begin(), out.end(), 8), 1001);
  thrust::sequence(out.begin(), out.end(), 3, 4);
  CHECK_EQ(ints(out)[10], 43);
  thrust::fill_n(out.begin(), 3, -1);
  CHECK_EQ(first(ints(out), 4), Ints{-1, -1, -1, 15});
  thrust::swap_ranges(out.begin(), out.begin() + 2, out.begin() + 3);
  CHECK_EQ(first(ints(out), 5), Ints{15, 19, -1, -1, -1});
}

TEST_CASE("thrust: remove, replace, reverse, partition") {
  const Ints a = random_values<int>(777, 0, 9);
  thrust::device_vector<int> data(a), out(a.size()), rest(a.size());
  Ints expected = a;
  expected.erase(std::remove(expected.begin(), expected.end(), 4), expected.end());
  auto kept = thrust::remove(data.begin(), data.end(), 4) - data.begin();
  CHECK_EQ(first(ints(data), kept), expected);
  data = a;
  expected = a;
  expected.erase(std::remove_if(expected.begin(), expected.end(), IsOdd()), expected.end());
  kept = thrust::remove_copy_if(data.begin(), data.end(), out.begin(), IsOdd()) - out.begin();
  CHECK_EQ(first(ints(out), kept), expected);
  kept = thrust::remove_if(data.begin(), data.end(), IsOdd()) - data.begin();
  CHECK_EQ(first(ints(data), kept), expected);

  data = a;
  expected = a;
  std::replace(expected.begin(), expected.end(), 4, -4);
  std::replace_if(expected.begin(), expected.end(), IsOdd(), 100);
  thrust::replace(data.begin(), data.end(), 4, -4);
  thrust::replace_if(data.begin(), data.end(), IsOdd(), 100);
  CHECK_EQ(ints(data), expected);
  std::reverse(expected.begin(), expected.end());
  thrust::reverse_copy(data.begin(), data.end(), out.begin());
  CHECK_EQ(ints(out), expected);
  thrust::reverse(data.begin(), data.end());
  CHECK_EQ(ints(data), expected);
  CHECK_EQ(thrust::reduce(thrust::make_reverse_iterator(data.end()),
                          thrust::make_reverse_iterator(data.begin())),
           std::accumulate(expected.begin(), expected.end(), 0));

  data = a;
  expected = a;
  const auto middle =
      std::stable_partition(expected.begin(), expected.end(), IsOdd()) - expected.begin();
  const auto ends =
      thrust::partition_copy(data.begin(), data.end(), out.begin(), rest.begin(), IsOdd());
  CHECK_EQ(ends.first - out.begin(), middle);
  CHECK_EQ(first(ints(out), middle), first(expected, middle));
  CHECK_EQ(first(ints(rest), 777 - middle), Ints(expected.begin() + middle, expected.end()));
  CHECK_EQ(thrust::stable_partition(data.begin(), data.end(), IsOdd()) - data.begin(), middle);
  CHECK_EQ(ints(data), expected);
}

TEST_CASE("thrust: gather and scatter are each other's inverse") {
  const Ints a = random_values<int>(500, -1000, 1000);
  Ints map(a.size());
  std::iota(map.begin(), map.end(), 0);
  std::shuffle(map.begin(), map.end(), std::mt19937(5));
  const thrust::device_vector<int> data(a), places(map);
  thrust::device_vector<int> gathered(a.size()), back(a.size());
  thrust::gather(places.begin(), places.end(), data.begin(), gathered.begin());
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE_EQ(static_cast<int>(gathered[i]), a[map[i]]);
  thrust::scatter(gathered.begin(), gathered.end(), places.begin(), back.begin());
  CHECK_EQ(ints(back), a);
  const auto permuted = thrust::make_permutation_iterator(data.begin(), places.begin());
  CHECK(thrust::equal(permuted, permuted + 500, gathered.begin()));
  thrust::fill(back.begin(), back.end(), 0);
  thrust::scatter_if(gathered.begin(), gathered.end(), places.begin(), gathered.begin(),
                     back.begin(), IsOdd());
  for (std::size_t i = 0; i < a.size(); ++i)
    REQUIRE_EQ(static_cast<int>(back[i]), a[i] % 2 != 0 ? a[i] : 0);
}

TEST_CASE("thrust: searches in sorted ranges, and merges of them") {
  Ints a = random_values<int>(600, 0, 100);
  Ints b = random_values<int>(333, 0, 100, 2);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const thrust::device_vector<int> da(a), db(b);
  thrust::device_vector<int> lower(b.size()), upper(b.size()), found(b.size()),
      merged(a.size() + b.size());
  thrust::lower_bound(da.begin(), da.end(), db.begin(), db.end(), lower.begin());
  thrust::upper_bound(da.begin(), da.end(), db.begin(), db.end(), upper.begin(),
                      thrust::less<int>());
  thrust::binary_search(da.begin(), da.end(), db.begin(), db.end(), found.begin());
  for (std::size_t i = 0; i < b.size(); ++i) {
    REQUIRE_EQ(static_cast<int>(lower[i]), std::lower_bound(a.begin(), a.end(), b[i]) - a.begin());
    REQUIRE_EQ(static_cast<int>(upper[i]), std::upper_bound(a.begin(), a.end(), b[i]) - a.begin());
    REQUIRE_EQ(static_cast<bool>(found[i]), std::binary_search(a.begin(), a.end(), b[i]));
  }
  CHECK_EQ(thrust::lower_bound(a.begin(), a.end(), 50), std::lower_bound(a.begin(), a.end(), 50));
  const auto range = thrust::equal_range(da.begin(), da.end(), 50);
  CHECK_EQ(range.second - range.first, std::count(a.begin(), a.end(), 50));

  Ints expected(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  thrust::merge(da.begin(), da.end(), db.begin(), db.end(), merged.begin());
  CHECK_EQ(ints(merged), expected);
  thrust::device_vector<int> from(merged.size());
  thrust::merge_by_key(da.begin(), da.end(), db.begin(), db.end(),
                       thrust::make_constant_iterator(1), thrust::make_constant_iterator(2),
                       merged.begin(), from.begin());
  CHECK_EQ(ints(merged), expected);
  CHECK_EQ(thrust::count(from.begin(), from.end(), 2), 333);
  CHECK_EQ(thrust::mismatch(merged.begin(), merged.end(), merged.begin()).first, merged.end());
}

TEST_CASE("thrust: values are constructed in raw memory") {
  int raw[4];
  thrust::uninitialized_fill(raw, raw + 4, 6);
  const Ints source = {1, 2};
  CHECK_EQ(thrust::uninitialized_copy(source.begin(), source.end(), raw), raw + 2);
  CHECK_EQ(Ints(raw, raw + 4), Ints{1, 2, 6, 6});
}

}  // namespace
