// Linear systems and least squares by a factorisation in a lower precision and refinement in the precision of the
// matrix. Method: LAPACK 3.12, dsgesv; for least squares, the corrected seminormal equations (A. Bjorck, Numerical
// Methods for Least Squares Problems, 1996, section 2.4).
#pragma once

#include <vector>

#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {

/// Options of cusolverDnIRSParams. Another method than classical refinement is not available.
struct Refinement {
  bool refines = true;
  bool falls_back = true;
  int max_iterations = 50;
  double tolerance = 0;  // relative residual; 0 for the machine epsilon of the type
};

/// Column-major matrix of a linear system or of least squares, with its right sides and solutions.
template <class T>
struct LinearProblem {
  int m, n, nrhs;
  T* a;
  int lda;
  const T* b;
  int ldb;
  T* x;
  int ldx;
};

/// Result of a solver. `iterations` is negative if the factorisation in the lower precision was not sufficient:
/// -2 overflow, -3 singular, -max_iterations no convergence.
struct RefinementResult {
  int iterations = 0;
  int info = 0;  // column of the first zero on the diagonal, counted from 1, or 0
};

inline constexpr int kOverflow = -2;
inline constexpr int kSingular = -3;

/// A matrix without gaps between its columns, converted to another precision.
template <class Low, class T>
std::vector<Low> converted(int m, int n, const T* a, int lda) {
  std::vector<Low> result;
  result.reserve(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      result.push_back(static_cast<Low>(a[i + j * lda]));
    }
  }
  return result;
}

/// Largest absolute value of a column, or NaN if the column contains NaN.
template <class T>
double largest(int n, const T* x) {
  double result = 0;
  for (int i = 0; i < n; ++i) {
    const double value = std::abs(x[i]);
    if (std::isnan(value)) {
      return value;
    }
    result = std::max(result, value);
  }
  return result;
}

/// Largest sum of the absolute values of a row.
template <class T>
double row_norm(int m, int n, const T* a, std::ptrdiff_t lda) {
  std::vector<double> sums(static_cast<std::size_t>(m));
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      sums[static_cast<std::size_t>(i)] += std::abs(a[i + j * lda]);
    }
  }
  return largest(m, sums.data());
}

/// LU factors of a square matrix.
template <class Low>
class LuFactors {
 public:
  LuFactors(std::vector<Low> a, int n)
      : n_(n), a_(std::move(a)), pivots_(static_cast<std::size_t>(n)) {
    info_ = host_blas::getrf(n, n, a_.data(), std::max(1, n), pivots_.data());
  }
  int info() const { return info_; }
  const std::vector<int>& pivots() const { return pivots_; }
  const std::vector<Low>& values() const { return a_; }

  void solve(int nrhs, Low* b) const {
    host_blas::getrs('N', n_, nrhs, a_.data(), n_, pivots_.data(), b, n_);
  }

 private:
  int n_;
  int info_;
  std::vector<Low> a_;
  std::vector<int> pivots_;
};

/// QR factors of a matrix with at least as many rows as columns.
template <class Low>
class QrFactors {
 public:
  QrFactors(std::vector<Low> a, int m, int n)
      : m_(m), n_(n), a_(std::move(a)), tau_(static_cast<std::size_t>(n)) {
    lapack::geqrf(m, n, a_.data(), m, tau_.data());
    for (int j = n - 1; j >= 0; --j) {
      if (a_[static_cast<std::size_t>(j) * (static_cast<std::size_t>(m) + 1)] == Low()) info_ = j + 1;
    }
  }
  int info() const { return info_; }
  const std::vector<Low>& values() const { return a_; }

  /// Replaces b (m rows) by the solution of least squares, in its first n rows.
  void least_squares(int nrhs, Low* b) const {
    lapack::unmqr('L', kIsReal<Low> ? 'T' : 'C', m_, nrhs, n_, a_.data(), m_, tau_.data(), b, m_);
    triangular(host_blas::kNoTrans, nrhs, b, m_);
  }
  /// Solves R' R x = g in the place of g.
  void solve(int nrhs, Low* g) const {
    triangular(host_blas::kConjTrans, nrhs, g, n_);
    triangular(host_blas::kNoTrans, nrhs, g, n_);
  }

 private:
  void triangular(host_blas::Transpose trans, int nrhs, Low* b, int ldb) const {
    host_blas::trsm(host_blas::kLeft, host_blas::kUpper, trans, host_blas::kNonUnit, n_, nrhs,
                    Low(1), a_.data(), m_, b, ldb);
  }

  int m_;
  int n_;
  int info_ = 0;
  std::vector<Low> a_;
  std::vector<Low> tau_;
};

/// Corrects the solution, which is 0 at first, by the factors. Square systems correct it by the residual b - A x, least
/// squares by the gradient A'(b - A x).
template <class T, class Low, class Factors>
int refine(const LinearProblem<T>& p, const Factors& factors, const Refinement& options) {
  using Real = typename RealOf<T>::type;
  const bool squares = p.m > p.n || std::is_same_v<Factors, QrFactors<Low>>;
  const double norm = row_norm(p.m, p.n, p.a, p.lda);
  const double epsilon = options.tolerance > 0
                             ? options.tolerance
                             : static_cast<double>(std::numeric_limits<Real>::epsilon());
  const double bound = std::sqrt(static_cast<double>(p.n)) * norm * epsilon;
  for (int j = 0; j < p.nrhs; ++j) {
    std::fill_n(p.x + static_cast<std::ptrdiff_t>(j) * p.ldx, p.n, T());
  }
  std::vector<T> residual, gradient(squares ? static_cast<std::size_t>(p.n) * p.nrhs : 0);
  for (int step = 0;; ++step) {
    residual = converted<T>(p.m, p.nrhs, p.b, p.ldb);
    host_blas::gemm(host_blas::kNoTrans, host_blas::kNoTrans, p.m, p.nrhs, p.n, T(-1), p.a, p.lda,
                    p.x, p.ldx, T(1), residual.data(), p.m);
    if (squares) {
      host_blas::gemm(host_blas::kConjTrans, host_blas::kNoTrans, p.n, p.nrhs, p.m, T(1), p.a,
                      p.lda, residual.data(), p.m, T(0), gradient.data(), p.n);
    }
    const std::vector<T>& error = squares ? gradient : residual;
    bool converged = true;
    for (int j = 0; j < p.nrhs; ++j) {
      const std::ptrdiff_t column = j;
      double size = largest(p.n, p.x + column * p.ldx);
      if (squares) {
        size = norm * size + largest(p.m, p.b + column * p.ldb);
      }
      converged = converged && largest(p.n, error.data() + column * p.n) <= bound * size;
    }
    // The first correction is the solution by the factors alone.
    if (step > 0 && (converged || !options.refines)) {
      return step - 1;
    }
    if (step > options.max_iterations) {
      return -std::max(1, options.max_iterations);
    }
    std::vector<Low> correction = converted<Low>(p.n, p.nrhs, error.data(), p.n);
    factors.solve(p.nrhs, correction.data());
    for (std::ptrdiff_t j = 0; j < p.nrhs; ++j) {
      for (std::ptrdiff_t i = 0; i < p.n; ++i) {
        p.x[i + j * p.ldx] += static_cast<T>(correction[static_cast<std::size_t>(i + j * p.n)]);
      }
    }
  }
}

/// Writes the factors of the fallback over A.
template <class T>
void store(const LinearProblem<T>& p, const std::vector<T>& factors) {
  for (std::ptrdiff_t j = 0; j < p.n; ++j) {
    std::copy_n(factors.data() + j * p.m, p.m, p.a + j * p.lda);
  }
}

/// Solves A X = B. `pivots` may be null. A is unchanged unless the factorisation in the type of A is needed.
template <class T, class Low>
RefinementResult solve_system(const LinearProblem<T>& p, int* pivots, const Refinement& options) {
  RefinementResult result;
  if (p.n == 0 || p.nrhs == 0) {
    return result;
  }
  const std::vector<Low> low = converted<Low>(p.n, p.n, p.a, p.lda);
  const auto write_pivots = [&](const std::vector<int>& from) {
    if (pivots != nullptr) {
      std::copy(from.begin(), from.end(), pivots);
    }
  };
  if (!all_finite(p.n, p.n, low.data(), p.n)) {
    result.iterations = kOverflow;
  } else {
    const LuFactors<Low> factors(low, p.n);
    write_pivots(factors.pivots());
    result.iterations = factors.info() != 0 ? kSingular : refine<T, Low>(p, factors, options);
  }
  if (result.iterations >= 0 || !options.falls_back) {
    return result;
  }
  const LuFactors<T> factors(converted<T>(p.n, p.n, p.a, p.lda), p.n);
  store(p, factors.values());
  write_pivots(factors.pivots());
  result.info = factors.info();
  if (result.info == 0) {
    std::vector<T> x = converted<T>(p.n, p.nrhs, p.b, p.ldb);
    factors.solve(p.nrhs, x.data());
    for (std::ptrdiff_t j = 0; j < p.nrhs; ++j) {
      std::copy_n(x.data() + j * p.n, p.n, p.x + j * p.ldx);
    }
  }
  return result;
}

/// Minimises the norm of B - A X, m >= n.
template <class T, class Low>
RefinementResult solve_least_squares(const LinearProblem<T>& p, const Refinement& options) {
  RefinementResult result;
  if (p.n == 0 || p.nrhs == 0) {
    return result;
  }
  const std::vector<Low> low = converted<Low>(p.m, p.n, p.a, p.lda);
  if (!all_finite(p.m, p.n, low.data(), p.m)) {
    result.iterations = kOverflow;
  } else {
    const QrFactors<Low> factors(low, p.m, p.n);
    result.iterations = factors.info() != 0 ? kSingular : refine<T, Low>(p, factors, options);
  }
  if (result.iterations >= 0 || !options.falls_back) {
    return result;
  }
  const QrFactors<T> factors(converted<T>(p.m, p.n, p.a, p.lda), p.m, p.n);
  store(p, factors.values());
  result.info = factors.info();
  if (result.info == 0) {
    std::vector<T> x = converted<T>(p.m, p.nrhs, p.b, p.ldb);
    factors.least_squares(p.nrhs, x.data());
    for (std::ptrdiff_t j = 0; j < p.nrhs; ++j) {
      std::copy_n(x.data() + j * p.m, p.n, p.x + j * p.ldx);
    }
  }
  return result;
}

/// Checks the arguments of a solver. Sizes are m x n for A, m x nrhs for B and n x nrhs for X.
template <class T>
simtsolverStatus_t check_problem(simtsolverDnHandle_t handle, const LinearProblem<T>& p) {
  return checked(handle,
                 {p.n >= 0, p.m >= p.n, p.nrhs >= 0, holds(p.lda, p.m), holds(p.ldb, p.m),
                  holds(p.ldx, p.n)},
                 {});
}

/// Result of a workspace query in bytes.
inline simtsolverStatus_t answer_bytes(simtsolverStatus_t status, std::size_t* size) {
  if (status == SIMTSOLVER_STATUS_SUCCESS && size == nullptr) {
    status = SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  if (status == SIMTSOLVER_STATUS_SUCCESS) {
    *size = kWorkspaceBytes;
  }
  return status;
}

/// Submits `solve()`, which returns a RefinementResult, and waits for the number of iterations.
template <class T, class Solve>
simtsolverStatus_t submit_refinement(simtsolverDnHandle_t handle, const char* name,
                                     const LinearProblem<T>& p, Workspace workspace,
                                     int* iterations, int* info, Solve solve) {
  simtsolverStatus_t status = check_problem(handle, p);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(p.a, p.n) || !there(p.b, std::min(p.m, p.nrhs)) ||
      !there(p.x, std::min(p.n, p.nrhs)) || iterations == nullptr || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  if (!workspace.valid()) {
    return SIMTSOLVER_STATUS_INVALID_WORKSPACE;
  }
  status = solver_submit(handle, name, [=] {
    const RefinementResult result = solve();
    *iterations = result.iterations;
    *info = result.info;
  });
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  return simtStreamSynchronize(handle->stream) == simtSuccess ? SIMTSOLVER_STATUS_SUCCESS
                                                              : SIMTSOLVER_STATUS_EXECUTION_FAILED;
}

}  // namespace simtrt
