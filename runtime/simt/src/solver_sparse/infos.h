// Infos of the low-level functions of simtsolverSp: state between analysis, factorisation and solution.
//
// Ownership: an info shares its state with submitted work, so that the program may destroy the info before the work runs.
// Threads: one thread at a time uses an info. Work of the stream writes factors, and later work of the stream reads them.
// Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtsolverSp_LOWLEVEL_PREVIEW.h>

#include <any>
#include <memory>
#include <new>
#include <utility>

#include "solver_sparse/context.h"
#include "sparse/numbers.h"

namespace simtrt::direct {

/// Analysis and factors of a matrix.
template <class Analysis>
struct Info {
  std::shared_ptr<const Analysis> analysis;
  int nnz = 0;       // of the analysed matrix
  std::any factors;  // std::shared_ptr of factors for one element type; empty before the first factorisation

  /// Object for the results of a new factorisation. Earlier work keeps the object that it uses.
  template <class Factor>
  std::shared_ptr<Factor> new_factors() {
    auto created = std::make_shared<Factor>();
    factors = created;
    return created;
  }

  /// Results of the last factorisation, or null if there was none or it had another element type.
  template <class Factor>
  std::shared_ptr<Factor> last_factors() const {
    const auto* const found = std::any_cast<std::shared_ptr<Factor>>(&factors);
    return found == nullptr ? nullptr : *found;
  }
};

template <class T>
simtsolverStatus_t create_info(T** info) {
  if (info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *info = new (std::nothrow) T;
  return *info == nullptr ? SIMTSOLVER_STATUS_ALLOC_FAILED : SIMTSOLVER_STATUS_SUCCESS;
}

template <class T>
simtsolverStatus_t destroy_info(T* info) {
  delete info;
  return info == nullptr ? SIMTSOLVER_STATUS_INVALID_VALUE : SIMTSOLVER_STATUS_SUCCESS;
}

/// Arguments of an analysis.
struct PatternArgument {
  int rows;
  int columns;
  int nnz;
  simtsparseMatDescr_t descriptor;
  const int* offsets;
  const int* indices;
};

/// Stores `analyse(pattern)` in the info. Waits for the stream.
template <class Analysis, class Analyse>
simtsolverStatus_t analyse_pattern(Place place, simtsolverSpHandle_t handle, const char* name,
                                   const PatternArgument& a, Info<Analysis>* info,
                                   const Analyse& analyse) {
  const simtsolverStatus_t status =
      check_pattern(handle, a.rows, a.columns, a.nnz, a.descriptor, a.offsets, a.indices);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (info == nullptr || a.rows < a.columns) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  info->factors.reset();
  const auto result = std::make_shared<std::shared_ptr<const Analysis>>();
  const simtsolverStatus_t done =
      run(place, handle, name, [a, analyse, result, base = index_base(a.descriptor)] {
        *result = std::make_shared<const Analysis>(
            analyse(copy_pattern(a.rows, a.columns, a.offsets, a.offsets + 1, a.indices, base)));
      });
  info->analysis = *result;
  info->nnz = a.nnz;
  return done;
}

/// Stores the answers of a query of buffer sizes. `internal` is the size of the factors, in bytes.
inline simtsolverStatus_t answer_sizes(simtsolverStatus_t status, std::size_t internal,
                                       std::size_t* internal_size, std::size_t* workspace_size) {
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (internal_size == nullptr || workspace_size == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *internal_size = internal;
  *workspace_size = kWorkspaceBytes;
  return SIMTSOLVER_STATUS_SUCCESS;
}

/// Checks a matrix argument, and that it has the sizes of the analysed matrix.
template <class T, class Analysis>
simtsolverStatus_t check_analysed(simtsolverSpHandle_t handle, const CsrArgument<T>& a,
                                  const Info<Analysis>* info) {
  return check(handle, a, {info != nullptr && info->analysis != nullptr && info->nnz == a.nnz});
}

/// Stores `find(factors)` for the last factorisation, after all earlier work of the stream.
template <class Factor, class Analysis, class Result, class Find>
simtsolverStatus_t inspect(Place place, simtsolverSpHandle_t handle, const char* name,
                           const Info<Analysis>* info, Result* result, const Find& find) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  const auto factors = info == nullptr ? nullptr : info->template last_factors<Factor>();
  if (factors == nullptr || result == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return run(place, handle, name, [factors, result, find] { find(*factors, result); });
}

/// Runs `work` on the host, or submits it to the handle's stream.
inline simtsolverStatus_t start(Place place, simtsolverSpHandle_t handle, const char* name,
                                std::function<void()> work) {
  return place == Place::kHost ? run_on_host(work) : submit(handle->stream, name, std::move(work));
}

/// Checks the arguments of a solution with the last factors, and starts `solve(factors)`.
template <class Factor, class Analysis, class Solve>
simtsolverStatus_t solve_with(Place place, simtsolverSpHandle_t handle, const char* name, bool valid,
                              const Info<Analysis>* info, const Solve& solve) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  const auto factors = info == nullptr ? nullptr : info->template last_factors<Factor>();
  if (factors == nullptr || !valid) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return start(place, handle, name, [factors, solve] { solve(*factors); });
}

}  // namespace simtrt::direct
