// Products of dense matrices, computed only at the positions of a sparse matrix.
#include "sparse/product.h"

namespace simtrt {
namespace {

struct Sampled {
  simtsparseDnMatDescr a;
  simtsparseDnMatDescr b;
  simtsparseSpMatDescr c;
  simtsparseOperation_t op_a;
  simtsparseOperation_t op_b;
  std::int64_t depth;
};

template <class Element>
void multiply(const Sampled& p, const SparseScalar& alpha_argument,
              const SparseScalar& beta_argument) {
  using Value = typename Element::Value;
  const Value alpha = alpha_argument.read<Value>();
  const Value beta = beta_argument.read<Value>();
  for (int i = 0; i < p.c.batch; ++i) {
    const DenseView<Element> a(p.a, p.op_a, p.a.batch == 1 ? 0 : i);
    const DenseView<Element> b(p.b, p.op_b, p.b.batch == 1 ? 0 : i);
    const SparseView<Element> c(p.c, i);
    const double work = static_cast<double>(p.c.nnz) * static_cast<double>(p.depth);
    spread(p.c.rows, work, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        c.row_places(row, [&](std::int64_t column, typename Element::Storage& place) {
          Value sum{};
          for (std::int64_t k = 0; k < p.depth; ++k) {
            sum += a.at(row, k) * b.at(k, column);
          }
          const Value product = alpha * sum;
          place = Element::store(beta == Value() ? product : product + beta * Element::load(place));
        });
      }
    });
  }
}

simtsparseStatus_t sddmm(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                         simtsparseOperation_t op_b, const void* alpha,
                         const simtsparseDnMatDescr* a, const simtsparseDnMatDescr* b,
                         const void* beta, const simtsparseSpMatDescr* c, simtDataType compute_type,
                         simtsparseSDDMMAlg_t algorithm, bool only_check) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(alpha, beta) || any_null(a, b) || any_null(c) || !valid(op_a) || !valid(op_b) ||
      algorithm != SIMTSPARSE_SDDMM_ALG_DEFAULT) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const Sampled product{*a, *b, *c, op_a, op_b, transposes(op_a) ? a->rows : a->columns};
  const auto one_or_all = [&](int batch) { return batch == 1 || batch == c->batch; };
  if ((transposes(op_a) ? a->columns : a->rows) != c->rows ||
      (transposes(op_b) ? b->columns : b->rows) != product.depth ||
      (transposes(op_b) ? b->rows : b->columns) != c->columns || !one_or_all(a->batch) ||
      !one_or_all(b->batch)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if ((c->format != SparseFormat::kCsr && c->format != SparseFormat::kBsr) || a->type != b->type || a->type != c->type ||
      compute_type != product_type(c->type)) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  if (only_check) {
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  const SparseScalar alpha_argument(*handle, alpha, compute_type);
  const SparseScalar beta_argument(*handle, beta, compute_type);
  return sparse_submit(*handle, "simtsparseSDDMM", [=] {
    with_float_element(product.c.type, [&](auto element) {
      multiply<decltype(element)>(product, alpha_argument, beta_argument);
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseSDDMM_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                              simtsparseOperation_t op_b, const void* alpha,
                                              simtsparseConstDnMatDescr_t a,
                                              simtsparseConstDnMatDescr_t b, const void* beta,
                                              simtsparseSpMatDescr_t c, simtDataType compute_type,
                                              simtsparseSDDMMAlg_t algorithm, size_t* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return sddmm(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, true);
}

simtsparseStatus_t simtsparseSDDMM_preprocess(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                              simtsparseOperation_t op_b, const void* alpha,
                                              simtsparseConstDnMatDescr_t a,
                                              simtsparseConstDnMatDescr_t b, const void* beta,
                                              simtsparseSpMatDescr_t c, simtDataType compute_type,
                                              simtsparseSDDMMAlg_t algorithm, void*) {
  return sddmm(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, true);
}

simtsparseStatus_t simtsparseSDDMM(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                   simtsparseOperation_t op_b, const void* alpha,
                                   simtsparseConstDnMatDescr_t a, simtsparseConstDnMatDescr_t b,
                                   const void* beta, simtsparseSpMatDescr_t c,
                                   simtDataType compute_type, simtsparseSDDMMAlg_t algorithm,
                                   void*) {
  return sddmm(handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm, false);
}

}  // extern "C"
