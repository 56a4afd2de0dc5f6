// SpGEMM: products of two sparse matrices whose structure is computed with the values.
#include "sparse/spgemm.h"

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseSpGEMM_workEstimation(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    const void* alpha, simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
    const void* beta, simtsparseSpMatDescr_t c, simtDataType compute_type,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size,
    void* buffer) {
  const simtsparseStatus_t status =
      check_product(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, descriptor);
  return status == SIMTSPARSE_STATUS_SUCCESS ? tell_buffer_size(size, buffer) : status;
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
