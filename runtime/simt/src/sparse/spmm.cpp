// Products of a sparse matrix with a dense matrix or a vector.
#include "sparse/product.h"

namespace simtrt {
namespace {

bool valid(simtsparseSpMMAlg_t algorithm) {
  switch (algorithm) {
    case SIMTSPARSE_SPMM_ALG_DEFAULT:
    case SIMTSPARSE_SPMM_COO_ALG1:
    case SIMTSPARSE_SPMM_COO_ALG2:
    case SIMTSPARSE_SPMM_COO_ALG3:
    case SIMTSPARSE_SPMM_COO_ALG4:
    case SIMTSPARSE_SPMM_CSR_ALG1:
    case SIMTSPARSE_SPMM_CSR_ALG2:
    case SIMTSPARSE_SPMM_CSR_ALG3:
    case SIMTSPARSE_SPMM_BLOCKED_ELL_ALG1:
    case SIMTSPARSE_SPMM_BSR_ALG1: return true;
  }
  return false;
}

bool valid(simtsparseSpMVAlg_t algorithm) {
  return algorithm >= SIMTSPARSE_SPMV_ALG_DEFAULT && algorithm <= SIMTSPARSE_SPMV_BSR_ALG1;
}

/// Arguments of C = alpha op(A) op(B) + beta C at the time of the call.
struct Product {
  simtsparseSpMatDescr a;
  simtsparseDnMatDescr b;
  simtsparseDnMatDescr c;
  simtsparseOperation_t op_a;
  simtsparseOperation_t op_b;
};

simtsparseStatus_t check(const Product& p, simtDataType compute_type) {
  const std::int64_t m = transposes(p.op_a) ? p.a.columns : p.a.rows;
  const std::int64_t k = transposes(p.op_a) ? p.a.rows : p.a.columns;
  const std::int64_t b_rows = transposes(p.op_b) ? p.b.columns : p.b.rows;
  const std::int64_t n = transposes(p.op_b) ? p.b.rows : p.b.columns;
  const auto one_or_all = [&](int batch) { return batch == 1 || batch == p.c.batch; };
  if (b_rows != k || p.c.rows != m || p.c.columns != n || !one_or_all(p.a.batch) ||
      !one_or_all(p.b.batch)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (p.a.type != p.b.type || p.a.type != p.c.type || compute_type != product_type(p.a.type)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return SIMTSPARSE_STATUS_SUCCESS;
}

template <class Element>
void multiply(const Product& p, const SparseScalar& alpha, const SparseScalar& beta) {
  using Value = typename Element::Value;
  const ProductScalars<Value> scalars{alpha.read<Value>(), beta.read<Value>()};
  const double work = static_cast<double>(p.a.nnz + p.c.rows) * static_cast<double>(p.c.columns);
  for (int i = 0; i < p.c.batch; ++i) {
    const SparseView<Element> a(p.a, p.a.batch == 1 ? 0 : i);
    const DenseView<Element> b(p.b, p.op_b, p.b.batch == 1 ? 0 : i);
    const DenseView<Element> c(p.c, SIMTSPARSE_OPERATION_NON_TRANSPOSE, i);
    const bool has_rows = p.a.format != SparseFormat::kCoo && p.a.format != SparseFormat::kCsc;
    if (has_rows && !transposes(p.op_a)) {
      multiply_by_rows(a, p.c.rows, work, b, p.c.columns, scalars, c);
    } else {
      multiply_by_columns(a, p.op_a, p.c.rows, work, b, p.c.columns, scalars, c);
    }
  }
}

simtsparseStatus_t submit(simtsparseHandle_t handle, const char* name, const Product& product,
                          const void* alpha, const void* beta, simtDataType compute_type) {
  const SparseScalar a(*handle, alpha, compute_type);
  const SparseScalar b(*handle, beta, compute_type);
  return sparse_submit(*handle, name, [=] {
    with_float_element(product.a.type,
                        [&](auto element) { multiply<decltype(element)>(product, a, b); });
  });
}

/// A query only returns the buffer size and submits no work.
simtsparseStatus_t spmm(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                        simtsparseOperation_t op_b, const void* alpha,
                        const simtsparseSpMatDescr* a, const simtsparseDnMatDescr* b,
                        const void* beta, const simtsparseDnMatDescr* c, simtDataType compute_type,
                        simtsparseSpMMAlg_t algorithm, bool is_query) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(alpha, beta) || any_null(a) || any_null(b, c) || !simtrt::valid(op_a) ||
      !simtrt::valid(op_b) || !valid(algorithm)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (a->format == SparseFormat::kSlicedEll ||
      (a->format == SparseFormat::kBlockedEll && transposes(op_a))) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  const Product product{*a, *b, *c, op_a, op_b};
  const simtsparseStatus_t status = check(product, compute_type);
  if (status != SIMTSPARSE_STATUS_SUCCESS || is_query) {
    return status;
  }
  return submit(handle, "simtsparseSpMM", product, alpha, beta, compute_type);
}

simtsparseStatus_t spmv(simtsparseHandle_t handle, simtsparseOperation_t op_a, const void* alpha,
                        const simtsparseSpMatDescr* a, const simtsparseDnVecDescr* x,
                        const void* beta, const simtsparseDnVecDescr* y, simtDataType compute_type,
                        simtsparseSpMVAlg_t algorithm, bool is_query) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(alpha, beta) || any_null(a) || any_null(x, y) || !simtrt::valid(op_a) ||
      !valid(algorithm)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (a->format == SparseFormat::kBlockedEll) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  const Product product{*a, as_matrix(*x), as_matrix(*y), op_a, SIMTSPARSE_OPERATION_NON_TRANSPOSE};
  const simtsparseStatus_t status = check(product, compute_type);
  if (status != SIMTSPARSE_STATUS_SUCCESS || is_query) {
    return status;
  }
  return submit(handle, "simtsparseSpMV", product, alpha, beta, compute_type);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseSpMV_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                             const void* alpha, simtsparseConstSpMatDescr_t a,
                                             simtsparseConstDnVecDescr_t x, const void* beta,
                                             simtsparseDnVecDescr_t y, simtDataType compute_type,
                                             simtsparseSpMVAlg_t algorithm, size_t* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return spmv(handle, op_a, alpha, a, x, beta, y, compute_type, algorithm, true);
}

simtsparseStatus_t simtsparseSpMV(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                  const void* alpha, simtsparseConstSpMatDescr_t a,
                                  simtsparseConstDnVecDescr_t x, const void* beta,
                                  simtsparseDnVecDescr_t y, simtDataType compute_type,
                                  simtsparseSpMVAlg_t algorithm, void*) {
  return spmv(handle, op_a, alpha, a, x, beta, y, compute_type, algorithm, false);
}

simtsparseStatus_t simtsparseSpMM_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                             simtsparseOperation_t op_b, const void* alpha,
                                             simtsparseConstSpMatDescr_t a,
                                             simtsparseConstDnMatDescr_t b, const void* beta,
                                             simtsparseDnMatDescr_t c, simtDataType compute_type,
                                             simtsparseSpMMAlg_t algorithm, size_t* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return spmm(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, true);
}

simtsparseStatus_t simtsparseSpMM(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                  simtsparseOperation_t op_b, const void* alpha,
                                  simtsparseConstSpMatDescr_t a, simtsparseConstDnMatDescr_t b,
                                  const void* beta, simtsparseDnMatDescr_t c,
                                  simtDataType compute_type, simtsparseSpMMAlg_t algorithm, void*) {
  return spmm(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, false);
}

simtsparseStatus_t simtsparseSpMV_preprocess(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                             const void* alpha, simtsparseConstSpMatDescr_t a,
                                             simtsparseConstDnVecDescr_t x, const void* beta,
                                             simtsparseDnVecDescr_t y, simtDataType compute_type,
                                             simtsparseSpMVAlg_t algorithm, void*) {
  return spmv(handle, op_a, alpha, a, x, beta, y, compute_type, algorithm, true);
}

simtsparseStatus_t simtsparseSpMM_preprocess(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                             simtsparseOperation_t op_b, const void* alpha,
                                             simtsparseConstSpMatDescr_t a,
                                             simtsparseConstDnMatDescr_t b, const void* beta,
                                             simtsparseDnMatDescr_t c, simtDataType compute_type,
                                             simtsparseSpMMAlg_t algorithm, void*) {
  return spmm(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, true);
}

}  // extern "C"
