// Scans, reductions and transformations of thrust, with keys, operators and initial values of other types.
// nvcc: -O0
#include <thrust/adjacent_difference.h>
#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <limits>

#include "thrust_common.h"

using answers::Exact;
using answers::Near;
using answers::show;

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct SameTen {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct Affine {  // x -> a x + b modulo a prime; composition does not commute
  unsigned a, b;
};
struct Compose {
  __host__ __device__ Affine operator()(Affine f, Affine g) const {
    return {static_cast<unsigned>(uint64_t(f.a) * g.a % 65521), static_cast<unsigned>((uint64_t(g.a) * f.b + g.b) % 65521)};
  }
};
struct Absolute {
  __host__ __device__ bool operator()(int a, int b) const { return (a < 0 ? -a : a) < (b < 0 ? -b : b); }
};

void scans(const thrust::device_vector<int>& x) {
  thrust::device_vector<int> y(x.size());
  int n = static_cast<int>(x.size());
  thrust::inclusive_scan(x.begin(), x.end(), y.begin());
  show("inclusive", y);
  thrust::inclusive_scan(x.begin(), x.end(), y.begin(), thrust::maximum<int>());
  show("inclusive_maximum", y);
  thrust::exclusive_scan(x.begin(), x.end(), y.begin());
  show("exclusive", y);
  thrust::exclusive_scan(x.begin(), x.end(), y.begin(), 1000);
  show("exclusive_1000", y);
  thrust::exclusive_scan(x.begin(), x.end(), y.begin(), 5, thrust::minimum<int>());
  show("exclusive_minimum", y);
  thrust::transform_inclusive_scan(x.begin(), x.end(), y.begin(), Square(), thrust::plus<int>());
  show("transform_inclusive", y);
  thrust::transform_exclusive_scan(x.begin(), x.end(), y.begin(), Square(), -7, thrust::plus<int>());
  show("transform_exclusive", y);
  thrust::device_vector<int> in_place = x;
  auto end = thrust::exclusive_scan(in_place.begin(), in_place.end(), in_place.begin());
  show("exclusive_in_place", in_place);
  Exact{"exclusive_end", int(end - in_place.begin()), n};
  thrust::device_vector<double> sums(x.size());
  thrust::inclusive_scan(x.begin(), x.end(), sums.begin());
  show("int_to_double", sums);
  thrust::exclusive_scan(x.begin(), x.end(), sums.begin(), 0.5);
  show("initial_double", sums);
  std::vector<uint8_t> bytes(20, 200);
  thrust::device_vector<uint8_t> narrow(bytes.begin(), bytes.end()), narrow_sums(20);
  thrust::device_vector<int> wide_sums(20);
  thrust::inclusive_scan(narrow.begin(), narrow.end(), wide_sums.begin());
  show("narrow_to_wide_inclusive", wide_sums);
  thrust::exclusive_scan(narrow.begin(), narrow.end(), wide_sums.begin());
  show("narrow_to_wide_exclusive", wide_sums);
  thrust::exclusive_scan(narrow.begin(), narrow.end(), wide_sums.begin(), 3);
  show("narrow_to_wide_initial", wide_sums);
  thrust::inclusive_scan(narrow.begin(), narrow.end(), narrow_sums.begin(), thrust::plus<int>());
  show("narrow_sums", narrow_sums);
}

void scans_by_key(const thrust::device_vector<int>& x) {
  std::vector<int> host(x.size());
  for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<int>(i * i / 40) % 25;
  thrust::device_vector<int> keys(host.begin(), host.end()), y(x.size());
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), y.begin());
  show("by_key_inclusive", y);
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), y.begin());
  show("by_key_exclusive", y);
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), y.begin(), 9);
  show("by_key_exclusive_9", y);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), y.begin(), SameTen(), thrust::maximum<int>());
  show("by_key_same_ten", y);
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), y.begin(), 2, SameTen(), thrust::multiplies<int>());
  show("by_key_exclusive_product", y);
  thrust::device_vector<int> out_keys(x.size());
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), x.begin(), out_keys.begin(), y.begin());
  Exact{"reduce_by_key_sizes", int(ends.first - out_keys.begin()), int(ends.second - y.begin())};
  show("reduce_by_key_keys", out_keys, ends.first - out_keys.begin());
  show("reduce_by_key_sums", y, ends.second - y.begin());
  ends = thrust::reduce_by_key(keys.begin(), keys.end(), x.begin(), out_keys.begin(), y.begin(), SameTen(),
                               thrust::minimum<int>());
  show("reduce_same_ten_keys", out_keys, ends.first - out_keys.begin());
  show("reduce_same_ten_minima", y, ends.second - y.begin());
  auto counts = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1),
                                      thrust::make_discard_iterator(), y.begin());
  show("run_lengths", y, counts.second - y.begin());
}

void reductions(const thrust::device_vector<int>& x) {
  Exact{"reduce", thrust::reduce(x.begin(), x.end()), thrust::reduce(x.begin(), x.end(), 10),
        thrust::reduce(x.begin(), x.end(), -1000, thrust::maximum<int>()), thrust::reduce(x.begin(), x.begin(), 42),
        thrust::reduce(x.begin(), x.end(), 0.5)};
  thrust::device_vector<uint8_t> bytes(10, 100);
  Exact{"reduce_bytes", int(thrust::reduce(bytes.begin(), bytes.end())), thrust::reduce(bytes.begin(), bytes.end(), 0)};
  Exact{"transform_reduce", thrust::transform_reduce(x.begin(), x.end(), Square(), 3, thrust::plus<int>())};
  Exact{"inner_product", thrust::inner_product(x.begin(), x.end(), x.begin(), 1),
        thrust::inner_product(x.begin(), x.end() - 1, x.begin() + 1, 0, thrust::plus<int>(), thrust::not_equal_to<int>())};
  Exact{"count", int(thrust::count(x.begin(), x.end(), 4)), int(thrust::count_if(x.begin(), x.end(), IsOdd()))};
  Exact{"logical", thrust::all_of(x.begin(), x.end(), IsOdd()), thrust::any_of(x.begin(), x.end(), IsOdd()),
        thrust::none_of(x.begin(), x.end(), IsOdd()), thrust::all_of(x.begin(), x.begin(), IsOdd()),
        thrust::any_of(x.begin(), x.begin(), IsOdd()), thrust::none_of(x.begin(), x.begin(), IsOdd())};
  std::vector<int> tied = {3, 9, 1, 9, 1, 3, -9, 9, 1, -9, 5};
  thrust::device_vector<int> t(tied.begin(), tied.end());
  auto both = thrust::minmax_element(t.begin(), t.end());
  auto absolute = thrust::minmax_element(t.begin(), t.end(), Absolute());
  Exact{"extrema_ties", int(thrust::min_element(t.begin(), t.end()) - t.begin()),
        int(thrust::max_element(t.begin(), t.end()) - t.begin()), int(both.first - t.begin()), int(both.second - t.begin())};
  Exact{"extrema_absolute", int(thrust::min_element(t.begin(), t.end(), Absolute()) - t.begin()),
        int(thrust::max_element(t.begin(), t.end(), Absolute()) - t.begin()), int(absolute.first - t.begin()),
        int(absolute.second - t.begin())};
  Exact{"extrema_empty", int(thrust::max_element(t.begin(), t.begin()) - t.begin())};
  thrust::device_vector<int> equal(5000, 7);
  auto flat = thrust::minmax_element(equal.begin(), equal.end());
  Exact{"extrema_equal", int(flat.first - equal.begin()), int(flat.second - equal.begin()),
        int(thrust::max_element(equal.begin(), equal.end()) - equal.begin())};
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> host = {nan, 2, 1, 5};
  thrust::device_vector<float> f(host.begin(), host.end());
  Exact{"extrema_nan_first", int(thrust::min_element(f.begin(), f.end()) - f.begin()),
        int(thrust::max_element(f.begin(), f.end()) - f.begin())};
}

void affine_maps() {
  thrust::host_vector<Affine> host(3000);
  answers::Sequence sequence{17};
  for (int i = 0; i < 3000; i++) host[i] = {sequence.next() % 65521, sequence.next() % 65521};
  thrust::device_vector<Affine> maps = host, composed(3000);
  thrust::inclusive_scan(maps.begin(), maps.end(), composed.begin(), Compose());
  answers::show_digest("affine_inclusive", composed);
  thrust::exclusive_scan(maps.begin(), maps.end(), composed.begin(), Affine{1, 0}, Compose());
  answers::show_digest("affine_exclusive", composed);
}

int main() {
  std::vector<int> host = answers::integers<int>(60, 21, 12, -3);
  thrust::device_vector<int> x(host.begin(), host.end()), y(60);
  scans(x);
  scans_by_key(x);
  reductions(x);
  affine_maps();
  thrust::adjacent_difference(x.begin(), x.end(), y.begin());
  show("adjacent_difference", y);
  thrust::adjacent_difference(x.begin(), x.end(), y.begin(), thrust::plus<int>());
  show("adjacent_sums", y);
  thrust::device_vector<int> same = x;
  thrust::adjacent_difference(same.begin(), same.end(), same.begin());
  show("adjacent_in_place", same);
  thrust::transform(x.begin(), x.end(), x.rbegin(), y.begin(), thrust::minus<int>());
  show("transform_two", y);
  thrust::device_vector<int> flags(60);
  thrust::tabulate(flags.begin(), flags.end(), IsOdd());
  thrust::device_vector<int> partial(60, -1);
  thrust::transform_if(x.begin(), x.end(), partial.begin(), Square(), IsOdd());
  show("transform_if", partial);
  thrust::transform_if(x.begin(), x.end(), flags.begin(), y.begin(), thrust::negate<int>(), IsOdd());
  show("transform_if_stencil", y);
  auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Square());
  Exact{"sum_of_squares", thrust::reduce(squares, squares + 100), squares[9], *(squares + 3)};
  std::vector<float> floats(1000);
  answers::Sequence sequence{5};
  for (float& value : floats) value = float(sequence.next()) / float(1 << 20);
  thrust::device_vector<float> f(floats.begin(), floats.end()), g(1000);
  Near{"float_sum", 1e-5, thrust::reduce(f.begin(), f.end()), thrust::reduce(f.begin(), f.end(), 0.0)};
  thrust::inclusive_scan(f.begin(), f.end(), g.begin());
  thrust::host_vector<float> sums = g;
  Near{"float_scan", 1e-5, sums[0], sums[10], sums[500], sums[999]};
  return 0;
}
