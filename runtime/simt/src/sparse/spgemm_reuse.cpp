// SpGEMMreuse: products of two sparse matrices whose structure is computed once, for several products.
#include "sparse/spgemm.h"

namespace simtrt {
namespace {

/// Replaces the values of C's entries by alpha A B + beta C.
template <class Element>
void compute_values(const Operands& p, typename Element::Value alpha,
                    typename Element::Value beta) {
  using Value = typename Element::Value;
  const SparseView<Element> a(p.a, 0);
  const SparseView<Element> b(p.b, 0);
  const SparseView<Element> c(p.c, 0);
  const double work = static_cast<double>(p.a.nnz + p.b.nnz + p.c.nnz);
  spread(p.c.rows, work, [&](std::int64_t begin, std::int64_t end) {
    RowSums<Value> sums(p.c.columns);
    for (std::int64_t i = begin; i < end; ++i) {
      sums.begin(i);
      // C may have entries that A B lacks.
      c.row_places(i, [&](std::int64_t j, auto& value) {
        sums.add(j, beta == Value() ? Value() : beta * Element::load(value));
      });
      a.row(i, [&](std::int64_t k, Value left) {
        b.row(k, [&](std::int64_t j, Value right) { sums.add(j, alpha * (left * right)); });
      });
      c.row_places(i, [&](std::int64_t j, auto& value) {
        value = Element::store(sums.sum(static_cast<std::int32_t>(j)));
      });
    }
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseSpGEMMreuse_workEstimation(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b, simtsparseSpMatDescr_t c,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size,
    void* buffer) {
  const simtsparseStatus_t status =
      check_structure(handle, op_a, op_b, a, b, c, algorithm, descriptor);
  return status == SIMTSPARSE_STATUS_SUCCESS ? tell_buffer_size(size, buffer) : status;
}

simtsparseStatus_t simtsparseSpGEMMreuse_nnz(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b, simtsparseSpMatDescr_t c,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size2,
    void* buffer2, size_t* size3, void* buffer3, size_t* size4, void* buffer4) {
  simtsparseStatus_t status = check_structure(handle, op_a, op_b, a, b, c, algorithm, descriptor);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (any_null(size2, size3, size4) || (a->nnz > 0 && a->values == nullptr) ||
      (b->nnz > 0 && b->values == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (any_null(buffer2, buffer3, buffer4)) {
    *size2 = *size3 = *size4 = kSomeBuffer;
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  const Operands operands{*a, *b, *c};
  const auto result = std::make_shared<SparseResult>();
  status = sparse_submit(*handle, "simtsparseSpGEMMreuse_nnz", [=] {
    with_float_element(operands.a.type, [&](auto element) {
      using Value = typename decltype(element)::Value;
      multiply<decltype(element)>(operands, Value(), Value(), *result);
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

simtsparseStatus_t simtsparseSpGEMMreuse_copy(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b, simtsparseSpMatDescr_t c,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size,
    void* buffer) {
  const simtsparseStatus_t status =
      check_structure(handle, op_a, op_b, a, b, c, algorithm, descriptor);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (size == nullptr || descriptor->result == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (buffer == nullptr) {
    *size = kSomeBuffer;
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  if (c->row_indices == nullptr || (c->nnz > 0 && c->column_indices == nullptr)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return sparse_submit(*handle, "simtsparseSpGEMMreuse_copy",
                       [to = *c, result = descriptor->result] { copy_structure(*result, to); });
}

simtsparseStatus_t simtsparseSpGEMMreuse_compute(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    const void* alpha, simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
    const void* beta, simtsparseSpMatDescr_t c, simtDataType compute_type,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor) {
  const simtsparseStatus_t status =
      check_product(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, descriptor);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (descriptor->result == nullptr || c->row_indices == nullptr ||
      (c->nnz > 0 && any_null(c->column_indices, c->values))) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const Operands operands{*a, *b, *c};
  const SparseScalar alpha_argument(*handle, alpha, compute_type);
  const SparseScalar beta_argument(*handle, beta, compute_type);
  return sparse_submit(*handle, "simtsparseSpGEMMreuse_compute", [=] {
    with_float_element(operands.a.type, [&](auto element) {
      using Value = typename decltype(element)::Value;
      compute_values<decltype(element)>(operands, alpha_argument.read<Value>(),
                                        beta_argument.read<Value>());
    });
  });
}

}  // extern "C"
