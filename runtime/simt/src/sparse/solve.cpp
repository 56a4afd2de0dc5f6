// Triangular solves with a CSR matrix: for one right-hand side, and for several.
#include "sparse/product.h"
#include "sparse/triangular.h"

namespace simtrt {
namespace {

/// Step that a call performs after its checks.
enum class Step { kQuery, kAnalysis, kSolve };

struct Solve {
  simtsparseSpMatDescr a;
  simtsparseDnMatDescr b;
  simtsparseDnMatDescr y;
  simtsparseOperation_t op_a;
  simtsparseOperation_t op_b;
};

simtsparseStatus_t check(const Solve& s, simtDataType compute_type) {
  const std::int64_t m = s.a.rows;
  if (s.a.columns != m || (transposes(s.op_b) ? s.b.columns : s.b.rows) != m || s.y.rows != m ||
      (transposes(s.op_b) ? s.b.rows : s.b.columns) != s.y.columns) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const bool is_short = s.a.type == SIMT_R_16F || s.a.type == SIMT_R_16BF;
  if (s.a.format != SparseFormat::kCsr || is_short || s.a.type != s.b.type ||
      s.a.type != s.y.type || compute_type != s.a.type || s.a.batch != 1 || s.b.batch != 1 ||
      s.y.batch != 1) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return SIMTSPARSE_STATUS_SUCCESS;
}

template <class Element>
void solve(const Solve& s, const SparseScalar& alpha) {
  using Value = typename Element::Value;
  const SparseView<Element> a(s.a, 0);
  const DenseView<Element> b(s.b, s.op_b, 0);
  const DenseView<Element> y(s.y, SIMTSPARSE_OPERATION_NON_TRANSPOSE, 0);
  const Value factor = alpha.read<Value>();
  const double work = static_cast<double>(s.a.nnz + s.a.rows) * static_cast<double>(s.y.columns);
  spread(s.y.columns, work, [&](std::int64_t begin, std::int64_t end) {
    solve_columns(a, s.a.rows, Triangle{s.a.fill, s.a.diagonal}, s.op_a, factor, b, y, begin, end);
  });
}

template <class State>
simtsparseStatus_t run(simtsparseHandle_t handle, const char* name, const Solve& problem,
                       const void* alpha, simtDataType compute_type, State* state, Step step) {
  simtsparseStatus_t status = check(problem, compute_type);
  if (status == SIMTSPARSE_STATUS_SUCCESS && step == Step::kSolve && !state->analysed) {
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (status != SIMTSPARSE_STATUS_SUCCESS || step == Step::kQuery) {
    return status;
  }
  if (step == Step::kAnalysis) {
    state->analysed = true;
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  const SparseScalar factor(*handle, alpha, compute_type);
  return sparse_submit(*handle, name, [=] {
    with_float_element(problem.a.type, [&](auto element) {
      using Element = decltype(element);
      if constexpr (std::is_same_v<typename Element::Storage, typename Element::Value>) {
        solve<Element>(problem, factor);
      }
    });
  });
}

simtsparseStatus_t spsv(simtsparseHandle_t handle, simtsparseOperation_t op_a, const void* alpha,
                        const simtsparseSpMatDescr* a, const simtsparseDnVecDescr* x,
                        const simtsparseDnVecDescr* y, simtDataType compute_type,
                        simtsparseSpSVAlg_t algorithm, simtsparseSpSVDescr* descriptor, Step step) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(alpha) || any_null(a) || any_null(x, y) || any_null(descriptor) || !valid(op_a) ||
      algorithm != SIMTSPARSE_SPSV_ALG_DEFAULT) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return run(handle, "simtsparseSpSV_solve",
             {*a, as_matrix(*x), as_matrix(*y), op_a, SIMTSPARSE_OPERATION_NON_TRANSPOSE}, alpha,
             compute_type, descriptor, step);
}

simtsparseStatus_t spsm(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                        simtsparseOperation_t op_b, const void* alpha,
                        const simtsparseSpMatDescr* a, const simtsparseDnMatDescr* b,
                        const simtsparseDnMatDescr* c, simtDataType compute_type,
                        simtsparseSpSMAlg_t algorithm, simtsparseSpSMDescr* descriptor, Step step) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(alpha) || any_null(a) || any_null(b, c) || any_null(descriptor) || !valid(op_a) ||
      !valid(op_b) || algorithm != SIMTSPARSE_SPSM_ALG_DEFAULT) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return run(handle, "simtsparseSpSM_solve", {*a, *b, *c, op_a, op_b}, alpha, compute_type,
             descriptor, step);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseSpSV_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                             const void* alpha, simtsparseConstSpMatDescr_t a,
                                             simtsparseConstDnVecDescr_t x,
                                             simtsparseDnVecDescr_t y, simtDataType compute_type,
                                             simtsparseSpSVAlg_t algorithm,
                                             simtsparseSpSVDescr_t descriptor, size_t* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return spsv(handle, op_a, alpha, a, x, y, compute_type, algorithm, descriptor, Step::kQuery);
}

simtsparseStatus_t simtsparseSpSV_analysis(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                           const void* alpha, simtsparseConstSpMatDescr_t a,
                                           simtsparseConstDnVecDescr_t x, simtsparseDnVecDescr_t y,
                                           simtDataType compute_type, simtsparseSpSVAlg_t algorithm,
                                           simtsparseSpSVDescr_t descriptor, void*) {
  return spsv(handle, op_a, alpha, a, x, y, compute_type, algorithm, descriptor, Step::kAnalysis);
}

simtsparseStatus_t simtsparseSpSV_solve(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                        const void* alpha, simtsparseConstSpMatDescr_t a,
                                        simtsparseConstDnVecDescr_t x, simtsparseDnVecDescr_t y,
                                        simtDataType compute_type, simtsparseSpSVAlg_t algorithm,
                                        simtsparseSpSVDescr_t descriptor) {
  return spsv(handle, op_a, alpha, a, x, y, compute_type, algorithm, descriptor, Step::kSolve);
}

simtsparseStatus_t simtsparseSpSM_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                             simtsparseOperation_t op_b, const void* alpha,
                                             simtsparseConstSpMatDescr_t a,
                                             simtsparseConstDnMatDescr_t b,
                                             simtsparseDnMatDescr_t c, simtDataType compute_type,
                                             simtsparseSpSMAlg_t algorithm,
                                             simtsparseSpSMDescr_t descriptor, size_t* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return spsm(handle, op_a, op_b, alpha, a, b, c, compute_type, algorithm, descriptor,
              Step::kQuery);
}

simtsparseStatus_t simtsparseSpSM_analysis(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                           simtsparseOperation_t op_b, const void* alpha,
                                           simtsparseConstSpMatDescr_t a,
                                           simtsparseConstDnMatDescr_t b, simtsparseDnMatDescr_t c,
                                           simtDataType compute_type, simtsparseSpSMAlg_t algorithm,
                                           simtsparseSpSMDescr_t descriptor, void*) {
  return spsm(handle, op_a, op_b, alpha, a, b, c, compute_type, algorithm, descriptor,
              Step::kAnalysis);
}

simtsparseStatus_t simtsparseSpSM_solve(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                        simtsparseOperation_t op_b, const void* alpha,
                                        simtsparseConstSpMatDescr_t a,
                                        simtsparseConstDnMatDescr_t b, simtsparseDnMatDescr_t c,
                                        simtDataType compute_type, simtsparseSpSMAlg_t algorithm,
                                        simtsparseSpSMDescr_t descriptor) {
  return spsm(handle, op_a, op_b, alpha, a, b, c, compute_type, algorithm, descriptor,
              Step::kSolve);
}

}  // extern "C"
