// Set operations of thrust with repeated elements: counts of copies, and from which range elements with values come.
// nvcc: -O0
#include <thrust/functional.h>
#include <thrust/set_operations.h>

#include <string>

#include "thrust_common.h"

using answers::show;

template <class Operation>
void apply(const char* name, Operation operation) {
  const std::vector<int> first = {1, 1, 2, 3, 3, 3, 5, 7, 7, 9}, second = {0, 1, 3, 3, 4, 7, 7, 7, 9, 9, 11};
  thrust::device_vector<int> a(first.begin(), first.end()), b(second.begin(), second.end()), out(21, -1);
  auto end = operation(a, b, out);
  show(name, out, end - out.begin());
}

template <class Operation>
void apply_by_key(const char* name, Operation operation) {
  const std::vector<int> first = {1, 1, 2, 3, 3, 3, 5, 7, 7, 9}, second = {0, 1, 3, 3, 4, 7, 7, 7, 9, 9, 11};
  thrust::device_vector<int> a(first.begin(), first.end()), b(second.begin(), second.end()), keys(21), values(21);
  std::vector<int> va, vb;
  for (int i = 0; i < 10; i++) va.push_back(100 + i);
  for (int i = 0; i < 11; i++) vb.push_back(200 + i);
  thrust::device_vector<int> x(va.begin(), va.end()), y(vb.begin(), vb.end());
  auto ends = operation(a, b, x, y, keys, values);
  show((std::string(name) + "_keys").c_str(), keys, ends.first - keys.begin());
  show((std::string(name) + "_values").c_str(), values, ends.second - values.begin());
}

using Vector = thrust::device_vector<int>;

int main() {
  apply("union", [](Vector& a, Vector& b, Vector& out) {
    return thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  });
  apply("intersection", [](Vector& a, Vector& b, Vector& out) {
    return thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  });
  apply("difference", [](Vector& a, Vector& b, Vector& out) {
    return thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  });
  apply("symmetric_difference", [](Vector& a, Vector& b, Vector& out) {
    return thrust::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  });
  apply("union_down", [](Vector& a, Vector& b, Vector& out) {
    return thrust::set_union(a.rbegin(), a.rend(), b.rbegin(), b.rend(), out.begin(), thrust::greater<int>());
  });
  apply("difference_with_nothing", [](Vector& a, Vector& b, Vector& out) {
    return thrust::set_difference(a.begin(), a.end(), b.begin(), b.begin(), out.begin());
  });
  apply_by_key("union_by_key", [](Vector& a, Vector& b, Vector& x, Vector& y, Vector& keys, Vector& values) {
    return thrust::set_union_by_key(a.begin(), a.end(), b.begin(), b.end(), x.begin(), y.begin(), keys.begin(), values.begin());
  });
  apply_by_key("intersection_by_key", [](Vector& a, Vector& b, Vector& x, Vector&, Vector& keys, Vector& values) {
    return thrust::set_intersection_by_key(a.begin(), a.end(), b.begin(), b.end(), x.begin(), keys.begin(), values.begin());
  });
  apply_by_key("difference_by_key", [](Vector& a, Vector& b, Vector& x, Vector& y, Vector& keys, Vector& values) {
    return thrust::set_difference_by_key(a.begin(), a.end(), b.begin(), b.end(), x.begin(), y.begin(), keys.begin(),
                                         values.begin());
  });
  apply_by_key("symmetric_by_key", [](Vector& a, Vector& b, Vector& x, Vector& y, Vector& keys, Vector& values) {
    return thrust::set_symmetric_difference_by_key(a.begin(), a.end(), b.begin(), b.end(), x.begin(), y.begin(),
                                                   keys.begin(), values.begin());
  });
  return 0;
}
