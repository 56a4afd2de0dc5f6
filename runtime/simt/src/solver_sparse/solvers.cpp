// Solutions of sparse linear systems and least-squares problems in one call: csrlsv*, csrlsqvqr.
#include <utility>

#include "solver_sparse/cholesky.h"
#include "solver_sparse/context.h"
#include "solver_sparse/lu.h"
#include "solver_sparse/ordering.h"
#include "solver_sparse/qr.h"
#include "sparse/numbers.h"

namespace simtrt::direct {
namespace {

/// Enumerators of the argument `reorder`.
enum Reorder { kNone = 0, kSymrcm = 1, kSymamd = 2, kMetisnd = 3 };

Permutation ordering(int reorder, const Pattern& graph) {
  switch (reorder) {
    case kSymrcm: return reverse_cuthill_mckee(graph);
    case kSymamd: return minimum_degree(graph);
    case kMetisnd: return nested_dissection(graph);
    default: return identity(graph.rows);
  }
}

// Each method solves A x = b and returns -1, or returns the first pivot that is at most `tolerance`.

struct Lu {
  static Pattern graph(const Pattern& a) { return symmetric_graph(a); }

  template <class T>
  static int solve_system(const Matrix<T>& a, Real<T> tolerance, T* x) {
    const LuFactor<T> factor = factor_lu(a, identity(a.pattern.rows), Real<T>(1));
    const int small = first_small(factor.pivots, tolerance);
    if (small < 0) {
      solve(factor, x);
    }
    return small;
  }
};

struct Cholesky {
  static Pattern graph(const Pattern& a) { return symmetric_graph(a); }

  template <class T>
  static int solve_system(const Matrix<T>& a, Real<T> tolerance, T* x) {
    const auto analysis = std::make_shared<const CholeskyAnalysis>(analyse_cholesky(a.pattern));
    const CholeskyFactor<T> factor = factor_cholesky(analysis, a);
    const int small = first_small(factor.diagonal, tolerance);
    if (small < 0) {
      solve(factor, x);
    }
    return small;
  }
};

struct Qr {
  /// R has the structure of a factor of A^H A.
  static Pattern graph(const Pattern& a) { return normal_graph(a); }

  template <class T>
  static int solve_system(const Matrix<T>& a, Real<T> tolerance, T* x) {
    const auto analysis = std::make_shared<const QrAnalysis>(analyse_qr(a.pattern));
    const QrFactor<T> factor = factor_qr(analysis, a);
    const int small = first_small(factor.diagonal(), tolerance);
    if (small >= 0) {
      return analysis->column_order[static_cast<std::size_t>(small)];
    }
    const std::vector<T> b(x, x + a.pattern.rows);
    solve(factor, b.data(), x);
    return -1;
  }
};

template <class T>
struct SystemArguments {
  const T* b;
  Real<T> tolerance;
  int reorder;
  T* x;
  int* singularity;

  bool valid() const {
    return b != nullptr && x != nullptr && singularity != nullptr && reorder >= kNone &&
           reorder <= kMetisnd;
  }
};

template <class Method, class T>
void solve_reordered(Matrix<T> a, const SystemArguments<T>& system) {
  const int n = a.pattern.rows;
  Permutation order = identity(n);
  if (system.reorder != kNone) {
    order = ordering(system.reorder, Method::graph(a.pattern));
    a = moved(a, permute(a.pattern, order.data(), order.data()));
  }
  std::vector<T> y = gather(std::vector<T>(system.b, system.b + n), order);
  *system.singularity = Method::solve_system(a, system.tolerance, y.data());
  if (*system.singularity < 0) {
    for (int i = 0; i < n; ++i) {
      system.x[order[static_cast<std::size_t>(i)]] = y[static_cast<std::size_t>(i)];
    }
  }
}

template <class Method, class T>
simtsolverStatus_t solve_system(Place place, simtsolverSpHandle_t handle, const char* name,
                                const CsrArgument<T>& a, const SystemArguments<T>& system) {
  const simtsolverStatus_t status = check(handle, a, {system.valid()});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  return run(place, handle, name,
             [read = reader(a), system] { solve_reordered<Method>(read(), system); });
}

template <class T>
struct LeastSquaresArguments {
  const T* b;
  Real<T> tolerance;
  int* rank;
  T* x;
  int* order;
  Real<T>* norm;

  bool valid() const {
    return b != nullptr && rank != nullptr && x != nullptr && order != nullptr && norm != nullptr;
  }
};

template <class T>
void solve_least_squares(const Matrix<T>& a, const LeastSquaresArguments<T>& problem) {
  const auto analysis = std::make_shared<const QrAnalysis>(
      analyse_qr(a.pattern, minimum_degree(normal_graph(a.pattern))));
  QrFactor<T> factor = factor_qr(analysis, a);
  *problem.rank = reveal_rank(factor, problem.tolerance);
  *problem.norm = solve(factor, problem.b, problem.x);
  int independent = 0;
  int dependent = *problem.rank;
  for (std::size_t i = 0; i < factor.is_empty.size(); ++i) {
    problem.order[factor.is_empty[i] != 0 ? dependent++ : independent++] =
        analysis->column_order[i];
  }
}

template <class T>
simtsolverStatus_t least_squares(simtsolverSpHandle_t handle, const CsrArgument<T>& a,
                                 const LeastSquaresArguments<T>& problem) {
  const simtsolverStatus_t status = check(handle, a, {a.rows >= a.columns, problem.valid()});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  return run_on_host([&] { solve_least_squares(reader(a)(), problem); });
}

}  // namespace
}  // namespace simtrt::direct

using namespace simtrt;
using namespace simtrt::direct;

extern "C" {

#define DEFINE_SYSTEM(function, Method, place, T, Real)                                            \
  simtsolverStatus_t function(simtsolverSpHandle_t handle, int n, int nnz,                         \
                              simtsparseMatDescr_t descriptor, const T* values,                    \
                              const int* offsets, const int* indices, const T* b, Real tolerance,  \
                              int reorder, T* x, int* singularity) {                               \
    return solve_system<Method>(                                                                   \
        place, handle, #function,                                                                  \
        CsrArgument<SparseValue<T>>{n, n, nnz, descriptor, values_of(values), offsets, indices},      \
        SystemArguments<SparseValue<T>>{values_of(b), tolerance, reorder, values_of(x), singularity});   \
  }
#define DEFINE_SOLVERS(S, T, Real)                                                                 \
  DEFINE_SYSTEM(simtsolverSp##S##csrlsvluHost, Lu, Place::kHost, T, Real)                          \
  DEFINE_SYSTEM(simtsolverSp##S##csrlsvqrHost, Qr, Place::kHost, T, Real)                          \
  DEFINE_SYSTEM(simtsolverSp##S##csrlsvqr, Qr, Place::kDevice, T, Real)                            \
  DEFINE_SYSTEM(simtsolverSp##S##csrlsvcholHost, Cholesky, Place::kHost, T, Real)                  \
  DEFINE_SYSTEM(simtsolverSp##S##csrlsvchol, Cholesky, Place::kDevice, T, Real)                    \
  simtsolverStatus_t simtsolverSp##S##csrlsqvqrHost(                                               \
      simtsolverSpHandle_t handle, int m, int n, int nnz, simtsparseMatDescr_t descriptor,         \
      const T* values, const int* offsets, const int* indices, const T* b, Real tolerance,         \
      int* rank, T* x, int* order, Real* norm) {                                                   \
    return least_squares(                                                                          \
        handle,                                                                                    \
        CsrArgument<SparseValue<T>>{m, n, nnz, descriptor, values_of(values), offsets, indices},      \
        LeastSquaresArguments<SparseValue<T>>{values_of(b), tolerance, rank, values_of(x), order,        \
                                              norm});                                              \
  }
DEFINE_SOLVERS(S, float, float)
DEFINE_SOLVERS(D, double, double)
DEFINE_SOLVERS(C, simtComplex, float)
DEFINE_SOLVERS(Z, simtDoubleComplex, double)

}  // extern "C"
