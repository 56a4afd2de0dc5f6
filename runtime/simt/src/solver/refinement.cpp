// Solvers with iterative refinement whose names contain both precisions: of the matrix, and of the factorisation.
#include "solver/refinement.h"

namespace simtrt {
namespace {

template <class Low, class T>
simtsolverStatus_t gesv(simtsolverDnHandle_t handle, const char* name, int n, int nrhs, T* a,
                        int lda, int* pivots, const T* b, int ldb, T* x, int ldx,
                        Workspace workspace, int* iterations, int* info) {
  if (handle != nullptr && !there(pivots, n)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  const LinearProblem<T> p{n, n, nrhs, a, lda, b, ldb, x, ldx};
  return submit_refinement(handle, name, p, workspace, iterations, info,
                           [=] { return solve_system<T, Low>(p, pivots, {}); });
}

template <class Low, class T>
simtsolverStatus_t gels(simtsolverDnHandle_t handle, const char* name, int m, int n, int nrhs, T* a,
                        int lda, const T* b, int ldb, T* x, int ldx, Workspace workspace,
                        int* iterations, int* info) {
  const LinearProblem<T> p{m, n, nrhs, a, lda, b, ldb, x, ldx};
  return submit_refinement(handle, name, p, workspace, iterations, info,
                           [=] { return solve_least_squares<T, Low>(p, {}); });
}

template <class T>
simtsolverStatus_t query(simtsolverDnHandle_t handle, int m, int n, int nrhs, int lda, int ldb,
                         int ldx, std::size_t* size) {
  const LinearProblem<T> p{m, n, nrhs, nullptr, lda, nullptr, ldb, nullptr, ldx};
  return answer_bytes(check_problem(handle, p), size);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_REFINEMENT(letters, T, Low)                                                        \
  simtsolverStatus_t simtsolverDn##letters##gesv_bufferSize(                                      \
      simtsolverDnHandle_t handle, simtsolver_int_t n, simtsolver_int_t nrhs, T*,                 \
      simtsolver_int_t ldda, simtsolver_int_t*, T*, simtsolver_int_t lddb, T*,                    \
      simtsolver_int_t lddx, void*, size_t* lwork_bytes) {                                        \
    return query<T>(handle, n, n, nrhs, ldda, lddb, lddx, lwork_bytes);                           \
  }                                                                                               \
  simtsolverStatus_t simtsolverDn##letters##gesv(                                                 \
      simtsolverDnHandle_t handle, simtsolver_int_t n, simtsolver_int_t nrhs, T* dA,              \
      simtsolver_int_t ldda, simtsolver_int_t* dipiv, T* dB, simtsolver_int_t lddb, T* dX,        \
      simtsolver_int_t lddx, void* dWorkspace, size_t lwork_bytes, simtsolver_int_t* iter,        \
      simtsolver_int_t* d_info) {                                                                 \
    return gesv<Low>(handle, "simtsolverDn" #letters "gesv", n, nrhs, native(dA), ldda, dipiv,    \
                     native(dB), lddb, native(dX), lddx,                                          \
                     Workspace::bytes(dWorkspace, lwork_bytes), iter, d_info);                    \
  }                                                                                               \
  simtsolverStatus_t simtsolverDn##letters##gels_bufferSize(                                      \
      simtsolverDnHandle_t handle, simtsolver_int_t m, simtsolver_int_t n, simtsolver_int_t nrhs, \
      T*, simtsolver_int_t ldda, T*, simtsolver_int_t lddb, T*, simtsolver_int_t lddx, void*,     \
      size_t* lwork_bytes) {                                                                      \
    return query<T>(handle, m, n, nrhs, ldda, lddb, lddx, lwork_bytes);                           \
  }                                                                                               \
  simtsolverStatus_t simtsolverDn##letters##gels(                                                 \
      simtsolverDnHandle_t handle, simtsolver_int_t m, simtsolver_int_t n, simtsolver_int_t nrhs, \
      T* dA, simtsolver_int_t ldda, T* dB, simtsolver_int_t lddb, T* dX, simtsolver_int_t lddx,   \
      void* dWorkspace, size_t lwork_bytes, simtsolver_int_t* iter, simtsolver_int_t* d_info) {   \
    return gels<Low>(handle, "simtsolverDn" #letters "gels", m, n, nrhs, native(dA), ldda,        \
                     native(dB), lddb, native(dX), lddx,                                          \
                     Workspace::bytes(dWorkspace, lwork_bytes), iter, d_info);                    \
  }
// The host has no factorisation in 16 bits or TF32: such factors are those of float, which are more exact.
DEFINE_REFINEMENT(SS, float, float)
DEFINE_REFINEMENT(SH, float, float)
DEFINE_REFINEMENT(SB, float, float)
DEFINE_REFINEMENT(SX, float, float)
DEFINE_REFINEMENT(DD, double, double)
DEFINE_REFINEMENT(DS, double, float)
DEFINE_REFINEMENT(DH, double, float)
DEFINE_REFINEMENT(DB, double, float)
DEFINE_REFINEMENT(DX, double, float)
DEFINE_REFINEMENT(CC, simtComplex, std::complex<float>)
DEFINE_REFINEMENT(CK, simtComplex, std::complex<float>)
DEFINE_REFINEMENT(CE, simtComplex, std::complex<float>)
DEFINE_REFINEMENT(CY, simtComplex, std::complex<float>)
DEFINE_REFINEMENT(ZZ, simtDoubleComplex, std::complex<double>)
DEFINE_REFINEMENT(ZC, simtDoubleComplex, std::complex<float>)
DEFINE_REFINEMENT(ZK, simtDoubleComplex, std::complex<float>)
DEFINE_REFINEMENT(ZE, simtDoubleComplex, std::complex<float>)
DEFINE_REFINEMENT(ZY, simtDoubleComplex, std::complex<float>)
#undef DEFINE_REFINEMENT

}  // extern "C"
