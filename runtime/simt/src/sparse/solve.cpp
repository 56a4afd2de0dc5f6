// Triangular solves with a matrix in CSR, COO and sliced ELL format: for one right-hand side, and for several.
#include <cstring>

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
  const bool has_rows = s.a.format == SparseFormat::kCsr || s.a.format == SparseFormat::kCoo ||
                        s.a.format == SparseFormat::kSlicedEll;
  if (!has_rows || is_short || s.a.type != s.b.type ||
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

/// Replaces the values of the diagonal in `values`, an array with the entries of `matrix`.
template <class Element>
void set_diagonal(const simtsparseSpMatDescr& matrix, void* values, const void* diagonal) {
  using Storage = typename Element::Storage;
  simtsparseSpMatDescr changed = matrix;
  changed.values = values;
  const SparseView<Element> view(changed, 0);
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    view.row_places(i, [&](std::int64_t column, Storage& place) {
      if (column == i) place = static_cast<const Storage*>(diagonal)[i];
    });
  }
}

/// The solves after the call read `values`, or with `is_diagonal` the diagonal from `values` and the other entries as before.
simtsparseStatus_t update(simtsparseHandle_t handle, const char* name, TriangularState* state,
                          const void* values, bool is_general, bool is_diagonal) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (state == nullptr || values == nullptr || is_general == is_diagonal || !state->analysed) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const simtsparseSpMatDescr matrix = state->matrix;
  if (matrix.format == SparseFormat::kSlicedEll) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;  // the number of values, with padding, is known on the device only
  }
  const std::size_t bytes = static_cast<std::size_t>(matrix.nnz) * element_size(matrix.type);
  const bool is_first = state->values == nullptr;
  if (is_first) {
    state->values = std::make_shared<std::vector<unsigned char>>(bytes);
  }
  return sparse_submit(*handle, name, [=, to = state->values] {
    if (is_general || is_first) {
      std::memcpy(to->data(), is_general ? values : matrix.values, bytes);
    }
    if (is_diagonal) {
      with_float_element(matrix.type, [&](auto element) {
        set_diagonal<decltype(element)>(matrix, to->data(), values);
      });
    }
  });
}

simtsparseStatus_t run(simtsparseHandle_t handle, const char* name, const Solve& problem,
                       const void* alpha, simtDataType compute_type, TriangularState* state,
                       Step step) {
  simtsparseStatus_t status = check(problem, compute_type);
  if (status == SIMTSPARSE_STATUS_SUCCESS && step == Step::kSolve &&
      (!state->analysed || (state->values != nullptr && state->matrix.nnz != problem.a.nnz))) {
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (status != SIMTSPARSE_STATUS_SUCCESS || step == Step::kQuery) {
    return status;
  }
  if (step == Step::kAnalysis) {
    *state = {true, problem.a, nullptr};
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  const SparseScalar factor(*handle, alpha, compute_type);
  return sparse_submit(*handle, name, [=, updated = state->values] {
    Solve system = problem;
    if (updated != nullptr) {
      system.a.values = updated->data();
    }
    with_float_element(system.a.type, [&](auto element) {
      using Element = decltype(element);
      if constexpr (std::is_same_v<typename Element::Storage, typename Element::Value>) {
        solve<Element>(system, factor);
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

simtsparseStatus_t simtsparseSpSV_updateMatrix(simtsparseHandle_t handle,
                                               simtsparseSpSVDescr_t descriptor, void* values,
                                               simtsparseSpSVUpdate_t part) {
  return update(handle, "simtsparseSpSV_updateMatrix", descriptor, values,
                part == SIMTSPARSE_SPSV_UPDATE_GENERAL, part == SIMTSPARSE_SPSV_UPDATE_DIAGONAL);
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

simtsparseStatus_t simtsparseSpSM_updateMatrix(simtsparseHandle_t handle,
                                               simtsparseSpSMDescr_t descriptor, void* values,
                                               simtsparseSpSMUpdate_t part) {
  return update(handle, "simtsparseSpSM_updateMatrix", descriptor, values,
                part == SIMTSPARSE_SPSM_UPDATE_GENERAL, part == SIMTSPARSE_SPSM_UPDATE_DIAGONAL);
}

}  // extern "C"
