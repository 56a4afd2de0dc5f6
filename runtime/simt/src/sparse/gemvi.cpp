// Products of a dense matrix and a sparse vector.
#include "sparse/bsr.h"

namespace simtrt {
namespace {

template <class T>
struct SparseVector {
  int nnz;
  const T* values;
  const int* indices;
  simtsparseIndexBase_t base;
};

simtsparseStatus_t check(simtsparseHandle_t handle, simtsparseOperation_t op_a, int m, int n, int nnz) {
  if (handle == nullptr) return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  return m < 0 || n < 0 || nnz < 0 || !valid(op_a) ? SIMTSPARSE_STATUS_INVALID_VALUE : SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t query(simtsparseHandle_t handle, simtsparseOperation_t op_a, int m, int n, int nnz, int* size) {
  const simtsparseStatus_t status = check(handle, op_a, m, n, nnz);
  if (status == SIMTSPARSE_STATUS_SUCCESS && size == nullptr) return SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status == SIMTSPARSE_STATUS_SUCCESS) *size = kSomeBuffer;
  return status;
}

template <class T>
simtsparseStatus_t multiply(simtsparseHandle_t handle, const char* name, simtsparseOperation_t op_a, int m, int n,
                            const T* alpha, const T* a, int lda, const SparseVector<T>& x, const T* beta, T* y) {
  using Value = SparseValue<T>;
  simtsparseStatus_t status = check(handle, op_a, m, n, x.nnz);
  if (status == SIMTSPARSE_STATUS_SUCCESS &&
      (lda < m || !valid(x.base) || any_null(alpha, beta) || (m > 0 && n > 0 && any_null(a, y)) ||
       (x.nnz > 0 && (x.values == nullptr || x.indices == nullptr))))
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  if (status != SIMTSPARSE_STATUS_SUCCESS) return status;
  const SparseScalar alpha_argument(*handle, alpha, kSparseType<Value>);
  const SparseScalar beta_argument(*handle, beta, kSparseType<Value>);
  return sparse_submit(*handle, name, [=] {
    const int rows = transposes(op_a) ? n : m;
    const DenseView<BsrElement<T>> matrix(column_major(m, n, lda, a), op_a, 0);
    const DenseView<BsrElement<T>> result(column_major(rows, 1, rows, y), SIMTSPARSE_OPERATION_NON_TRANSPOSE, 0);
    for (int i = 0; i < rows; ++i) {
      Value sum{};
      for (int e = 0; e < x.nnz; ++e) sum += matrix.at(i, x.indices[e] - x.base) * values_of(x.values)[e];
      result.update(i, 0, alpha_argument.template read<Value>(), sum, beta_argument.template read<Value>());
    }
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SPARSE_GEMVI(gemvi, T)                                                                                       \
  simtsparseStatus_t gemvi##_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a, int m, int n,         \
                                        int nnz, int* size) {                                                        \
    return query(handle, op_a, m, n, nnz, size);                                                                     \
  }                                                                                                                  \
  simtsparseStatus_t gemvi(simtsparseHandle_t handle, simtsparseOperation_t op_a, int m, int n, const T* alpha,      \
                           const T* a, int lda, int nnz, const T* x_values, const int* x_indices, const T* beta,     \
                           T* y, simtsparseIndexBase_t base, void*) {                                                \
    return multiply(handle, #gemvi, op_a, m, n, alpha, a, lda, SparseVector<T>{nnz, x_values, x_indices, base}, beta, \
                    y);                                                                                              \
  }
SPARSE_GEMVI(simtsparseSgemvi, float)
SPARSE_GEMVI(simtsparseDgemvi, double)
SPARSE_GEMVI(simtsparseCgemvi, simtComplex)
SPARSE_GEMVI(simtsparseZgemvi, simtDoubleComplex)

}  // extern "C"
