// Solvers with iterative refinement whose precisions and options are objects (cusolverDnIRS...).
#include "solver/refinement.h"

#include <new>

namespace simtrt {

struct RefinementParams {
  Refinement options;
  simtsolverIRSRefinement_t method = SIMTSOLVER_IRS_REFINE_NOT_SET;
  bool has_main = false;
  bool has_lowest = false;
  simtsolverPrecType_t main = SIMTSOLVER_R_64F;
  simtsolverPrecType_t lowest = SIMTSOLVER_R_64F;
};
struct RefinementInfos {
  int iterations = 0;
  int max_iterations = 0;
};

namespace {

bool is_complex(simtsolverPrecType_t type) { return type >= SIMTSOLVER_C_8I; }

/// Order of precision of a floating-point type: 2 for 64 bits, 1 for 32 bits, 0 for fewer bits, -1 for other types.
int rank(simtsolverPrecType_t type) {
  switch (type) {
    case SIMTSOLVER_R_64F:
    case SIMTSOLVER_C_64F: return 2;
    case SIMTSOLVER_R_32F:
    case SIMTSOLVER_C_32F: return 1;
    case SIMTSOLVER_R_16F:
    case SIMTSOLVER_R_16BF:
    case SIMTSOLVER_R_TF32:
    case SIMTSOLVER_C_16F:
    case SIMTSOLVER_C_16BF:
    case SIMTSOLVER_C_TF32: return 0;
    default: return -1;
  }
}

simtsolverStatus_t check_params(simtsolverDnHandle_t handle, const RefinementParams* params,
                                int nrhs) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (params == nullptr) {
    return SIMTSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  }
  if (!params->has_main || !params->has_lowest || rank(params->main) < 1 ||
      rank(params->lowest) < 0 || rank(params->lowest) > rank(params->main) ||
      is_complex(params->main) != is_complex(params->lowest)) {
    return SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  }
  if (params->method == SIMTSOLVER_IRS_REFINE_NOT_SET) {
    return SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
  }
  const bool is_gmres = params->method == SIMTSOLVER_IRS_REFINE_GMRES ||
                        params->method == SIMTSOLVER_IRS_REFINE_GMRES_GMRES ||
                        params->method == SIMTSOLVER_IRS_REFINE_GMRES_NOPCOND;
  return is_gmres && nrhs > 1 ? SIMTSOLVER_STATUS_IRS_NRHS_NOT_SUPPORTED_FOR_REFINE_GMRES
                              : SIMTSOLVER_STATUS_SUCCESS;
}

/// Calls `use(T(), Low())` with the types of the matrix and of the factorisation.
template <class Use>
simtsolverStatus_t with_precisions(const RefinementParams& params, const Use& use) {
  const bool is_low = rank(params.lowest) < 2;
  switch (params.main) {
    case SIMTSOLVER_R_32F: return use(float(), float());
    case SIMTSOLVER_C_32F: return use(std::complex<float>(), std::complex<float>());
    case SIMTSOLVER_R_64F: return is_low ? use(double(), float()) : use(double(), double());
    default:
      return is_low ? use(std::complex<double>(), std::complex<float>())
                    : use(std::complex<double>(), std::complex<double>());
  }
}

/// Runs `solve(problem, options)` for the types of the call, and keeps the number of iterations in `infos`.
template <class Solve>
simtsolverStatus_t run(simtsolverDnHandle_t handle, const char* name,
                       const RefinementParams* params, RefinementInfos* infos, int m, int n,
                       int nrhs, void* a, int lda, const void* b, int ldb, void* x, int ldx,
                       Workspace workspace, int* iterations, int* info, const Solve& solve) {
  const simtsolverStatus_t status = check_params(handle, params, nrhs);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (infos == nullptr) {
    return SIMTSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  }
  return with_precisions(*params, [&](auto element, auto low) {
    using T = decltype(element);
    const LinearProblem<T> p{m,   n, nrhs, static_cast<T*>(a), lda, static_cast<const T*>(b),
                             ldb, static_cast<T*>(x), ldx};
    const Refinement options = params->options;
    const simtsolverStatus_t solved =
        submit_refinement(handle, name, p, workspace, iterations, info,
                          [=] { return solve(p, options, low); });
    if (solved == SIMTSOLVER_STATUS_SUCCESS) {
      *infos = {*iterations, options.max_iterations};
    }
    return solved;
  });
}

template <class Object>
simtsolverStatus_t create(Object** object) {
  if (object == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *object = new (std::nothrow) Object;
  return *object == nullptr ? SIMTSOLVER_STATUS_ALLOC_FAILED : SIMTSOLVER_STATUS_SUCCESS;
}

/// Calls `change(params)`, which returns the status.
template <class Change>
simtsolverStatus_t change_params(RefinementParams* params, const Change& change) {
  return params == nullptr ? SIMTSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED : change(*params);
}

/// Stores a property of the last call of a solver.
simtsolverStatus_t report(const RefinementInfos* infos, int* value, int RefinementInfos::* field) {
  if (infos == nullptr) {
    return SIMTSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  }
  if (value == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  *value = infos->*field;
  return SIMTSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsolverStatus_t simtsolverDnIRSParamsCreate(simtsolverDnIRSParams_t* params) {
  return create(params);
}
simtsolverStatus_t simtsolverDnIRSParamsDestroy(simtsolverDnIRSParams_t params) {
  delete params;
  return params == nullptr ? SIMTSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED
                           : SIMTSOLVER_STATUS_SUCCESS;
}
simtsolverStatus_t simtsolverDnIRSParamsSetRefinementSolver(simtsolverDnIRSParams_t params,
                                                            simtsolverIRSRefinement_t method) {
  return change_params(params, [&](RefinementParams& p) {
    if (method < SIMTSOLVER_IRS_REFINE_NONE || method > SIMTSOLVER_IRS_REFINE_GMRES_NOPCOND) {
      return SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
    }
    p.method = method;
    p.options.refines = method != SIMTSOLVER_IRS_REFINE_NONE;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsSetSolverMainPrecision(simtsolverDnIRSParams_t params,
                                                               simtsolverPrecType_t type) {
  return change_params(params, [&](RefinementParams& p) {
    p.main = type;
    p.has_main = true;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsSetSolverLowestPrecision(simtsolverDnIRSParams_t params,
                                                                 simtsolverPrecType_t type) {
  return change_params(params, [&](RefinementParams& p) {
    p.lowest = type;
    p.has_lowest = true;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsSetSolverPrecisions(simtsolverDnIRSParams_t params,
                                                            simtsolverPrecType_t main,
                                                            simtsolverPrecType_t lowest) {
  const simtsolverStatus_t status = simtsolverDnIRSParamsSetSolverMainPrecision(params, main);
  return status != SIMTSOLVER_STATUS_SUCCESS
             ? status
             : simtsolverDnIRSParamsSetSolverLowestPrecision(params, lowest);
}
simtsolverStatus_t simtsolverDnIRSParamsSetTol(simtsolverDnIRSParams_t params, double tolerance) {
  return change_params(params, [&](RefinementParams& p) {
    p.options.tolerance = tolerance;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsSetTolInner(simtsolverDnIRSParams_t params, double) {
  return change_params(params, [](RefinementParams&) { return SIMTSOLVER_STATUS_SUCCESS; });
}
simtsolverStatus_t simtsolverDnIRSParamsSetMaxIters(simtsolverDnIRSParams_t params,
                                                    simtsolver_int_t count) {
  return change_params(params, [&](RefinementParams& p) {
    if (count < 0) {
      return SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER;
    }
    p.options.max_iterations = count;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsSetMaxItersInner(simtsolverDnIRSParams_t params,
                                                         simtsolver_int_t count) {
  return change_params(params, [&](RefinementParams& p) {
    return count < 0 || count > p.options.max_iterations ? SIMTSOLVER_STATUS_IRS_PARAMS_INVALID
                                                         : SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsGetMaxIters(simtsolverDnIRSParams_t params,
                                                    simtsolver_int_t* count) {
  return change_params(params, [&](const RefinementParams& p) {
    if (count == nullptr) {
      return SIMTSOLVER_STATUS_INVALID_VALUE;
    }
    *count = p.options.max_iterations;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsEnableFallback(simtsolverDnIRSParams_t params) {
  return change_params(params, [](RefinementParams& p) {
    p.options.falls_back = true;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}
simtsolverStatus_t simtsolverDnIRSParamsDisableFallback(simtsolverDnIRSParams_t params) {
  return change_params(params, [](RefinementParams& p) {
    p.options.falls_back = false;
    return SIMTSOLVER_STATUS_SUCCESS;
  });
}

simtsolverStatus_t simtsolverDnIRSInfosCreate(simtsolverDnIRSInfos_t* infos) {
  return create(infos);
}
simtsolverStatus_t simtsolverDnIRSInfosDestroy(simtsolverDnIRSInfos_t infos) {
  delete infos;
  return infos == nullptr ? SIMTSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED : SIMTSOLVER_STATUS_SUCCESS;
}
simtsolverStatus_t simtsolverDnIRSInfosGetNiters(simtsolverDnIRSInfos_t infos,
                                                 simtsolver_int_t* count) {
  return report(infos, count, &RefinementInfos::iterations);
}
simtsolverStatus_t simtsolverDnIRSInfosGetOuterNiters(simtsolverDnIRSInfos_t infos,
                                                      simtsolver_int_t* count) {
  return report(infos, count, &RefinementInfos::iterations);
}
simtsolverStatus_t simtsolverDnIRSInfosGetMaxIters(simtsolverDnIRSInfos_t infos,
                                                   simtsolver_int_t* count) {
  return report(infos, count, &RefinementInfos::max_iterations);
}

simtsolverStatus_t simtsolverDnIRSXgesv_bufferSize(simtsolverDnHandle_t handle,
                                                   simtsolverDnIRSParams_t params,
                                                   simtsolver_int_t n, simtsolver_int_t nrhs,
                                                   size_t* size) {
  const simtsolverStatus_t status = check_params(handle, params, nrhs);
  return answer_bytes(status == SIMTSOLVER_STATUS_SUCCESS
                          ? checked(handle, {n >= 0, nrhs >= 0}, {})
                          : status,
                      size);
}

simtsolverStatus_t simtsolverDnIRSXgesv(simtsolverDnHandle_t handle, simtsolverDnIRSParams_t params,
                                        simtsolverDnIRSInfos_t infos, simtsolver_int_t n,
                                        simtsolver_int_t nrhs, void* a, simtsolver_int_t lda,
                                        void* b, simtsolver_int_t ldb, void* x,
                                        simtsolver_int_t ldx, void* work, size_t work_size,
                                        simtsolver_int_t* iterations, simtsolver_int_t* info) {
  return run(handle, "simtsolverDnIRSXgesv", params, infos, n, n, nrhs, a, lda, b, ldb, x, ldx,
             Workspace::bytes(work, work_size), iterations, info,
             [](const auto& p, const Refinement& options, auto low) {
               using T = std::remove_pointer_t<decltype(p.a)>;
               return solve_system<T, decltype(low)>(p, nullptr, options);
             });
}

simtsolverStatus_t simtsolverDnIRSXgels_bufferSize(simtsolverDnHandle_t handle,
                                                   simtsolverDnIRSParams_t params,
                                                   simtsolver_int_t m, simtsolver_int_t n,
                                                   simtsolver_int_t nrhs, size_t* size) {
  const simtsolverStatus_t status = check_params(handle, params, nrhs);
  return answer_bytes(status == SIMTSOLVER_STATUS_SUCCESS
                          ? checked(handle, {n >= 0, m >= n, nrhs >= 0}, {})
                          : status,
                      size);
}

simtsolverStatus_t simtsolverDnIRSXgels(simtsolverDnHandle_t handle, simtsolverDnIRSParams_t params,
                                        simtsolverDnIRSInfos_t infos, simtsolver_int_t m,
                                        simtsolver_int_t n, simtsolver_int_t nrhs, void* a,
                                        simtsolver_int_t lda, void* b, simtsolver_int_t ldb,
                                        void* x, simtsolver_int_t ldx, void* work,
                                        size_t work_size, simtsolver_int_t* iterations,
                                        simtsolver_int_t* info) {
  return run(handle, "simtsolverDnIRSXgels", params, infos, m, n, nrhs, a, lda, b, ldb, x, ldx,
             Workspace::bytes(work, work_size), iterations, info,
             [](const auto& p, const Refinement& options, auto low) {
               using T = std::remove_pointer_t<decltype(p.a)>;
               return solve_least_squares<T, decltype(low)>(p, options);
             });
}

}  // extern "C"
