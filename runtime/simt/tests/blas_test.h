// Code shared by the tests of simtblas: handles, matrices whose products are exact, and naive
// references in double.
//
// Elements are multiples of 1/8 below 2. A float represents sums of a few hundred products exactly,
// so the tests compare results for equality; the order of additions does not matter.
#pragma once

#include "kernel_test.h"

#include <simtblas.h>

#include <complex>
#include <cstdint>

inline doctest::String toString(simtblasStatus_t status) { return simtblasGetStatusName(status); }

#define CHECK_BLAS(...) CHECK_EQ((__VA_ARGS__), SIMTBLAS_STATUS_SUCCESS)
#define REQUIRE_BLAS(...) REQUIRE_EQ((__VA_ARGS__), SIMTBLAS_STATUS_SUCCESS)

using Wide = std::complex<double>;

class BlasHandle {
 public:
  BlasHandle() { REQUIRE_BLAS(simtblasCreate(&handle_)); }
  explicit BlasHandle(simtblasPointerMode_t mode) : BlasHandle() {
    REQUIRE_BLAS(simtblasSetPointerMode(handle_, mode));
  }
  BlasHandle(const BlasHandle&) = delete;
  BlasHandle& operator=(const BlasHandle&) = delete;
  ~BlasHandle() { simtblasDestroy(handle_); }
  operator simtblasHandle_t() const { return handle_; }

 private:
  simtblasHandle_t handle_ = nullptr;
};

/// Converts a pointer to elements of a test to the pointer type of the API.
inline float* api(float* p) { return p; }
inline double* api(double* p) { return p; }
inline simtComplex* api(std::complex<float>* p) { return reinterpret_cast<simtComplex*>(p); }
inline simtDoubleComplex* api(std::complex<double>* p) {
  return reinterpret_cast<simtDoubleComplex*>(p);
}
template <class T>
auto* api(const T* p) {
  return const_cast<const std::remove_pointer_t<decltype(api(const_cast<T*>(p)))>*>(
      api(const_cast<T*>(p)));
}
template <class T>
auto api(T* const* p) {
  return reinterpret_cast<decltype(api(*p)) const*>(p);
}

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

/// Real or complex number as T.
template <class T>
T number(double real, double imaginary = 0) {
  if constexpr (kIsComplex<T>) {
    return T(static_cast<typename T::value_type>(real),
             static_cast<typename T::value_type>(imaginary));
  } else {
    return static_cast<T>(real);
  }
}

/// Pseudo-random numbers of a linear congruential generator (Numerical Recipes, "An Even Quicker
/// Generator").
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<double>(static_cast<int>(state_ >> 24 & 31U) - 16) / 8;
  }
  template <class T>
  T next_as() {
    const double real = next();
    return number<T>(real, kIsComplex<T> ? next() : 0);
  }
  template <class T>
  std::vector<T> list(std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) {
      value = next_as<T>();
    }
    return values;
  }

 private:
  std::uint32_t state_;
};

/// Column-major matrix on the device. If `ld` is larger than `rows`, the matrix has a margin, which
/// no call may write.
template <class T>
class Matrix {
 public:
  Matrix(int rows, int columns, int ld, std::uint32_t seed)
      : rows_(rows),
        columns_(columns),
        ld_(ld),
        before_(Numbers(seed).list<T>(static_cast<std::size_t>(ld) * columns)),
        device_(before_) {}
  Matrix(int rows, int columns, int ld, const std::vector<T>& values)
      : rows_(rows), columns_(columns), ld_(ld), before_(values), device_(values) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int ld() const { return ld_; }
  T* data() const { return device_.data(); }
  auto* pointer() const { return api(device_.data()); }

  /// Element (i, j) before the call.
  Wide at(int i, int j) const { return Wide(before_[index(i, j)]); }
  /// Element (i, j) of op(X), where X is this matrix.
  Wide at(simtblasOperation_t op, int i, int j) const {
    return op == SIMTBLAS_OP_N ? at(i, j) : op == SIMTBLAS_OP_T ? at(j, i) : std::conj(at(j, i));
  }

  /// Distance of the device's matrix from `expected(i, j)`; infinite for a changed margin and for
  /// an unexpected NaN.
  template <class Expected>
  double distance(const Expected& expected) const {
    const std::vector<T> after = device_.values();
    double worst = 0;
    for (int j = 0; j < columns_; ++j) {
      for (int i = 0; i < ld_; ++i) {
        const Wide value = Wide(after[index(i, j)]);
        const Wide wanted = i < rows_ ? Wide(expected(i, j)) : at(i, j);
        const double far = std::abs(value - wanted);
        worst = far <= worst ? worst : far;
        if (i >= rows_ && far != 0) {
          return HUGE_VAL;
        }
        if (far != far) {
          return HUGE_VAL;
        }
      }
    }
    return worst;
  }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * ld_;
  }

  int rows_;
  int columns_;
  int ld_;
  std::vector<T> before_;
  DeviceArray<T> device_;
};

/// Element (i, j) of op(A) op(B): the sum over k of op(A)(i, k) op(B)(k, j).
template <class A, class B>
Wide product_at(simtblasOperation_t transa, const Matrix<A>& a, simtblasOperation_t transb,
                const Matrix<B>& b, int depth, int i, int j) {
  Wide sum = 0;
  for (int k = 0; k < depth; ++k) {
    sum += a.at(transa, i, k) * b.at(transb, k, j);
  }
  return sum;
}

/// Tolerance for T after a solve of a well-conditioned system.
template <class T>
double tolerance() {
  return sizeof(T) / (kIsComplex<T> ? 2 : 1) == 4 ? 1e-4 : 1e-12;
}

inline constexpr simtblasOperation_t kOperations[] = {SIMTBLAS_OP_N, SIMTBLAS_OP_T, SIMTBLAS_OP_C};

/// Functions for elements of T, without the type letter in their names: Calls<T>::gemm.
template <class T>
struct Calls;

#define BLAS_TEST_COMMON(S, s)                                          \
  static constexpr auto axpy = simtblas##S##axpy;                       \
  static constexpr auto copy = simtblas##S##copy;                       \
  static constexpr auto swap = simtblas##S##swap;                       \
  static constexpr auto scal = simtblas##S##scal;                       \
  static constexpr auto rot = simtblas##S##rot;                         \
  static constexpr auto rotg = simtblas##S##rotg;                       \
  static constexpr auto amax = simtblasI##s##amax;                      \
  static constexpr auto amin = simtblasI##s##amin;                      \
  static constexpr auto gemv = simtblas##S##gemv;                       \
  static constexpr auto trmv = simtblas##S##trmv;                       \
  static constexpr auto trsv = simtblas##S##trsv;                       \
  static constexpr auto gemm = simtblas##S##gemm;                       \
  static constexpr auto gemm_batched = simtblas##S##gemmBatched;        \
  static constexpr auto gemm_strided = simtblas##S##gemmStridedBatched; \
  static constexpr auto symm = simtblas##S##symm;                       \
  static constexpr auto syrk = simtblas##S##syrk;                       \
  static constexpr auto syr2k = simtblas##S##syr2k;                     \
  static constexpr auto syrkx = simtblas##S##syrkx;                     \
  static constexpr auto trmm = simtblas##S##trmm;                       \
  static constexpr auto trsm = simtblas##S##trsm;                       \
  static constexpr auto trsm_batched = simtblas##S##trsmBatched;        \
  static constexpr auto geam = simtblas##S##geam;                       \
  static constexpr auto dgmm = simtblas##S##dgmm;                       \
  static constexpr auto getrf = simtblas##S##getrfBatched;              \
  static constexpr auto getrs = simtblas##S##getrsBatched;              \
  static constexpr auto geqrf = simtblas##S##geqrfBatched;              \
  static constexpr auto gels = simtblas##S##gelsBatched;

#define BLAS_TEST_REAL(T, S, s)                              \
  template <>                                                \
  struct Calls<T> {                                          \
    using Real = T;                                          \
    BLAS_TEST_COMMON(S, s)                                   \
    static constexpr auto asum = simtblas##S##asum;          \
    static constexpr auto nrm2 = simtblas##S##nrm2;          \
    static constexpr auto dotu = simtblas##S##dot;           \
    static constexpr auto dotc = simtblas##S##dot;           \
    static constexpr auto geru = simtblas##S##ger;           \
    static constexpr auto gerc = simtblas##S##ger;           \
    static constexpr auto hemv = simtblas##S##symv;          \
    static constexpr auto her = simtblas##S##syr;            \
    static constexpr auto her2 = simtblas##S##syr2;          \
    static constexpr auto hemm = simtblas##S##symm;          \
    static constexpr auto herk = simtblas##S##syrk;          \
    static constexpr auto her2k = simtblas##S##syr2k;        \
    static constexpr auto herkx = simtblas##S##syrkx;        \
    static constexpr auto scale_by_real = simtblas##S##scal; \
  };

#define BLAS_TEST_COMPLEX(R, S, s, sum, norm, real_scal) \
  template <>                                            \
  struct Calls<std::complex<R>> {                        \
    using Real = R;                                      \
    BLAS_TEST_COMMON(S, s)                               \
    static constexpr auto asum = sum;                    \
    static constexpr auto nrm2 = norm;                   \
    static constexpr auto dotu = simtblas##S##dotu;      \
    static constexpr auto dotc = simtblas##S##dotc;      \
    static constexpr auto geru = simtblas##S##geru;      \
    static constexpr auto gerc = simtblas##S##gerc;      \
    static constexpr auto hemv = simtblas##S##hemv;      \
    static constexpr auto her = simtblas##S##her;        \
    static constexpr auto her2 = simtblas##S##her2;      \
    static constexpr auto hemm = simtblas##S##hemm;      \
    static constexpr auto herk = simtblas##S##herk;      \
    static constexpr auto her2k = simtblas##S##her2k;    \
    static constexpr auto herkx = simtblas##S##herkx;    \
    static constexpr auto scale_by_real = real_scal;     \
  };

/// Functions for elements of T, without the type letter in their names. For a real T, the Hermitian
/// functions are the symmetric ones.
BLAS_TEST_REAL(float, S, s)
BLAS_TEST_REAL(double, D, d)
BLAS_TEST_COMPLEX(float, C, c, simtblasScasum, simtblasScnrm2, simtblasCsscal)
BLAS_TEST_COMPLEX(double, Z, z, simtblasDzasum, simtblasDznrm2, simtblasZdscal)

#undef BLAS_TEST_COMMON
#undef BLAS_TEST_REAL
#undef BLAS_TEST_COMPLEX

#define BLAS_TYPES float, double, std::complex<float>, std::complex<double>
