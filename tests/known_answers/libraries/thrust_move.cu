// Algorithms of thrust that move, select, search and compare: stable partitions, unique, gather and scatter, searches.
// nvcc: -O0
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/equal.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include "thrust_common.h"

using answers::Exact;
using answers::show;

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct Negative {
  __host__ __device__ bool operator()(int x) const { return x < 0; }
};
struct SameHalf {
  __host__ __device__ bool operator()(int a, int b) const { return a / 2 == b / 2; }
};
struct AddTo {
  int* sum;
  __device__ void operator()(int x) const { atomicAdd(sum, x); }
};
struct Five {
  __host__ __device__ int operator()() const { return 5; }
};

void selections(const thrust::device_vector<int>& x) {
  const int n = static_cast<int>(x.size());
  thrust::device_vector<int> y(n, -100), z(n, -100), keys(n);
  auto end = thrust::copy_if(x.begin(), x.end(), y.begin(), IsOdd());
  Exact{"copy_if_count", int(end - y.begin())};
  show("copy_if", y);
  thrust::sequence(keys.begin(), keys.end());
  thrust::fill(y.begin(), y.end(), -100);
  end = thrust::copy_if(x.begin(), x.end(), keys.begin(), y.begin(), IsOdd());
  show("copy_if_stencil", y);
  y = x;
  Exact{"remove_count", int(thrust::remove(y.begin(), y.end(), 2) - y.begin()), int(thrust::remove_if(y.begin(), y.begin() + 20, IsOdd()) - y.begin())};
  auto copied = thrust::remove_copy_if(x.begin(), x.end(), y.begin(), Negative());
  show("remove_copy_if", y, copied - y.begin());
  y = x;
  auto left = thrust::remove_if(y.begin(), y.end(), keys.begin(), IsOdd());
  show("remove_if_stencil", y, left - y.begin());
  y = x;
  auto odd = thrust::stable_partition(y.begin(), y.end(), IsOdd());
  Exact{"stable_partition_point", int(odd - y.begin()), int(thrust::partition_point(y.begin(), y.end(), IsOdd()) - y.begin()),
        thrust::is_partitioned(y.begin(), y.end(), IsOdd()), thrust::is_partitioned(x.begin(), x.end(), IsOdd())};
  show("stable_partition", y);
  auto ends = thrust::stable_partition_copy(x.begin(), x.end(), y.begin(), z.begin(), Negative());
  show("stable_partition_copy_true", y, ends.first - y.begin());
  show("stable_partition_copy_false", z, ends.second - z.begin());
  y = x;
  auto middle = thrust::stable_partition(y.begin(), y.end(), keys.begin(), IsOdd());
  Exact{"partition_stencil_point", int(middle - y.begin())};
  show("partition_stencil", y);
  thrust::device_vector<int> sorted = x;
  thrust::sort(sorted.begin(), sorted.end());
  y = sorted;
  auto last = thrust::unique(y.begin(), y.end());
  show("unique", y, last - y.begin());
  auto halves = thrust::unique_copy(sorted.begin(), sorted.end(), y.begin(), SameHalf());
  show("unique_copy_halves", y, halves - y.begin());
  y = sorted;
  thrust::sequence(keys.begin(), keys.end());
  auto unique_ends = thrust::unique_by_key(y.begin(), y.end(), keys.begin());
  show("unique_by_key_values", keys, unique_ends.second - keys.begin());
  thrust::sequence(keys.begin(), keys.end());
  auto by_key = thrust::unique_by_key_copy(sorted.begin(), sorted.end(), keys.begin(), y.begin(), z.begin(), SameHalf());
  show("unique_by_key_copy_values", z, by_key.second - z.begin());
}

void movements(const thrust::device_vector<int>& x) {
  const int n = static_cast<int>(x.size());
  thrust::device_vector<int> map(n), y(n, -1), stencil(n);
  thrust::host_vector<int> places(n);
  for (int i = 0; i < n; i++) places[i] = (i * 7 + 3) % n;
  map = places;
  thrust::gather(map.begin(), map.end(), x.begin(), y.begin());
  show("gather", y);
  thrust::scatter(x.begin(), x.end(), map.begin(), y.begin());
  show("scatter", y);
  thrust::fill(y.begin(), y.end(), -1);
  thrust::gather_if(map.begin(), map.end(), x.begin(), x.begin(), y.begin(), IsOdd());
  show("gather_if", y);
  thrust::fill(y.begin(), y.end(), -1);
  thrust::scatter_if(x.begin(), x.end(), map.begin(), x.begin(), y.begin(), Negative());
  show("scatter_if", y);
  thrust::sequence(stencil.begin(), stencil.end(), 10, -3);
  show("sequence_step", stencil);
  auto permuted = thrust::make_permutation_iterator(stencil.begin(), map.begin());
  thrust::copy(permuted, permuted + n, y.begin());
  show("permutation_read", y);
  thrust::copy(x.begin(), x.end(), permuted);
  show("permutation_write", stencil);
  y = x;
  thrust::reverse(y.begin(), y.end() - 1);
  show("reverse", y);
  thrust::reverse_copy(x.begin(), x.end(), y.begin());
  show("reverse_copy", y);
  thrust::replace(y.begin(), y.end(), 2, 222);
  thrust::replace_if(y.begin(), y.end(), Negative(), 0);
  show("replace", y);
  thrust::replace_copy_if(x.begin(), x.end(), x.begin(), y.begin(), IsOdd(), 77);
  show("replace_copy_if", y);
  thrust::generate(y.begin(), y.begin() + 3, Five());
  thrust::generate_n(y.begin() + 5, 2, Five());
  thrust::fill_n(y.begin() + 10, 3, 6);
  show("generate", y);
  thrust::device_vector<int> a(4, 1), b(4, 2);
  thrust::swap_ranges(a.begin(), a.end() - 1, b.begin());
  show("swap_ranges", a);
  thrust::device_vector<int> sum(1, 0);
  thrust::for_each(x.begin(), x.end(), AddTo{thrust::raw_pointer_cast(sum.data())});
  auto after = thrust::for_each_n(x.begin(), 10, AddTo{thrust::raw_pointer_cast(sum.data())});
  Exact{"for_each", int(sum[0]), int(after - x.begin())};
}

void searches(const thrust::device_vector<int>& x) {
  thrust::device_vector<int> sorted = x, values(14), places(14);
  thrust::sort(sorted.begin(), sorted.end());
  thrust::sequence(values.begin(), values.end(), -5);
  thrust::lower_bound(sorted.begin(), sorted.end(), values.begin(), values.end(), places.begin());
  show("lower_bounds", places);
  thrust::upper_bound(sorted.begin(), sorted.end(), values.begin(), values.end(), places.begin());
  show("upper_bounds", places);
  thrust::binary_search(sorted.begin(), sorted.end(), values.begin(), values.end(), places.begin());
  show("found", places);
  thrust::sort(sorted.begin(), sorted.end(), thrust::greater<int>());
  thrust::lower_bound(sorted.begin(), sorted.end(), values.begin(), values.end(), places.begin(), thrust::greater<int>());
  show("lower_bounds_down", places);
  Exact{"bounds_of_one", int(thrust::lower_bound(sorted.begin(), sorted.end(), 3, thrust::greater<int>()) - sorted.begin()),
        int(thrust::upper_bound(sorted.begin(), sorted.end(), 3, thrust::greater<int>()) - sorted.begin()),
        thrust::binary_search(sorted.begin(), sorted.end(), 100, thrust::greater<int>())};
  auto range = thrust::equal_range(sorted.begin(), sorted.end(), 2, thrust::greater<int>());
  Exact{"equal_range", int(range.first - sorted.begin()), int(range.second - sorted.begin())};
  Exact{"find", int(thrust::find(x.begin(), x.end(), 5) - x.begin()), int(thrust::find(x.begin(), x.end(), 999) - x.begin()),
        int(thrust::find_if(x.begin(), x.end(), Negative()) - x.begin()),
        int(thrust::find_if_not(x.begin(), x.end(), IsOdd()) - x.begin())};
  thrust::device_vector<int> y = x;
  y[17] = 1234;
  auto places_differ = thrust::mismatch(x.begin(), x.end(), y.begin());
  Exact{"mismatch", int(places_differ.first - x.begin()), int(places_differ.second - y.begin())};
  Exact{"equal", thrust::equal(x.begin(), x.end(), y.begin()), thrust::equal(x.begin(), x.begin() + 17, y.begin()),
        thrust::equal(x.begin(), x.end(), y.begin(), SameHalf()), x == y, x != y};
  // merge takes equal elements from the first range first
  std::vector<int> first = {1, 3, 3, 5, 8}, second = {0, 3, 3, 5, 9, 9};
  thrust::device_vector<int> a(first.begin(), first.end()), b(second.begin(), second.end()), av(5, 1), bv(6, 2), out(11), from(11);
  thrust::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  show("merge", out);
  thrust::merge_by_key(a.begin(), a.end(), b.begin(), b.end(), av.begin(), bv.begin(), out.begin(), from.begin());
  show("merge_by_key_from", from);
}

int main() {
  std::vector<int> host = answers::integers<int>(50, 33, 13, -4);
  thrust::device_vector<int> x(host.begin(), host.end());
  selections(x);
  movements(x);
  searches(x);
  return 0;
}
