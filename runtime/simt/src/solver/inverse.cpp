// Inverses of triangular matrices, and of positive definite matrices from their Cholesky factors.
#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

simtsolverStatus_t check_matrix(simtsolverDnHandle_t handle, bool are_options, std::int64_t n,
                                std::int64_t lda) {
  return checked(handle, {are_options, n >= 0, holds(lda, n)}, {n, lda});
}

/// Submits `invert()`, which returns LAPACK's info.
template <class Invert>
simtsolverStatus_t submit(simtsolverDnHandle_t handle, const char* name, simtsolverStatus_t status,
                          std::int64_t n, const void* a, Workspace workspace, int* info,
                          Invert invert) {
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!there(a, n) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] { *info = invert(); });
}

template <class T>
simtsolverStatus_t potri(simtsolverDnHandle_t handle, const char* name, simtblasFillMode_t uplo,
                         int n, T* a, int lda, Workspace workspace, int* info) {
  return submit(handle, name, check_matrix(handle, valid(uplo), n, lda), n, a, workspace, info,
                [=] { return lapack::potri(letter(uplo), n, a, lda); });
}

template <class T>
simtsolverStatus_t trtri(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                         simtblasDiagType_t diag, std::int64_t n, T* a, std::int64_t lda,
                         Workspace workspace, int* info) {
  return submit(handle, "simtsolverDnXtrtri",
                check_matrix(handle, valid(uplo) && valid(diag), n, lda), n, a, workspace, info,
                [=] {
                  return lapack::trtri(letter(uplo), diag == SIMTBLAS_DIAG_UNIT ? 'U' : 'N',
                                       static_cast<int>(n), a, static_cast<int>(lda));
                });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_POTRI(name, T)                                                                      \
  simtsolverStatus_t name##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,       \
                                       int n, T*, int lda, int* Lwork) {                           \
    return answer(check_matrix(handle, valid(uplo), n, lda), Lwork);                               \
  }                                                                                                \
  simtsolverStatus_t name(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A,       \
                          int lda, T* work, int lwork, int* devInfo) {                             \
    return potri(handle, #name, uplo, n, native(A), lda, Workspace::elements(work, lwork), devInfo); \
  }
DEFINE_POTRI(simtsolverDnSpotri, float)
DEFINE_POTRI(simtsolverDnDpotri, double)
DEFINE_POTRI(simtsolverDnCpotri, simtComplex)
DEFINE_POTRI(simtsolverDnZpotri, simtDoubleComplex)

simtsolverStatus_t simtsolverDnXtrtri_bufferSize(simtsolverDnHandle_t handle,
                                                 simtblasFillMode_t uplo, simtblasDiagType_t diag,
                                                 std::int64_t n, simtDataType type, void*,
                                                 std::int64_t lda, std::size_t* on_device,
                                                 std::size_t* on_host) {
  return with_element(type, [&](auto) {
    return answer(check_matrix(handle, valid(uplo) && valid(diag), n, lda), on_device, on_host);
  });
}

simtsolverStatus_t simtsolverDnXtrtri(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                      simtblasDiagType_t diag, std::int64_t n, simtDataType type,
                                      void* a, std::int64_t lda, void* work, std::size_t work_size,
                                      void*, std::size_t, int* info) {
  return with_element(type, [&](auto element) {
    return trtri(handle, uplo, diag, n, static_cast<decltype(element)*>(a), lda,
                 Workspace::bytes(work, work_size), info);
  });
}

}  // extern "C"
