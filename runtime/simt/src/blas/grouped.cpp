// Batches of products with sizes of their own for each group of the batch.
#include "blas/context.h"
#include "blas/gemm.h"

namespace simtrt {
namespace {

/// Operations and sizes of the groups: arrays on the host.
struct Groups {
  const simtblasOperation_t* transa;
  const simtblasOperation_t* transb;
  const int* m;
  const int* n;
  const int* k;
  const int* lda;
  const int* ldb;
  const int* ldc;
  int count;
  const int* size;
};

/// Errors of a call, before any group is submitted. cuBLAS documents only scalars on the host.
simtblasStatus_t check(simtblasHandle_t handle, const Groups& groups, const void* alpha,
                       const void* beta) {
  if (handle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (handle->scalars_on_device()) return SIMTBLAS_STATUS_NOT_SUPPORTED;
  if (groups.count < 0) return SIMTBLAS_STATUS_INVALID_VALUE;
  if (groups.count == 0) return SIMTBLAS_STATUS_SUCCESS;
  if (any_null(groups.transa, groups.transb) || alpha == nullptr || beta == nullptr ||
      any_null(groups.m, groups.n, groups.k, groups.lda, groups.ldb, groups.ldc, groups.size)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  for (int i = 0; i < groups.count; ++i) {
    if (groups.size[i] < 0 ||
        !valid_gemm(groups.transa[i], groups.transb[i], groups.m[i], groups.n[i], groups.k[i],
                    groups.lda[i], groups.ldb[i], groups.ldc[i])) {
      return SIMTBLAS_STATUS_INVALID_VALUE;
    }
  }
  return SIMTBLAS_STATUS_SUCCESS;
}

/// Calls `submit(group, number of the group's first product)` for each group.
template <class Submit>
simtblasStatus_t for_each_group(simtblasHandle_t handle, const Groups& groups, const void* alpha,
                                const void* beta, const Submit& submit) {
  if (const simtblasStatus_t error = check(handle, groups, alpha, beta)) return error;
  for (int i = 0, first = 0; i < groups.count; first += groups.size[i++]) {
    if (const simtblasStatus_t error = submit(i, first)) return error;
  }
  return SIMTBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

#define DEFINE_GROUPED(grouped, batched, T)                                                       \
  simtblasStatus_t grouped(                                                                       \
      simtblasHandle_t handle, const simtblasOperation_t transa[],                                \
      const simtblasOperation_t transb[], const int m[], const int n[], const int k[],            \
      const T alpha[], const T* const Aarray[], const int lda[], const T* const Barray[],         \
      const int ldb[], const T beta[], T* const Carray[], const int ldc[], int groupCount,        \
      const int groupSize[]) {                                                                    \
    const Groups groups{transa, transb, m, n, k, lda, ldb, ldc, groupCount, groupSize};           \
    return for_each_group(handle, groups, alpha, beta, [=](int i, int first) {                    \
      return batched(handle, transa[i], transb[i], m[i], n[i], k[i], alpha + i, Aarray + first,   \
                     lda[i], Barray + first, ldb[i], beta + i, Carray + first, ldc[i],            \
                     groupSize[i]);                                                               \
    });                                                                                           \
  }

extern "C" {

DEFINE_GROUPED(simtblasSgemmGroupedBatched, simtblasSgemmBatched, float)
DEFINE_GROUPED(simtblasDgemmGroupedBatched, simtblasDgemmBatched, double)

simtblasStatus_t simtblasGemmGroupedBatchedEx(
    simtblasHandle_t handle, const simtblasOperation_t transa[],
    const simtblasOperation_t transb[], const int m[], const int n[], const int k[],
    const void* alpha, const void* const Aarray[], simtDataType Atype, const int lda[],
    const void* const Barray[], simtDataType Btype, const int ldb[], const void* beta,
    void* const Carray[], simtDataType Ctype, const int ldc[], int groupCount,
    const int groupSize[], simtblasComputeType_t computeType) {
  const bool is_double =
      computeType == SIMTBLAS_COMPUTE_64F || computeType == SIMTBLAS_COMPUTE_64F_PEDANTIC ||
      computeType == SIMTBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT;
  const std::size_t size = is_double ? sizeof(double) : sizeof(float);
  const Groups groups{transa, transb, m, n, k, lda, ldb, ldc, groupCount, groupSize};
  const auto scalar = [size](const void* scalars, int i) {
    return static_cast<const char*>(scalars) + static_cast<std::size_t>(i) * size;
  };
  return for_each_group(handle, groups, alpha, beta, [&](int i, int first) {
    return simtblasGemmBatchedEx(handle, transa[i], transb[i], m[i], n[i], k[i], scalar(alpha, i),
                                 Aarray + first, Atype, lda[i], Barray + first, Btype, ldb[i],
                                 scalar(beta, i), Carray + first, Ctype, ldc[i], groupSize[i],
                                 computeType, SIMTBLAS_GEMM_DEFAULT);
  });
}

}  // extern "C"
