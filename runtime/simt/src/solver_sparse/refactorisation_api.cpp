// Functions of simtsolverRf.
#include <simtsolverRf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "process/state.h"
#include "solver_sparse/context.h"
#include "solver_sparse/refactorisation.h"

struct simtsolverRfCommon {
  simtsolverRfMatrixFormat_t format = SIMTSOLVERRF_MATRIX_FORMAT_CSR;
  simtsolverRfUnitDiagonal_t unit = SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L;
  simtsolverRfFactorization_t factorization = SIMTSOLVERRF_FACTORIZATION_ALG0;
  simtsolverRfTriangularSolve_t triangular_solve = SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  simtsolverRfResetValuesFastMode_t fast_mode = SIMTSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  simtrt::direct::PivotRule pivots;
  simtrt::direct::PivotResult result = simtrt::direct::PivotResult::kRegular;
  std::unique_ptr<simtrt::direct::Refactorisation> factors;  // null before setup
  bool is_analysed = false;
  bool is_factored = false;

  bool has_unit_lower() const {
    return unit == SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L || unit == SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_L;
  }
  bool stores_unit() const {
    return unit == SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L || unit == SIMTSOLVERRF_UNIT_DIAGONAL_STORED_U;
  }
};

namespace simtrt::direct {
namespace {

/// Arrays of a CSR matrix with indices from 0.
struct CsrArrays {
  int n;
  int nnz;
  const int* offsets;
  const int* indices;
  const double* values;

  bool valid() const {
    return n > 0 && nnz >= 0 && offsets != nullptr && (nnz == 0 || (indices != nullptr && values != nullptr));
  }
  Matrix<double> matrix() const { return copy_matrix(n, n, values, offsets, indices, 0); }
  Pattern pattern() const { return copy_pattern(n, n, offsets, offsets + 1, indices, 0); }
};

simtsolverStatus_t set_up(Place place, simtsolverRfHandle_t handle, const CsrArrays& a,
                          const CsrArrays& lower, const CsrArrays& upper, const int* p, const int* q) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (!a.valid() || a.nnz == 0 || !lower.valid() || !upper.valid() || p == nullptr || q == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  handle->is_analysed = handle->is_factored = false;
  handle->factors.reset();
  const auto copy = [=] {
    auto factors = std::make_unique<Refactorisation>(lower.pattern(), upper.pattern());
    if (factors->set_matrix(a.matrix(), p, q)) {
      handle->factors = std::move(factors);
    }
  };
  const simtsolverStatus_t status = place == Place::kHost
                                        ? run_on_host(copy)
                                        : run_on_stream(nullptr, "simtsolverRfSetupDevice", copy);
  return status == SIMTSOLVER_STATUS_SUCCESS && handle->factors == nullptr
             ? SIMTSOLVER_STATUS_INVALID_VALUE
             : status;
}

/// Array of the C library with copies of `values`, for the program. Null if there is not enough memory.
template <class T>
T* allocate_copy(const std::vector<T>& values) {
  auto* const copy = static_cast<T*>(std::malloc(std::max<std::size_t>(values.size(), 1) * sizeof(T)));
  if (copy != nullptr) {
    std::copy(values.begin(), values.end(), copy);
  }
  return copy;
}

/// Pointers of the program that receive a matrix.
struct MatrixResult {
  int* nnz;
  int** offsets;
  int** indices;
  double** values;

  bool valid() const {
    return nnz != nullptr && offsets != nullptr && indices != nullptr && values != nullptr;
  }
  /// Returns false if there is not enough memory.
  bool store(const Matrix<double>& from) const {
    *nnz = from.pattern.nnz();
    *offsets = allocate_copy(from.pattern.offsets);
    *indices = allocate_copy(from.pattern.indices);
    *values = allocate_copy(from.values);
    return *offsets != nullptr && *indices != nullptr && *values != nullptr;
  }
};

/// Value of an entry of the factors. The factors have the ones in L; if the handle has them in U, the pivots move to L.
double factor_value(const simtsolverRfCommon& handle, int row, int column, double value) {
  if (handle.has_unit_lower()) {
    return value;
  }
  return column < row ? value * handle.factors->pivot(column)
         : column > row ? value / handle.factors->pivot(row)
                        : value;
}

/// Entries of the factors for which `belongs(row, column)` is true.
template <class Belongs>
Matrix<double> part_of(const simtsolverRfCommon& handle, bool with_ones, const Belongs& belongs) {
  const Matrix<double>& factors = handle.factors->factors();
  Matrix<double> part;
  part.pattern.rows = part.pattern.columns = factors.pattern.rows;
  part.pattern.offsets.push_back(0);
  const auto add = [&](int column, double value) {
    part.pattern.indices.push_back(column);
    part.values.push_back(value);
  };
  for (int i = 0; i < factors.pattern.rows; ++i) {
    for (int entry = factors.pattern.begin(i); entry < factors.pattern.end(i); ++entry) {
      const int column = factors.pattern.index(entry);
      if (belongs(i, column)) {
        add(column, factor_value(handle, i, column, factors.values[static_cast<std::size_t>(entry)]));
      } else if (column == i && with_ones) {
        add(column, 1);
      }
    }
    part.pattern.offsets.push_back(part.pattern.nnz());
  }
  return part;
}

simtsolverStatus_t check_factored(simtsolverRfHandle_t handle, bool valid) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  return valid && handle->is_factored ? SIMTSOLVER_STATUS_SUCCESS : SIMTSOLVER_STATUS_INVALID_VALUE;
}

/// Stores a setting, if the handle and all pointers or values are valid.
template <class Store>
simtsolverStatus_t access(simtsolverRfHandle_t handle, bool valid, const Store& store) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (!valid) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  store();
  return SIMTSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace simtrt::direct

using namespace simtrt;
using namespace simtrt::direct;

extern "C" {

simtsolverStatus_t simtsolverRfCreate(simtsolverRfHandle_t* handle) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  if (enter_process() != simtSuccess) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  *handle = new (std::nothrow) simtsolverRfCommon;
  return *handle == nullptr ? SIMTSOLVER_STATUS_ALLOC_FAILED : SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverRfDestroy(simtsolverRfHandle_t handle) {
  delete handle;
  return handle == nullptr ? SIMTSOLVER_STATUS_NOT_INITIALIZED : SIMTSOLVER_STATUS_SUCCESS;
}

simtsolverStatus_t simtsolverRfGetMatrixFormat(simtsolverRfHandle_t handle,
                                               simtsolverRfMatrixFormat_t* format,
                                               simtsolverRfUnitDiagonal_t* unit) {
  return access(handle, format != nullptr && unit != nullptr, [&] {
    *format = handle->format;
    *unit = handle->unit;
  });
}

simtsolverStatus_t simtsolverRfSetMatrixFormat(simtsolverRfHandle_t handle,
                                               simtsolverRfMatrixFormat_t format,
                                               simtsolverRfUnitDiagonal_t unit) {
  if (handle != nullptr && format == SIMTSOLVERRF_MATRIX_FORMAT_CSC) {
    return SIMTSOLVER_STATUS_NOT_SUPPORTED;
  }
  const bool valid = format == SIMTSOLVERRF_MATRIX_FORMAT_CSR &&
                     unit >= SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L &&
                     unit <= SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_U;
  return access(handle, valid, [&] { handle->unit = unit; });
}

simtsolverStatus_t simtsolverRfSetNumericProperties(simtsolverRfHandle_t handle, double zero,
                                                    double boost) {
  return access(handle, zero >= 0 && boost >= 0, [&] { handle->pivots = {zero, boost}; });
}

simtsolverStatus_t simtsolverRfGetNumericProperties(simtsolverRfHandle_t handle, double* zero,
                                                    double* boost) {
  return access(handle, zero != nullptr && boost != nullptr, [&] {
    *zero = handle->pivots.zero;
    *boost = handle->pivots.boost;
  });
}

simtsolverStatus_t simtsolverRfGetNumericBoostReport(simtsolverRfHandle_t handle,
                                                     simtsolverRfNumericBoostReport_t* report) {
  return access(handle, report != nullptr, [&] {
    *report = handle->result == PivotResult::kBoosted ? SIMTSOLVERRF_NUMERIC_BOOST_USED
                                                      : SIMTSOLVERRF_NUMERIC_BOOST_NOT_USED;
  });
}

simtsolverStatus_t simtsolverRfSetAlgs(simtsolverRfHandle_t handle,
                                       simtsolverRfFactorization_t factorization,
                                       simtsolverRfTriangularSolve_t triangular_solve) {
  const bool valid = factorization >= SIMTSOLVERRF_FACTORIZATION_ALG0 &&
                     factorization <= SIMTSOLVERRF_FACTORIZATION_ALG2 &&
                     triangular_solve >= SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG1 &&
                     triangular_solve <= SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG3;
  return access(handle, valid, [&] {
    handle->factorization = factorization;
    handle->triangular_solve = triangular_solve;
  });
}

simtsolverStatus_t simtsolverRfGetAlgs(simtsolverRfHandle_t handle,
                                       simtsolverRfFactorization_t* factorization,
                                       simtsolverRfTriangularSolve_t* triangular_solve) {
  return access(handle, factorization != nullptr && triangular_solve != nullptr, [&] {
    *factorization = handle->factorization;
    *triangular_solve = handle->triangular_solve;
  });
}

simtsolverStatus_t simtsolverRfGetResetValuesFastMode(simtsolverRfHandle_t handle,
                                                      simtsolverRfResetValuesFastMode_t* mode) {
  return access(handle, mode != nullptr, [&] { *mode = handle->fast_mode; });
}

simtsolverStatus_t simtsolverRfSetResetValuesFastMode(simtsolverRfHandle_t handle,
                                                      simtsolverRfResetValuesFastMode_t mode) {
  const bool valid = mode == SIMTSOLVERRF_RESET_VALUES_FAST_MODE_OFF ||
                     mode == SIMTSOLVERRF_RESET_VALUES_FAST_MODE_ON;
  return access(handle, valid, [&] { handle->fast_mode = mode; });
}

#define DEFINE_SETUP(function, place)                                                             \
  simtsolverStatus_t function(int n, int nnz, int* offsets, int* indices, double* values,         \
                              int lower_nnz, int* lower_offsets, int* lower_indices,              \
                              double* lower_values, int upper_nnz, int* upper_offsets,            \
                              int* upper_indices, double* upper_values, int* p, int* q,           \
                              simtsolverRfHandle_t handle) {                                      \
    return set_up(place, handle, {n, nnz, offsets, indices, values},                              \
                  {n, lower_nnz, lower_offsets, lower_indices, lower_values},                     \
                  {n, upper_nnz, upper_offsets, upper_indices, upper_values}, p, q);              \
  }
DEFINE_SETUP(simtsolverRfSetupHost, Place::kHost)
DEFINE_SETUP(simtsolverRfSetupDevice, Place::kDevice)

simtsolverStatus_t simtsolverRfAnalyze(simtsolverRfHandle_t handle) {
  return access(handle, handle != nullptr && handle->factors != nullptr,
                [&] { handle->is_analysed = true; });
}

simtsolverStatus_t simtsolverRfResetValues(int n, int nnz, int* offsets, int* indices,
                                           double* values, int* p, int* q,
                                           simtsolverRfHandle_t handle) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  const CsrArrays a{n, nnz, offsets, indices, values};
  if (!handle->is_analysed || !a.valid() || nnz == 0 || p == nullptr || q == nullptr ||
      n != handle->factors->factors().pattern.rows) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  handle->is_factored = false;
  bool fits = false;
  const simtsolverStatus_t status =
      run_on_stream(nullptr, "simtsolverRfResetValues",
                    [&] { fits = handle->factors->set_matrix(a.matrix(), p, q); });
  return status == SIMTSOLVER_STATUS_SUCCESS && !fits ? SIMTSOLVER_STATUS_INVALID_VALUE : status;
}

simtsolverStatus_t simtsolverRfRefactor(simtsolverRfHandle_t handle) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (!handle->is_analysed) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  const simtsolverStatus_t status =
      run_on_stream(nullptr, "simtsolverRfRefactor",
                    [&] { handle->result = handle->factors->factor(handle->pivots); });
  handle->is_factored =
      status == SIMTSOLVER_STATUS_SUCCESS && handle->result != PivotResult::kZero;
  return status == SIMTSOLVER_STATUS_SUCCESS && !handle->is_factored ? SIMTSOLVER_STATUS_ZERO_PIVOT
                                                                     : status;
}

simtsolverStatus_t simtsolverRfSolve(simtsolverRfHandle_t handle, int* p, int* q, int count,
                                     double*, int, double* x, int ldx) {
  const bool valid = p != nullptr && q != nullptr && count > 0 && x != nullptr;
  if (const simtsolverStatus_t status = check_factored(handle, valid);
      status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (ldx < handle->factors->factors().pattern.rows) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return run_on_stream(nullptr, "simtsolverRfSolve", [&] {
    for (int j = 0; j < count; ++j) {
      handle->factors->solve(p, q, x + static_cast<std::ptrdiff_t>(j) * ldx);
    }
  });
}

simtsolverStatus_t simtsolverRfExtractBundledFactorsHost(simtsolverRfHandle_t handle, int* nnz,
                                                         int** offsets, int** indices,
                                                         double** values) {
  const MatrixResult result{nnz, offsets, indices, values};
  if (const simtsolverStatus_t status = check_factored(handle, result.valid());
      status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  return result.store(part_of(*handle, false, [](int, int) { return true; }))
             ? SIMTSOLVER_STATUS_SUCCESS
             : SIMTSOLVER_STATUS_ALLOC_FAILED;
}

simtsolverStatus_t simtsolverRfExtractSplitFactorsHost(simtsolverRfHandle_t handle, int* lower_nnz,
                                                       int** lower_offsets, int** lower_indices,
                                                       double** lower_values, int* upper_nnz,
                                                       int** upper_offsets, int** upper_indices,
                                                       double** upper_values) {
  const MatrixResult lower{lower_nnz, lower_offsets, lower_indices, lower_values};
  const MatrixResult upper{upper_nnz, upper_offsets, upper_indices, upper_values};
  if (const simtsolverStatus_t status = check_factored(handle, lower.valid() && upper.valid());
      status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  const bool unit_lower = handle->has_unit_lower();
  const bool ones = handle->stores_unit();
  const Matrix<double> l = part_of(*handle, ones && unit_lower, [&](int row, int column) {
    return column < row || (column == row && !unit_lower);
  });
  const Matrix<double> u = part_of(*handle, ones && !unit_lower, [&](int row, int column) {
    return column > row || (column == row && unit_lower);
  });
  return lower.store(l) && upper.store(u) ? SIMTSOLVER_STATUS_SUCCESS
                                          : SIMTSOLVER_STATUS_ALLOC_FAILED;
}

}  // extern "C"
