// Reduction of symmetric and Hermitian matrices to tridiagonal form and of general matrices to bidiagonal form, and
// the orthogonal or unitary factors of both.
#include "solver/context.h"
#include "solver/lapack_reduction.h"

namespace simtrt {
namespace {

simtsolverStatus_t check_triangle(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n,
                                  int lda) {
  return checked(handle, {valid(uplo), n >= 0, holds(lda, n)}, {});
}

/// Submits `reduce()`, which returns LAPACK's info, if the arguments are valid.
template <class Reduce>
simtsolverStatus_t submit(simtsolverDnHandle_t handle, const char* name, simtsolverStatus_t status,
                          bool has_arrays, Workspace workspace, int* info, Reduce reduce) {
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!has_arrays || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] { *info = reduce(); });
}

template <class T, class Real>
simtsolverStatus_t sytrd(simtsolverDnHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         int n, T* a, int lda, Real* d, Real* e, T* tau, Workspace workspace,
                         int* info) {
  return submit(handle, name, check_triangle(handle, uplo, n, lda),
                there(a, n) && there(d, n) && there(e, n - 1) && there(tau, n - 1), workspace, info,
                [=] { return lapack::hetrd(letter(uplo), n, a, lda, d, e, tau); });
}

template <class T>
simtsolverStatus_t orgtr(simtsolverDnHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         int n, T* a, int lda, const T* tau, Workspace workspace, int* info) {
  return submit(handle, name, check_triangle(handle, uplo, n, lda),
                there(a, n) && there(tau, n - 1), workspace, info,
                [=] { return lapack::ungtr(letter(uplo), n, a, lda, tau); });
}

template <class T>
simtsolverStatus_t check_ormtr(simtsolverDnHandle_t handle, simtblasSideMode_t side,
                               simtblasFillMode_t uplo, simtblasOperation_t trans, int m, int n,
                               int lda, int ldc) {
  return checked(handle,
                 {valid(side), valid(uplo), valid(trans), kIsReal<T> || trans != SIMTBLAS_OP_T,
                  m >= 0, n >= 0, holds(lda, side == SIMTBLAS_SIDE_LEFT ? m : n), holds(ldc, m)},
                 {});
}

template <class T>
simtsolverStatus_t ormtr(simtsolverDnHandle_t handle, const char* name, simtblasSideMode_t side,
                         simtblasFillMode_t uplo, simtblasOperation_t trans, int m, int n,
                         const T* a, int lda, const T* tau, T* c, int ldc, Workspace workspace,
                         int* info) {
  const int order = side == SIMTBLAS_SIDE_LEFT ? m : n;
  const bool empty = m == 0 || n == 0;
  const char operation = trans == SIMTBLAS_OP_N ? 'N' : kIsReal<T> ? 'T' : 'C';
  return submit(handle, name, check_ormtr<T>(handle, side, uplo, trans, m, n, lda, ldc),
                empty || (there(a, order) && there(tau, order - 1) && c != nullptr), workspace,
                info, [=] {
                  return lapack::unmtr(side == SIMTBLAS_SIDE_LEFT ? 'L' : 'R', letter(uplo),
                                       operation, m, n, a, lda, tau, c, ldc);
                });
}

template <class T, class Real>
simtsolverStatus_t gebrd(simtsolverDnHandle_t handle, const char* name, int m, int n, T* a, int lda,
                         Real* d, Real* e, T* tauq, T* taup, Workspace workspace, int* info) {
  return submit(handle, name, checked(handle, {n >= 0, m >= n, holds(lda, m)}, {}),
                there(a, n) && there(d, n) && there(e, n - 1) && there(tauq, n) && there(taup, n),
                workspace, info,
                [=] { return lapack::gebrd(m, n, a, lda, d, e, tauq, taup); });
}

/// Left: columns of Q, m >= n >= min(m, k). Right: rows of P', n >= m >= min(n, k).
simtsolverStatus_t check_orgbr(simtsolverDnHandle_t handle, simtblasSideMode_t side, int m, int n,
                               int k, int lda) {
  const int longer = side == SIMTBLAS_SIDE_LEFT ? m : n;
  const int shorter = side == SIMTBLAS_SIDE_LEFT ? n : m;
  return checked(handle,
                 {valid(side), m >= 0, n >= 0, k >= 0, longer >= shorter,
                  shorter >= std::min(longer, k), holds(lda, m)},
                 {});
}

template <class T>
simtsolverStatus_t orgbr(simtsolverDnHandle_t handle, const char* name, simtblasSideMode_t side,
                         int m, int n, int k, T* a, int lda, const T* tau, Workspace workspace,
                         int* info) {
  const bool empty = m == 0 || n == 0;
  return submit(handle, name, check_orgbr(handle, side, m, n, k, lda),
                empty || (a != nullptr && there(tau, k)), workspace, info, [=] {
                  return lapack::ungbr(side == SIMTBLAS_SIDE_LEFT ? 'Q' : 'P', m, n, k, a, lda,
                                       tau);
                });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_REDUCTION(sytrd_name, orgtr_name, ormtr_name, gebrd_name, orgbr_name, T, Real)      \
  simtsolverStatus_t sytrd_name##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, \
                                             int n, const T*, int lda, const Real*, const Real*,   \
                                             const T*, int* lwork) {                               \
    return answer(check_triangle(handle, uplo, n, lda), lwork);                                    \
  }                                                                                                \
  simtsolverStatus_t sytrd_name(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A, \
                                int lda, Real* d, Real* e, T* tau, T* work, int lwork,             \
                                int* info) {                                                       \
    return sytrd(handle, #sytrd_name, uplo, n, native(A), lda, d, e, native(tau),                  \
                 Workspace::elements(work, lwork), info);                                          \
  }                                                                                                \
  simtsolverStatus_t orgtr_name##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, \
                                             int n, const T*, int lda, const T*, int* lwork) {     \
    return answer(check_triangle(handle, uplo, n, lda), lwork);                                    \
  }                                                                                                \
  simtsolverStatus_t orgtr_name(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A, \
                                int lda, const T* tau, T* work, int lwork, int* info) {            \
    return orgtr(handle, #orgtr_name, uplo, n, native(A), lda, native(tau),                        \
                 Workspace::elements(work, lwork), info);                                          \
  }                                                                                                \
  simtsolverStatus_t ormtr_name##_bufferSize(                                                      \
      simtsolverDnHandle_t handle, simtblasSideMode_t side, simtblasFillMode_t uplo,               \
      simtblasOperation_t trans, int m, int n, const T* A, int lda, const T*, const T*, int ldc,   \
      int* lwork) {                                                                                \
    using Element = std::remove_const_t<std::remove_pointer_t<decltype(native(A))>>;               \
    return answer(check_ormtr<Element>(handle, side, uplo, trans, m, n, lda, ldc), lwork);         \
  }                                                                                                \
  simtsolverStatus_t ormtr_name(simtsolverDnHandle_t handle, simtblasSideMode_t side,              \
                                simtblasFillMode_t uplo, simtblasOperation_t trans, int m, int n,  \
                                T* A, int lda, T* tau, T* C, int ldc, T* work, int lwork,          \
                                int* info) {                                                       \
    using Element = std::remove_pointer_t<decltype(native(A))>;                                    \
    return ormtr<Element>(handle, #ormtr_name, side, uplo, trans, m, n, native(A), lda,            \
                          native(tau), native(C), ldc, Workspace::elements(work, lwork), info);    \
  }                                                                                                \
  simtsolverStatus_t gebrd_name##_bufferSize(simtsolverDnHandle_t handle, int m, int n,            \
                                             int* Lwork) {                                         \
    return answer(checked(handle, {n >= 0, m >= n}, {}), Lwork);                                   \
  }                                                                                                \
  simtsolverStatus_t gebrd_name(simtsolverDnHandle_t handle, int m, int n, T* A, int lda, Real* D, \
                                Real* E, T* TAUQ, T* TAUP, T* Work, int Lwork, int* devInfo) {     \
    return gebrd(handle, #gebrd_name, m, n, native(A), lda, D, E, native(TAUQ), native(TAUP),      \
                 Workspace::elements(Work, Lwork), devInfo);                                       \
  }                                                                                                \
  simtsolverStatus_t orgbr_name##_bufferSize(simtsolverDnHandle_t handle, simtblasSideMode_t side, \
                                             int m, int n, int k, const T*, int lda, const T*,     \
                                             int* lwork) {                                         \
    return answer(check_orgbr(handle, side, m, n, k, lda), lwork);                                 \
  }                                                                                                \
  simtsolverStatus_t orgbr_name(simtsolverDnHandle_t handle, simtblasSideMode_t side, int m,       \
                                int n, int k, T* A, int lda, const T* tau, T* work, int lwork,     \
                                int* info) {                                                       \
    return orgbr(handle, #orgbr_name, side, m, n, k, native(A), lda, native(tau),                  \
                 Workspace::elements(work, lwork), info);                                          \
  }
DEFINE_REDUCTION(simtsolverDnSsytrd, simtsolverDnSorgtr, simtsolverDnSormtr, simtsolverDnSgebrd,
                 simtsolverDnSorgbr, float, float)
DEFINE_REDUCTION(simtsolverDnDsytrd, simtsolverDnDorgtr, simtsolverDnDormtr, simtsolverDnDgebrd,
                 simtsolverDnDorgbr, double, double)
DEFINE_REDUCTION(simtsolverDnChetrd, simtsolverDnCungtr, simtsolverDnCunmtr, simtsolverDnCgebrd,
                 simtsolverDnCungbr, simtComplex, float)
DEFINE_REDUCTION(simtsolverDnZhetrd, simtsolverDnZungtr, simtsolverDnZunmtr, simtsolverDnZgebrd,
                 simtsolverDnZungbr, simtDoubleComplex, double)
#undef DEFINE_REDUCTION

}  // extern "C"
