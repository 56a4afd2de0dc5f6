// Products of a BSR matrix with a dense matrix or a vector.
#include "sparse/bsr.h"
#include "sparse/product.h"

namespace simtrt {
namespace {

template <class T>
simtsparseStatus_t multiply(simtsparseHandle_t handle, const char* name, const BsrArguments<T>& a,
                            simtsparseOperation_t op_b, int mb, const T* alpha,
                            const simtsparseDnMatDescr& b, const T* beta,
                            const simtsparseDnMatDescr& c) {
  using Value = SparseValue<T>;
  const SparseScalar alpha_argument(*handle, alpha, kSparseType<Value>);
  const SparseScalar beta_argument(*handle, beta, kSparseType<Value>);
  const auto rows = static_cast<std::int64_t>(mb) * a.block_size;
  const double work =
      static_cast<double>(a.nnzb) * a.block_size * a.block_size * static_cast<double>(c.columns);
  return sparse_submit(*handle, name, [=, view = a.view()] {
    const ProductScalars<Value> scalars{alpha_argument.template read<Value>(),
                                        beta_argument.template read<Value>()};
    multiply_by_rows(view, rows, work, DenseView<BsrElement<T>>(b, op_b, 0), c.columns, scalars,
                     DenseView<BsrElement<T>>(c, SIMTSPARSE_OPERATION_NON_TRANSPOSE, 0));
  });
}

template <class T>
simtsparseStatus_t bsrmv(simtsparseHandle_t handle, const char* name, const BsrArguments<T>& a,
                         simtsparseOperation_t op_a, int mb, int nb, const T* alpha, const T* x,
                         const T* beta, T* y) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (mb < 0 || nb < 0 || !valid(op_a) || any_null(alpha, beta) || (nb > 0 && x == nullptr) ||
      (mb > 0 && y == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const simtsparseStatus_t status = a.check();
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (transposes(op_a)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  const int m = mb * a.block_size;
  const int n = nb * a.block_size;
  return multiply(handle, name, a, SIMTSPARSE_OPERATION_NON_TRANSPOSE, mb, alpha,
                  column_major(n, 1, n, x), beta, column_major(m, 1, m, y));
}

template <class T>
simtsparseStatus_t bsrmm(simtsparseHandle_t handle, const char* name, const BsrArguments<T>& a,
                         simtsparseOperation_t op_a, simtsparseOperation_t op_b, int mb, int n,
                         int kb, const T* alpha, const T* b, int ldb, const T* beta, T* c,
                         int ldc) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (mb < 0 || n < 0 || kb < 0 || !valid(op_a) || !valid(op_b) || any_null(alpha, beta)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const simtsparseStatus_t status = a.check();
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  const int m = mb * a.block_size;
  const int k = kb * a.block_size;
  const int b_rows = transposes(op_b) ? n : k;
  const int b_columns = transposes(op_b) ? k : n;
  if (ldb < b_rows || ldc < m || (k > 0 && n > 0 && b == nullptr) ||
      (m > 0 && n > 0 && c == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (transposes(op_a) || conjugates(op_b)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return multiply(handle, name, a, op_b, mb, alpha, column_major(b_rows, b_columns, ldb, b), beta,
                  column_major(m, n, ldc, c));
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SPARSE_BSR_PRODUCT(mv, mm, T)                                                             \
  simtsparseStatus_t mv(simtsparseHandle_t handle, simtsparseDirection_t direction,               \
                        simtsparseOperation_t op_a, int mb, int nb, int nnzb, const T* alpha,     \
                        simtsparseMatDescr_t descriptor, const T* values, const int* row_offsets, \
                        const int* column_indices, int block_size, const T* x, const T* beta,     \
                        T* y) {                                                                   \
    const BsrArguments<T> a{direction,   descriptor,     nnzb,      values,                       \
                            row_offsets, column_indices, block_size};                             \
    return bsrmv(handle, #mv, a, op_a, mb, nb, alpha, x, beta, y);                                \
  }                                                                                               \
  simtsparseStatus_t mm(simtsparseHandle_t handle, simtsparseDirection_t direction,               \
                        simtsparseOperation_t op_a, simtsparseOperation_t op_b, int mb, int n,    \
                        int kb, int nnzb, const T* alpha, simtsparseMatDescr_t descriptor,        \
                        const T* values, const int* row_offsets, const int* column_indices,       \
                        int block_size, const T* b, int ldb, const T* beta, T* c, int ldc) {      \
    const BsrArguments<T> a{direction,   descriptor,     nnzb,      values,                       \
                            row_offsets, column_indices, block_size};                             \
    return bsrmm(handle, #mm, a, op_a, op_b, mb, n, kb, alpha, b, ldb, beta, c, ldc);             \
  }
SPARSE_BSR_PRODUCT(simtsparseSbsrmv, simtsparseSbsrmm, float)
SPARSE_BSR_PRODUCT(simtsparseDbsrmv, simtsparseDbsrmm, double)
SPARSE_BSR_PRODUCT(simtsparseCbsrmv, simtsparseCbsrmm, simtComplex)
SPARSE_BSR_PRODUCT(simtsparseZbsrmv, simtsparseZbsrmm, simtDoubleComplex)

}  // extern "C"
