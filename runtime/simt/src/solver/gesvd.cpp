// Singular value decompositions with the job parameters of LAPACK's gesvd.
#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

bool is_job(signed char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }
bool writes(signed char job) { return job == 'A' || job == 'S'; }

template <class T, class Real>
simtsolverStatus_t gesvd(simtsolverDnHandle_t handle, const char* name, signed char jobu,
                         signed char jobvt, std::int64_t m, std::int64_t n, T* a, std::int64_t lda,
                         Real* sigma, T* u, std::int64_t ldu, T* vt, std::int64_t ldvt,
                         Workspace workspace, Real* superdiagonal, int* info) {
  const simtsolverStatus_t status =
      checked(handle,
              {is_job(jobu), is_job(jobvt), jobu != 'O' || jobvt != 'O', n >= 0, m >= n,
               holds(lda, m), holds(ldu, m), holds(ldvt, n)},
              {m, n, lda, ldu, ldvt});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !there(sigma, n) || !(u != nullptr || !writes(jobu) || n == 0) ||
      !(vt != nullptr || !writes(jobvt) || n == 0) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    const int rows = static_cast<int>(m), columns = static_cast<int>(n);
    *info = all_finite(rows, columns, a, lda)
                ? lapack::gesvd(static_cast<char>(jobu), static_cast<char>(jobvt), rows, columns, a,
                                static_cast<int>(lda), sigma, u, static_cast<int>(ldu), vt,
                                static_cast<int>(ldvt), superdiagonal)
                : columns;
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_GESVD(name, T, Real)                                                                \
  simtsolverStatus_t name##_bufferSize(simtsolverDnHandle_t handle, int m, int n, int* lwork) {    \
    return answer(checked(handle, {n >= 0, m >= 0}, {}), lwork);                                   \
  }                                                                                                \
  simtsolverStatus_t name(simtsolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, \
                          int n, T* A, int lda, Real* S, T* U, int ldu, T* VT, int ldvt, T* work,  \
                          int lwork, Real* rwork, int* info) {                                     \
    return gesvd(handle, #name, jobu, jobvt, m, n, native(A), lda, S, native(U), ldu, native(VT),  \
                 ldvt, Workspace::elements(work, lwork), rwork, info);                             \
  }
DEFINE_GESVD(simtsolverDnSgesvd, float, float)
DEFINE_GESVD(simtsolverDnDgesvd, double, double)
DEFINE_GESVD(simtsolverDnCgesvd, simtComplex, float)
DEFINE_GESVD(simtsolverDnZgesvd, simtDoubleComplex, double)

simtsolverStatus_t simtsolverDnXgesvd_bufferSize(
    simtsolverDnHandle_t handle, simtsolverDnParams_t, signed char jobu, signed char jobvt,
    std::int64_t m, std::int64_t n, simtDataType type, const void*, std::int64_t lda,
    simtDataType type_s, const void*, simtDataType type_u, const void*, std::int64_t ldu,
    simtDataType type_vt, const void*, std::int64_t ldvt, simtDataType compute,
    std::size_t* on_device, std::size_t* on_host) {
  return with_element(type, [&](auto) {
    const bool types =
        type_s == real_type(type) && type_u == type && type_vt == type && compute == type;
    return answer(checked(handle,
                          {types, is_job(jobu), is_job(jobvt), jobu != 'O' || jobvt != 'O', n >= 0,
                           m >= n, holds(lda, m), holds(ldu, m), holds(ldvt, n)},
                          {m, n, lda, ldu, ldvt}),
                  on_device, on_host);
  });
}

simtsolverStatus_t simtsolverDnXgesvd(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                      signed char jobu, signed char jobvt, std::int64_t m,
                                      std::int64_t n, simtDataType type, void* a, std::int64_t lda,
                                      simtDataType type_s, void* sigma, simtDataType type_u,
                                      void* u, std::int64_t ldu, simtDataType type_vt, void* vt,
                                      std::int64_t ldvt, simtDataType compute, void* work,
                                      std::size_t work_size, void*, std::size_t, int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    using Real = typename RealOf<T>::type;
    const bool types =
        type_s == real_type(type) && type_u == type && type_vt == type && compute == type;
    return types ? gesvd(handle, "simtsolverDnXgesvd", jobu, jobvt, m, n, static_cast<T*>(a), lda,
                         static_cast<Real*>(sigma), static_cast<T*>(u), ldu, static_cast<T*>(vt),
                         ldvt, Workspace::bytes(work, work_size), static_cast<Real*>(nullptr), info)
                 : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

}  // extern "C"
