// Matrix products of a warp: namespace nvcuda::wmma of CUDA 12.4's mma.h. CUDA C++ Programming
// Guide, "Warp Matrix Functions".
//
// A fragment is a matrix whose elements the lanes of the warp share. As in CUDA, programs must not
// rely on the place of an element; here, lane l holds the elements l, l + warpSize, l + 2 * warpSize
// ... in row-major order. Products of 16-bit and tf32 elements are added in float, in the order of
// the columns of A, beginning with C; a result of type half is rounded once.
//
// Ownership: a fragment is a local variable of each lane. During mma_sync, one lane reads the
// fragments of all lanes and writes their results.
// Threads: all lanes of a warp call each function together.
// Memory ordering: there are no atomics; the lanes of a warp run on one thread of the operating
// system. Loads see writes of the warp before the call; later reads see the stored elements.
#pragma once

#include <simt_bf16.h>
#include <simt_fp16.h>
#include <simt_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace nvcuda::wmma {

// Kinds and layouts of fragments.
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

}  // namespace nvcuda::wmma

namespace simtrt::wmma {

using namespace nvcuda::wmma;  // kinds and layouts

/// Type of the stored elements.
template <class T>
struct Storage {
  using type = T;
};
template <>
struct Storage<precision::tf32> {
  using type = float;
};
template <class T>
using storage_t = typename Storage<T>::type;

/// Type in which products of elements are added.
template <class T>
using sum_t = std::conditional_t<
    std::is_same_v<T, double>, double,
    std::conditional_t<std::is_integral_v<T>, int, float>>;

template <class T>
inline constexpr bool kIsShort =
    std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> ||
    std::is_same_v<T, signed char> || std::is_same_v<T, char> || std::is_same_v<T, unsigned char>;

/// True for the shapes of CUDA with elements T of A or B; any T of a result has all shapes.
template <class T>
constexpr bool is_shape(int m, int n, int k) {
  const bool tile = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
  if constexpr (kIsShort<T>) return tile && k == 16;
  if constexpr (std::is_same_v<T, precision::tf32>) return m == 16 && n == 16 && k == 8;
  if constexpr (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
  return false;
}
template <class T>
constexpr bool is_result_shape(int m, int n, int k) {
  if constexpr (std::is_same_v<T, double>) return is_shape<double>(m, n, k);
  return is_shape<__half>(m, n, k) ||
         (std::is_same_v<T, float> && is_shape<precision::tf32>(m, n, k));
}

/// The calling lane's part of a matrix. A matrix with fewer elements than the warp has lanes leaves the
/// parts of the last lanes unused.
template <int kRows, int kColumns, class T>
struct Part {
  static constexpr int kSize = kRows * kColumns;
  using element_type = T;
  using storage_element_type = storage_t<T>;
  static constexpr int num_elements = (kSize + kWarpSize - 1) / kWarpSize;
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

/// Copies the calling lane's elements from or to memory. `step` is the distance of rows (row-major)
/// or columns.
template <int kRows, int kColumns, class T, class Copy>
void each_element(Part<kRows, kColumns, T>& part, std::size_t step, bool by_rows, Copy copy) {
  const int lane = static_cast<int>(lane_id());
  for (int i = 0; i < part.num_elements; ++i) {
    const std::size_t place = static_cast<std::size_t>(lane + i * kWarpSize);
    if (place >= part.kSize) return;
    const std::size_t row = place / kColumns, column = place % kColumns;
    copy(part.x[i], by_rows ? row * step + column : column * step + row);
  }
}

/// Whole matrix, from the parts of the lanes in `present`.
template <class Sum, int kRows, int kColumns, class T>
void collect(Sum* matrix, const std::uint64_t* parts, lanemask_t present) {
  using Own = Part<kRows, kColumns, T>;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((present >> lane & 1) == 0) continue;
    const Own& part = *reinterpret_cast<const Own*>(static_cast<std::uintptr_t>(parts[lane]));
    for (int i = 0; i < Own::num_elements && lane + i * kWarpSize < Own::kSize; ++i)
      matrix[lane + i * kWarpSize] = static_cast<Sum>(part.x[i]);
  }
}

/// Fragments of one lane.
template <int m, int n, int k, class A, class B, class C, class D>
struct Operands {
  Part<m, n, D>* d;
  const Part<m, k, A>* a;
  const Part<k, n, B>* b;
  const Part<m, n, C>* c;
};

inline int saturated(long long sum) {
  constexpr long long kLeast = INT32_MIN, kGreatest = INT32_MAX;
  return static_cast<int>(sum < kLeast ? kLeast : sum > kGreatest ? kGreatest : sum);
}

/// Computes the product for all lanes. `lanes` holds the addresses of their Operands.
template <int m, int n, int k, class A, class B, class C, class D>
void multiply(const std::uint64_t* lanes, lanemask_t present, bool saturate) {
  using Lane = Operands<m, n, k, A, B, C, D>;
  using Sum = sum_t<A>;
  Sum a[m * k] = {}, b[k * n] = {}, sums[m * n] = {};
  std::uint64_t parts[3][kWarpSize];
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((present >> lane & 1) == 0) continue;
    const Lane& own = *reinterpret_cast<const Lane*>(static_cast<std::uintptr_t>(lanes[lane]));
    parts[0][lane] = reinterpret_cast<std::uintptr_t>(own.a);
    parts[1][lane] = reinterpret_cast<std::uintptr_t>(own.b);
    parts[2][lane] = reinterpret_cast<std::uintptr_t>(own.c);
  }
  collect<Sum, m, k, A>(a, parts[0], present);
  collect<Sum, k, n, B>(b, parts[1], present);
  collect<Sum, m, n, C>(sums, parts[2], present);
  for (int row = 0; row < m; ++row) {
    if constexpr (std::is_integral_v<Sum>) {
      long long exact[n];
      for (int column = 0; column < n; ++column) exact[column] = sums[row * n + column];
      for (int i = 0; i < k; ++i)
        for (int column = 0; column < n; ++column)
          exact[column] += a[row * k + i] * b[i * n + column];
      for (int column = 0; column < n; ++column)
        sums[row * n + column] = saturate ? saturated(exact[column])
                                          : static_cast<int>(static_cast<unsigned>(exact[column]));
    } else {
      for (int i = 0; i < k; ++i)
        for (int column = 0; column < n; ++column)
          sums[row * n + column] += a[row * k + i] * b[i * n + column];
    }
  }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((present >> lane & 1) == 0) continue;
    Part<m, n, D>& d =
        *reinterpret_cast<const Lane*>(static_cast<std::uintptr_t>(lanes[lane]))->d;
    for (int i = 0; i < d.num_elements && lane + i * kWarpSize < m * n; ++i)
      d.x[i] = static_cast<storage_t<D>>(sums[lane + i * kWarpSize]);
  }
}

}  // namespace simtrt::wmma

namespace nvcuda::wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment;

template <int m, int n, int k, class T, class Layout>
class fragment<matrix_a, m, n, k, T, Layout> : public simtrt::wmma::Part<m, k, T> {
  static_assert(simtrt::wmma::is_shape<T>(m, n, k), "CUDA has no such shape for this type");
};
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_b, m, n, k, T, Layout> : public simtrt::wmma::Part<k, n, T> {
  static_assert(simtrt::wmma::is_shape<T>(m, n, k), "CUDA has no such shape for this type");
};
template <int m, int n, int k, class T>
class fragment<accumulator, m, n, k, T, void> : public simtrt::wmma::Part<m, n, T> {
  static_assert(simtrt::wmma::is_result_shape<T>(m, n, k), "CUDA has no such shape for this type");
};

template <class Use, int m, int n, int k, class T, class Layout>
void fill_fragment(fragment<Use, m, n, k, T, Layout>& part,
                   const simtrt::wmma::storage_t<std::enable_if_t<true, T>>& value) {
  for (auto& element : part.x) element = value;
}

/// Loads a matrix whose rows (row_major) or columns begin `step` elements apart.
template <class Use, int m, int n, int k, class T, class Layout>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& part,
                      const simtrt::wmma::storage_t<std::enable_if_t<true, T>>* memory,
                      unsigned step) {
  __syncwarp();
  simtrt::wmma::each_element(part, step, std::is_same_v<Layout, row_major>,
                             [memory](auto& element, std::size_t at) { element = memory[at]; });
}
template <int m, int n, int k, class T>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& part,
                      const simtrt::wmma::storage_t<std::enable_if_t<true, T>>* memory,
                      unsigned step, layout_t layout) {
  __syncwarp();
  simtrt::wmma::each_element(part, step, layout == mem_row_major,
                             [memory](auto& element, std::size_t at) { element = memory[at]; });
}
template <int m, int n, int k, class T>
void store_matrix_sync(simtrt::wmma::storage_t<std::enable_if_t<true, T>>* memory,
                       const fragment<accumulator, m, n, k, T>& part, unsigned step,
                       layout_t layout) {
  fragment<accumulator, m, n, k, T> copy = part;
  simtrt::wmma::each_element(copy, step, layout == mem_row_major,
                             [memory](auto& element, std::size_t at) { memory[at] = element; });
  __syncwarp();
}

/// d = a * b + c. `saturate` limits sums of integers to the range of int.
template <int m, int n, int k, class A, class LayoutA, class B, class LayoutB, class C, class D>
void mma_sync(fragment<accumulator, m, n, k, D>& d,
              const fragment<matrix_a, m, n, k, A, LayoutA>& a,
              const fragment<matrix_b, m, n, k, B, LayoutB>& b,
              const fragment<accumulator, m, n, k, C>& c, bool saturate = false) {
  static_assert(std::is_same_v<A, B>, "A and B have the same type of elements");
  const simtrt::wmma::Operands<m, n, k, A, B, C, D> own{&d, &a, &b, &c};
  std::uint64_t lanes[simtrt::kWarpSize];
  const simtrt::lanemask_t present = simtrt::warp_gather(
      simtrt::kAllLanes, reinterpret_cast<std::uintptr_t>(&own), lanes);
  const simtrt::lanemask_t earlier = (simtrt::lanemask_t{1} << simtrt::lane_id()) - 1;
  if ((present & earlier) == 0)
    simtrt::wmma::multiply<m, n, k, A, B, C, D>(lanes, present, saturate);
  __syncwarp();
}

/// `value` with the 10 bits of precision of tf32, rounded to the nearest (ties away from zero).
inline float __float_to_tf32(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7F800000) != 0x7F800000) bits += 0x1000;
  bits &= 0xFFFFE000;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace nvcuda::wmma
