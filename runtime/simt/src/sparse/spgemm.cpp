// SpGEMM: products of two sparse matrices whose structure is computed with the values.
#include "sparse/spgemm.h"

namespace simtrt {
namespace {

/// Number of products of an entry of A and an entry of B.
std::int64_t count_products(const Operands& p) {
  const Indices columns_a(p.a.column_indices, p.a.column_index_type, p.a.base, 0);
  const Indices offsets_b(p.b.row_indices, p.b.row_index_type, p.b.base, 0);
  std::int64_t count = 0;
  for (std::int64_t e = 0; e < p.a.nnz && p.b.nnz > 0; ++e) {
    count += offsets_b[columns_a[e] + 1] - offsets_b[columns_a[e]];
  }
  return count;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseSpGEMM_workEstimation(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    const void* alpha, simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
    const void* beta, simtsparseSpMatDescr_t c, simtDataType compute_type,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size,
    void* buffer) {
  simtsparseStatus_t status =
      check_product(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, descriptor);
  if (status == SIMTSPARSE_STATUS_SUCCESS) {
    status = tell_buffer_size(size, buffer);
  }
  if (status != SIMTSPARSE_STATUS_SUCCESS || buffer == nullptr) {
    return status;
  }
  const auto products = std::make_shared<std::int64_t>(0);
  status = sparse_submit(*handle, "simtsparseSpGEMM_workEstimation",
                         [products, operands = Operands{*a, *b, *c}] {
                           *products = count_products(operands);
                         });
  if (status == SIMTSPARSE_STATUS_SUCCESS) {
    status = sparse_wait(*handle);
  }
  if (status == SIMTSPARSE_STATUS_SUCCESS) {
    descriptor->products = *products;
  }
  return status;
}

simtsparseStatus_t simtsparseSpGEMM_getNumProducts(simtsparseSpGEMMDescr_t descriptor,
                                                   int64_t* products) {
  if (any_null(descriptor) || products == nullptr || descriptor->products < 0) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *products = descriptor->products;
  return SIMTSPARSE_STATUS_SUCCESS;
}

simtsparseStatus_t simtsparseSpGEMM_estimateMemory(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    const void* alpha, simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
    const void* beta, simtsparseSpMatDescr_t c, simtDataType compute_type,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, float chunk_fraction,
    size_t* size3, void* buffer3, size_t* size2) {
  const simtsparseStatus_t status =
      check_product(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, descriptor);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (algorithm != SIMTSPARSE_SPGEMM_ALG2 && algorithm != SIMTSPARSE_SPGEMM_ALG3) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  if (descriptor->products < 0 || !(chunk_fraction > 0) || chunk_fraction > 1 ||
      (buffer3 != nullptr && size2 == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (buffer3 != nullptr) {
    *size2 = kSomeBuffer;
  }
  return tell_buffer_size(size3, buffer3);
}

simtsparseStatus_t simtsparseSpGEMM_compute(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                            simtsparseOperation_t op_b, const void* alpha,
                                            simtsparseConstSpMatDescr_t a,
                                            simtsparseConstSpMatDescr_t b, const void* beta,
                                            simtsparseSpMatDescr_t c, simtDataType compute_type,
                                            simtsparseSpGEMMAlg_t algorithm,
                                            simtsparseSpGEMMDescr_t descriptor, size_t* size,
                                            void* buffer) {
  simtsparseStatus_t status =
      check_product(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, descriptor);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (buffer == nullptr) {
    *size = kSomeBuffer;
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  const Operands operands{*a, *b, *c};
  const SparseScalar alpha_argument(*handle, alpha, compute_type);
  const SparseScalar beta_argument(*handle, beta, compute_type);
  const auto result = std::make_shared<SparseResult>();
  status = sparse_submit(*handle, "simtsparseSpGEMM_compute", [=] {
    with_float_element(operands.a.type, [&](auto element) {
      using Value = typename decltype(element)::Value;
      multiply<decltype(element)>(operands, alpha_argument.read<Value>(),
                                  beta_argument.read<Value>(), *result);
    });
  });
  if (status == SIMTSPARSE_STATUS_SUCCESS) {
    status = sparse_wait(*handle);
  }
  if (status == SIMTSPARSE_STATUS_SUCCESS) {
    descriptor->result = result;
    c->nnz = static_cast<std::int64_t>(result->column_indices.size());
  }
  return status;
}

simtsparseStatus_t simtsparseSpGEMM_copy(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                         simtsparseOperation_t op_b, const void* alpha,
                                         simtsparseConstSpMatDescr_t a,
                                         simtsparseConstSpMatDescr_t b, const void* beta,
                                         simtsparseSpMatDescr_t c, simtDataType compute_type,
                                         simtsparseSpGEMMAlg_t algorithm,
                                         simtsparseSpGEMMDescr_t descriptor) {
  const simtsparseStatus_t status =
      check_product(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, descriptor);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (descriptor->result == nullptr || c->row_indices == nullptr ||
      (c->nnz > 0 && any_null(c->column_indices, c->values))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return sparse_submit(*handle, "simtsparseSpGEMM_copy", [to = *c, result = descriptor->result] {
    copy_structure(*result, to);
    std::copy(result->values.begin(), result->values.end(), static_cast<unsigned char*>(to.values));
  });
}

}  // extern "C"
