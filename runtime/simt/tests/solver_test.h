// Code shared by the tests of simtsolver: handles, small matrices in double, and functions by
// element type.
#pragma once

#include "blas_test.h"

#include <simtsolver.h>

#include <algorithm>
#include <cmath>
#include <limits>

#define CHECK_SOLVER(...) CHECK_EQ((__VA_ARGS__), SIMTSOLVER_STATUS_SUCCESS)
#define REQUIRE_SOLVER(...) REQUIRE_EQ((__VA_ARGS__), SIMTSOLVER_STATUS_SUCCESS)

class SolverHandle {
 public:
  SolverHandle() { REQUIRE_SOLVER(simtsolverDnCreate(&handle_)); }
  SolverHandle(const SolverHandle&) = delete;
  SolverHandle& operator=(const SolverHandle&) = delete;
  ~SolverHandle() { simtsolverDnDestroy(handle_); }
  operator simtsolverDnHandle_t() const { return handle_; }

 private:
  simtsolverDnHandle_t handle_ = nullptr;
};

/// Options of the Jacobi methods.
class JacobiOptions {
 public:
  JacobiOptions() {
    REQUIRE_SOLVER(simtsolverDnCreateSyevjInfo(&eigen));
    REQUIRE_SOLVER(simtsolverDnCreateGesvdjInfo(&svd));
  }
  JacobiOptions(const JacobiOptions&) = delete;
  JacobiOptions& operator=(const JacobiOptions&) = delete;
  ~JacobiOptions() {
    simtsolverDnDestroySyevjInfo(eigen);
    simtsolverDnDestroyGesvdjInfo(svd);
  }
  syevjInfo_t eigen = nullptr;
  gesvdjInfo_t svd = nullptr;
};

/// Host matrix in double, column-major without a margin.
struct Dense {
  int rows = 0;
  int columns = 0;
  std::vector<Wide> values;

  Dense(int rows_, int columns_)
      : rows(rows_), columns(columns_), values(static_cast<std::size_t>(rows_) * columns_) {}
  /// First rows and columns of a matrix with leading dimension `ld`.
  template <class T>
  Dense(int rows_, int columns_, int ld, const T* from) : Dense(rows_, columns_) {
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        (*this)(i, j) = Wide(from[i + static_cast<std::ptrdiff_t>(j) * ld]);
      }
    }
  }
  template <class T>
  Dense(int rows_, int columns_, const std::vector<T>& from)
      : Dense(rows_, columns_, rows_, from.data()) {}

  Wide& operator()(int i, int j) { return values[static_cast<std::size_t>(i + j * rows)]; }
  const Wide& operator()(int i, int j) const {
    return values[static_cast<std::size_t>(i + j * rows)];
  }

  static Dense identity(int n) { return diagonal(std::vector<double>(n, 1)); }
  template <class Real>
  static Dense diagonal(const std::vector<Real>& values) {
    const int n = static_cast<int>(values.size());
    Dense result(n, n);
    for (int i = 0; i < n; ++i) {
      result(i, i) = values[i];
    }
    return result;
  }

  Dense op(simtblasOperation_t operation) const {
    if (operation == SIMTBLAS_OP_N) {
      return *this;
    }
    Dense result(columns, rows);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        result(j, i) = operation == SIMTBLAS_OP_C ? std::conj((*this)(i, j)) : (*this)(i, j);
      }
    }
    return result;
  }
  Dense adjoint() const { return op(SIMTBLAS_OP_C); }
  Dense first_columns(int count) const { return Dense(rows, count, rows, values.data()); }

  /// The same numbers as elements of type T.
  template <class T>
  std::vector<T> as() const {
    std::vector<T> result;
    for (const Wide& value : values) {
      result.push_back(number<T>(value.real(), value.imag()));
    }
    return result;
  }
};

inline Dense operator*(const Dense& a, const Dense& b) {
  REQUIRE_EQ(a.columns, b.rows);
  Dense result(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j) {
    for (int k = 0; k < a.columns; ++k) {
      for (int i = 0; i < a.rows; ++i) {
        result(i, j) += a(i, k) * b(k, j);
      }
    }
  }
  return result;
}

/// Largest difference of two elements; infinite if an element is NaN.
inline double distance(const Dense& a, const Dense& b) {
  REQUIRE_EQ(a.rows, b.rows);
  REQUIRE_EQ(a.columns, b.columns);
  double largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double difference = std::abs(a.values[i] - b.values[i]);
    largest = difference <= largest    ? largest
              : std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                       : difference;
  }
  return largest;
}

template <class T>
Dense random(int rows, int columns, std::uint32_t seed) {
  return Dense(rows, columns, Numbers(seed).list<T>(static_cast<std::size_t>(rows) * columns));
}

/// Matrix B + B^H (or B + B^T), where B is random.
template <class T>
Dense random_symmetric(int n, std::uint32_t seed, simtblasOperation_t operation = SIMTBLAS_OP_C) {
  const Dense b = random<T>(n, n, seed), other = b.op(operation);
  Dense sum(n, n);
  for (std::size_t i = 0; i < sum.values.size(); ++i) {
    sum.values[i] = b.values[i] + other.values[i];
  }
  return sum;
}

/// Matrix in which `other` replaces all elements outside of the triangle `uplo`.
inline Dense triangle(const Dense& a, simtblasFillMode_t uplo, Wide other) {
  Dense result = a;
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      if (uplo == SIMTBLAS_FILL_MODE_LOWER ? i < j : i > j) {
        result(i, j) = other;
      }
    }
  }
  return result;
}

inline constexpr simtblasFillMode_t kTriangles[] = {SIMTBLAS_FILL_MODE_LOWER,
                                                    SIMTBLAS_FILL_MODE_UPPER};

/// Device array of pointers to `count` matrices with a distance of `step` elements.
template <class T>
std::vector<T*> pointers_to(T* first, int step, int count) {
  std::vector<T*> pointers;
  for (int i = 0; i < count; ++i) {
    pointers.push_back(first + static_cast<std::ptrdiff_t>(i) * step);
  }
  return pointers;
}

/// Functions for elements of T, without the type letter in their names. Unitary and Hermitian
/// functions have the names of the real ones.
template <class T>
struct Solver;

#define SOLVER_TEST(T, R, TYPE, S, gqr, mqr, sy)                                           \
  template <>                                                                              \
  struct Solver<T> {                                                                       \
    using Real = R;                                                                        \
    static constexpr simtDataType kType = TYPE;                                            \
    static constexpr auto potrf_size = simtsolverDn##S##potrf_bufferSize;                  \
    static constexpr auto potrf = simtsolverDn##S##potrf;                                  \
    static constexpr auto potrs = simtsolverDn##S##potrs;                                  \
    static constexpr auto potrf_batched = simtsolverDn##S##potrfBatched;                   \
    static constexpr auto potrs_batched = simtsolverDn##S##potrsBatched;                   \
    static constexpr auto getrf_size = simtsolverDn##S##getrf_bufferSize;                  \
    static constexpr auto getrf = simtsolverDn##S##getrf;                                  \
    static constexpr auto getrs = simtsolverDn##S##getrs;                                  \
    static constexpr auto sytrf_size = simtsolverDn##S##sytrf_bufferSize;                  \
    static constexpr auto sytrf = simtsolverDn##S##sytrf;                                  \
    static constexpr auto geqrf_size = simtsolverDn##S##geqrf_bufferSize;                  \
    static constexpr auto geqrf = simtsolverDn##S##geqrf;                                  \
    static constexpr auto orgqr_size = simtsolverDn##S##gqr##_bufferSize;                  \
    static constexpr auto orgqr = simtsolverDn##S##gqr;                                    \
    static constexpr auto ormqr_size = simtsolverDn##S##mqr##_bufferSize;                  \
    static constexpr auto ormqr = simtsolverDn##S##mqr;                                    \
    static constexpr auto syevd_size = simtsolverDn##S##sy##evd_bufferSize;                \
    static constexpr auto syevd = simtsolverDn##S##sy##evd;                                \
    static constexpr auto syevj_size = simtsolverDn##S##sy##evj_bufferSize;                \
    static constexpr auto syevj = simtsolverDn##S##sy##evj;                                \
    static constexpr auto syevj_batched_size = simtsolverDn##S##sy##evjBatched_bufferSize; \
    static constexpr auto syevj_batched = simtsolverDn##S##sy##evjBatched;                 \
    static constexpr auto gesvd_size = simtsolverDn##S##gesvd_bufferSize;                  \
    static constexpr auto gesvd = simtsolverDn##S##gesvd;                                  \
    static constexpr auto gesvdj_size = simtsolverDn##S##gesvdj_bufferSize;                \
    static constexpr auto gesvdj = simtsolverDn##S##gesvdj;                                \
    static constexpr auto gesvdj_batched_size = simtsolverDn##S##gesvdjBatched_bufferSize; \
    static constexpr auto gesvdj_batched = simtsolverDn##S##gesvdjBatched;                 \
    static constexpr auto gesvda_size = simtsolverDn##S##gesvdaStridedBatched_bufferSize;  \
    static constexpr auto gesvda = simtsolverDn##S##gesvdaStridedBatched;                  \
  };
SOLVER_TEST(float, float, SIMT_R_32F, S, orgqr, ormqr, sy)
SOLVER_TEST(double, double, SIMT_R_64F, D, orgqr, ormqr, sy)
SOLVER_TEST(std::complex<float>, float, SIMT_C_32F, C, ungqr, unmqr, he)
SOLVER_TEST(std::complex<double>, double, SIMT_C_64F, Z, ungqr, unmqr, he)
#undef SOLVER_TEST
