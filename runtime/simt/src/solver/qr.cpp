// QR factorisation, its orthogonal or unitary factor, and products with this factor.
#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

simtsolverStatus_t check_matrix(simtsolverDnHandle_t handle, std::int64_t m, std::int64_t n,
                                std::int64_t lda) {
  return checked(handle, {m >= 0, n >= 0, holds(lda, m)}, {m, n, lda});
}

template <class T>
simtsolverStatus_t geqrf(simtsolverDnHandle_t handle, const char* name, std::int64_t m,
                         std::int64_t n, T* a, std::int64_t lda, T* tau, Workspace workspace,
                         int* info) {
  const simtsolverStatus_t status = check_matrix(handle, m, n, lda);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, m * n) || !there(tau, m * n) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    *info = lapack::geqrf(static_cast<int>(m), static_cast<int>(n), a, static_cast<int>(lda), tau);
  });
}

simtsolverStatus_t check_orgqr(simtsolverDnHandle_t handle, int m, int n, int k, int lda) {
  return checked(handle, {k >= 0, n >= k, m >= n, holds(lda, m)}, {});
}

template <class T>
simtsolverStatus_t orgqr(simtsolverDnHandle_t handle, const char* name, int m, int n, int k, T* a,
                         int lda, const T* tau, Workspace workspace, int* info) {
  const simtsolverStatus_t status = check_orgqr(handle, m, n, k, lda);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !there(tau, k) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] { *info = lapack::ungqr(m, n, k, a, lda, tau); });
}

template <class T>
simtsolverStatus_t check_ormqr(simtsolverDnHandle_t handle, simtblasSideMode_t side,
                               simtblasOperation_t trans, int m, int n, int k, int lda, int ldc) {
  const int order = side == SIMTBLAS_SIDE_LEFT ? m : n;
  return checked(handle,
                 {valid(side), valid(trans), kIsReal<T> || trans != SIMTBLAS_OP_T, m >= 0, n >= 0,
                  k >= 0, k <= order, holds(lda, order), holds(ldc, m)},
                 {});
}

template <class T>
simtsolverStatus_t ormqr(simtsolverDnHandle_t handle, const char* name, simtblasSideMode_t side,
                         simtblasOperation_t trans, int m, int n, int k, const T* a, int lda,
                         const T* tau, T* c, int ldc, Workspace workspace, int* info) {
  const simtsolverStatus_t status = check_ormqr<T>(handle, side, trans, m, n, k, lda, ldc);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  const bool empty = m == 0 || n == 0;
  if (!there(a, k) || !there(tau, k) || !(empty || c != nullptr) || !workspace.valid() ||
      info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  const char operation = trans == SIMTBLAS_OP_N ? 'N' : kIsReal<T> ? 'T' : 'C';
  return solver_submit(handle, name, [=] {
    *info = lapack::unmqr(side == SIMTBLAS_SIDE_LEFT ? 'L' : 'R', operation, m, n, k, a, lda, tau,
                          c, ldc);
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GEQRF(geqrf_name, orgqr_name, ormqr_name, T)                                       \
  simtsolverStatus_t geqrf_name##_bufferSize(simtsolverDnHandle_t handle, int m, int n, T*,       \
                                             int lda, int* lwork) {                               \
    return answer(check_matrix(handle, m, n, lda), lwork);                                        \
  }                                                                                               \
  simtsolverStatus_t geqrf_name(simtsolverDnHandle_t handle, int m, int n, T* A, int lda, T* TAU, \
                                T* work, int lwork, int* devInfo) {                               \
    return geqrf(handle, #geqrf_name, m, n, native(A), lda, native(TAU),                          \
                 Workspace::elements(work, lwork), devInfo);                                      \
  }                                                                                               \
  simtsolverStatus_t orgqr_name##_bufferSize(simtsolverDnHandle_t handle, int m, int n, int k,    \
                                             const T*, int lda, const T*, int* lwork) {           \
    return answer(check_orgqr(handle, m, n, k, lda), lwork);                                      \
  }                                                                                               \
  simtsolverStatus_t orgqr_name(simtsolverDnHandle_t handle, int m, int n, int k, T* A, int lda,  \
                                const T* tau, T* work, int lwork, int* info) {                    \
    return orgqr(handle, #orgqr_name, m, n, k, native(A), lda, native(tau),                       \
                 Workspace::elements(work, lwork), info);                                         \
  }                                                                                               \
  simtsolverStatus_t ormqr_name##_bufferSize(                                                     \
      simtsolverDnHandle_t handle, simtblasSideMode_t side, simtblasOperation_t trans, int m,     \
      int n, int k, const T* A, int lda, const T*, const T*, int ldc, int* lwork) {               \
    using Element = std::remove_const_t<std::remove_pointer_t<decltype(native(A))>>;              \
    return answer(check_ormqr<Element>(handle, side, trans, m, n, k, lda, ldc), lwork);           \
  }                                                                                               \
  simtsolverStatus_t ormqr_name(simtsolverDnHandle_t handle, simtblasSideMode_t side,             \
                                simtblasOperation_t trans, int m, int n, int k, const T* A,       \
                                int lda, const T* tau, T* C, int ldc, T* work, int lwork,         \
                                int* devInfo) {                                                   \
    return ormqr(handle, #ormqr_name, side, trans, m, n, k, native(A), lda, native(tau),          \
                 native(C), ldc, Workspace::elements(work, lwork), devInfo);                      \
  }
DEFINE_GEQRF(simtsolverDnSgeqrf, simtsolverDnSorgqr, simtsolverDnSormqr, float)
DEFINE_GEQRF(simtsolverDnDgeqrf, simtsolverDnDorgqr, simtsolverDnDormqr, double)
DEFINE_GEQRF(simtsolverDnCgeqrf, simtsolverDnCungqr, simtsolverDnCunmqr, simtComplex)
DEFINE_GEQRF(simtsolverDnZgeqrf, simtsolverDnZungqr, simtsolverDnZunmqr, simtDoubleComplex)

simtsolverStatus_t simtsolverDnXgeqrf_bufferSize(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                                 std::int64_t m, std::int64_t n, simtDataType type,
                                                 const void*, std::int64_t lda,
                                                 simtDataType type_tau, const void*,
                                                 simtDataType compute, std::size_t* on_device,
                                                 std::size_t* on_host) {
  return with_element(type, [&](auto) {
    return type == type_tau && type == compute
               ? answer(check_matrix(handle, m, n, lda), on_device, on_host)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXgeqrf(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                      std::int64_t m, std::int64_t n, simtDataType type, void* a,
                                      std::int64_t lda, simtDataType type_tau, void* tau,
                                      simtDataType compute, void* work, std::size_t work_size,
                                      void*, std::size_t, int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    return type == type_tau && type == compute
               ? geqrf(handle, "simtsolverDnXgeqrf", m, n, static_cast<T*>(a), lda,
                       static_cast<T*>(tau), Workspace::bytes(work, work_size), info)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

}  // extern "C"
