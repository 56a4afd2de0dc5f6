// Triangular solves with a BSR matrix, and detection of zeros on its diagonal.
#include "sparse/bsr.h"
#include "sparse/product.h"
#include "sparse/triangular.h"

namespace simtrt {
namespace {

Triangle triangle_of(const simtsparseMatDescr& matrix) { return {matrix.fill, matrix.diagonal}; }

/// First block row whose diagonal block is missing, or -1.
template <class Value>
std::int64_t missing_pivot(const BlockView<Value>& a, int mb) {
  for (int i = 0; i < mb; ++i) {
    if (!a.has_diagonal_block(i)) {
      return i;
    }
  }
  return -1;
}

/// First block row with a zero on the diagonal, or -1.
template <class Value>
std::int64_t zero_pivot(const BlockView<Value>& a, int mb) {
  for (std::int64_t i = 0; i < mb * a.block_size(); ++i) {
    Value diagonal{};
    a.row(i, [&](std::int64_t j, Value value) { diagonal += j == i ? value : Value(); });
    if (diagonal == Value()) {
      return i / a.block_size();
    }
  }
  return -1;
}

template <class T>
simtsparseStatus_t check(simtsparseHandle_t handle, const BsrArguments<T>& a,
                         simtsparseOperation_t op_a, simtsparseOperation_t op_x, int mb, int n,
                         const PivotState* state) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (mb < 0 || n < 0 || !valid(op_a) || !valid(op_x) || state == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return a.check();
}

/// Size is int or size_t.
template <class T, class Size>
simtsparseStatus_t query(simtsparseHandle_t handle, const BsrArguments<T>& a,
                         simtsparseOperation_t op_a, simtsparseOperation_t op_x, int mb, int n,
                         const PivotState* state, Size* size) {
  const simtsparseStatus_t status = check(handle, a, op_a, op_x, mb, n, state);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return SIMTSPARSE_STATUS_SUCCESS;
}

/// Number of a block row, counted from the matrix's index base; -1 is unchanged.
int position(std::int64_t block_row, simtsparseIndexBase_t base) {
  return block_row < 0 ? -1 : static_cast<int>(block_row) + base;
}

template <class T>
simtsparseStatus_t analyse(simtsparseHandle_t handle, const char* name, const BsrArguments<T>& a,
                           simtsparseOperation_t op_a, simtsparseOperation_t op_x, int mb, int n,
                           PivotState* state) {
  simtsparseStatus_t status = check(handle, a, op_a, op_x, mb, n, state);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  status = sparse_submit(
      *handle, name, [=, view = a.view(), matrix = *a.matrix, found = state->zero_pivot] {
        *found = triangle_of(matrix).unit() ? -1 : position(missing_pivot(view, mb), matrix.base);
      });
  state->analysed = state->analysed || status == SIMTSPARSE_STATUS_SUCCESS;
  return status;
}

template <class T>
simtsparseStatus_t solve(simtsparseHandle_t handle, const char* name, const BsrArguments<T>& a,
                         simtsparseOperation_t op_a, simtsparseOperation_t op_x, int mb, int n,
                         const T* alpha, const PivotState* state, const T* b, int ldb, T* x,
                         int ldx) {
  using Value = SparseValue<T>;
  using View = DenseView<BsrElement<T>>;
  const simtsparseStatus_t status = check(handle, a, op_a, op_x, mb, n, state);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  const int m = mb * a.block_size;
  const int rows = transposes(op_x) ? n : m;
  const int columns = transposes(op_x) ? m : n;
  if (!state->analysed || alpha == nullptr || ldb < rows || ldx < rows ||
      (m > 0 && n > 0 && any_null(b, x))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (conjugates(op_x)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  const SparseScalar factor(*handle, alpha, kSparseType<Value>);
  const double work = static_cast<double>(a.nnzb) * a.block_size * a.block_size * n;
  return sparse_submit(*handle, name,
                       [=, view = a.view(), matrix = *a.matrix, found = state->zero_pivot] {
                         const Triangle triangle = triangle_of(matrix);
                         if (!triangle.unit()) {
                           *found = position(zero_pivot(view, mb), matrix.base);
                         }
                         const View from(column_major(rows, columns, ldb, b), op_x, 0);
                         const View to(column_major(rows, columns, ldx, x), op_x, 0);
                         const auto scale = factor.template read<Value>();
                         spread(n, work, [&](std::int64_t begin, std::int64_t end) {
                           solve_columns(view, m, triangle, op_a, scale, from, to, begin, end);
                         });
                       });
}

constexpr simtsparseOperation_t kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseXbsrsv2_zeroPivot(simtsparseHandle_t handle, bsrsv2Info_t info,
                                               int* place) {
  return report_pivot(handle, info, place);
}
simtsparseStatus_t simtsparseXbsrsm2_zeroPivot(simtsparseHandle_t handle, bsrsm2Info_t info,
                                               int* place) {
  return report_pivot(handle, info, place);
}

#define SPARSE_BSR_ARGUMENTS(T) \
  BsrArguments<T> { direction, descriptor, nnzb, values, row_offsets, column_indices, block_size }

#define SPARSE_BSRSV(prefix, T)                                                                   \
  simtsparseStatus_t prefix##_bufferSize(                                                         \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,     \
      int mb, int nnzb, simtsparseMatDescr_t descriptor, T* values, const int* row_offsets,       \
      const int* column_indices, int block_size, bsrsv2Info_t info, int* size) {                  \
    return query(handle, SPARSE_BSR_ARGUMENTS(T), op_a, kPlain, mb, 1, info, size);               \
  }                                                                                               \
  simtsparseStatus_t prefix##_bufferSizeExt(                                                      \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,     \
      int mb, int nnzb, simtsparseMatDescr_t descriptor, T* values, const int* row_offsets,       \
      const int* column_indices, int block_size, bsrsv2Info_t info, size_t* size) {               \
    return query(handle, SPARSE_BSR_ARGUMENTS(T), op_a, kPlain, mb, 1, info, size);               \
  }                                                                                               \
  simtsparseStatus_t prefix##_analysis(                                                           \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,     \
      int mb, int nnzb, simtsparseMatDescr_t descriptor, const T* values, const int* row_offsets, \
      const int* column_indices, int block_size, bsrsv2Info_t info, simtsparseSolvePolicy_t,      \
      void*) {                                                                                    \
    return analyse(handle, #prefix "_analysis", SPARSE_BSR_ARGUMENTS(T), op_a, kPlain, mb, 1,     \
                   info);                                                                         \
  }                                                                                               \
  simtsparseStatus_t prefix##_solve(                                                              \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,     \
      int mb, int nnzb, const T* alpha, simtsparseMatDescr_t descriptor, const T* values,         \
      const int* row_offsets, const int* column_indices, int block_size, bsrsv2Info_t info,       \
      const T* f, T* x, simtsparseSolvePolicy_t, void*) {                                         \
    const int m = mb * block_size;                                                                \
    return solve(handle, #prefix "_solve", SPARSE_BSR_ARGUMENTS(T), op_a, kPlain, mb, 1, alpha,   \
                 info, f, m, x, m);                                                               \
  }
SPARSE_BSRSV(simtsparseSbsrsv2, float)
SPARSE_BSRSV(simtsparseDbsrsv2, double)
SPARSE_BSRSV(simtsparseCbsrsv2, simtComplex)
SPARSE_BSRSV(simtsparseZbsrsv2, simtDoubleComplex)

#define SPARSE_BSRSM(prefix, T)                                                                    \
  simtsparseStatus_t prefix##_bufferSize(                                                          \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,      \
      simtsparseOperation_t op_x, int mb, int n, int nnzb, simtsparseMatDescr_t descriptor,        \
      T* values, const int* row_offsets, const int* column_indices, int block_size,                \
      bsrsm2Info_t info, int* size) {                                                              \
    return query(handle, SPARSE_BSR_ARGUMENTS(T), op_a, op_x, mb, n, info, size);                  \
  }                                                                                                \
  simtsparseStatus_t prefix##_bufferSizeExt(                                                       \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,      \
      simtsparseOperation_t op_x, int mb, int n, int nnzb, simtsparseMatDescr_t descriptor,        \
      T* values, const int* row_offsets, const int* column_indices, int block_size,                \
      bsrsm2Info_t info, size_t* size) {                                                           \
    return query(handle, SPARSE_BSR_ARGUMENTS(T), op_a, op_x, mb, n, info, size);                  \
  }                                                                                                \
  simtsparseStatus_t prefix##_analysis(                                                            \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,      \
      simtsparseOperation_t op_x, int mb, int n, int nnzb, simtsparseMatDescr_t descriptor,        \
      const T* values, const int* row_offsets, const int* column_indices, int block_size,          \
      bsrsm2Info_t info, simtsparseSolvePolicy_t, void*) {                                         \
    return analyse(handle, #prefix "_analysis", SPARSE_BSR_ARGUMENTS(T), op_a, op_x, mb, n, info); \
  }                                                                                                \
  simtsparseStatus_t prefix##_solve(                                                               \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,      \
      simtsparseOperation_t op_x, int mb, int n, int nnzb, const T* alpha,                         \
      simtsparseMatDescr_t descriptor, const T* values, const int* row_offsets,                    \
      const int* column_indices, int block_size, bsrsm2Info_t info, const T* b, int ldb, T* x,     \
      int ldx, simtsparseSolvePolicy_t, void*) {                                                   \
    return solve(handle, #prefix "_solve", SPARSE_BSR_ARGUMENTS(T), op_a, op_x, mb, n, alpha,      \
                 info, b, ldb, x, ldx);                                                            \
  }
SPARSE_BSRSM(simtsparseSbsrsm2, float)
SPARSE_BSRSM(simtsparseDbsrsm2, double)
SPARSE_BSRSM(simtsparseCbsrsm2, simtComplex)
SPARSE_BSRSM(simtsparseZbsrsm2, simtDoubleComplex)

}  // extern "C"
