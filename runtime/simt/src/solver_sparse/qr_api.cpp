// Low-level QR factorisation, and QR of batches of matrices with one pattern: csrqr.
#include <simtrt/enqueue.h>

#include "solver_sparse/infos.h"
#include "solver_sparse/qr.h"

struct csrqrInfo : simtrt::direct::Info<simtrt::direct::QrAnalysis> {
  std::any system;  // std::shared_ptr of a QrSystem, which setup stores
};
struct csrqrInfoHost : csrqrInfo {};

namespace simtrt::direct {
namespace {

/// Matrix that setup stores. With a shift, the pattern may have more entries than the analysed matrix.
template <class T>
struct QrSystem {
  Matrix<T> matrix;
  std::shared_ptr<const QrAnalysis> analysis;
};

bool has_sizes(const csrqrInfo* info, int m, int n) {
  return info != nullptr && info->analysis != nullptr && info->analysis->rows == m &&
         info->analysis->columns == n;
}

template <class T>
simtsolverStatus_t query(simtsolverSpHandle_t handle, const CsrArgument<T>& a,
                         const csrqrInfo* info, int batch, std::size_t* internal_size,
                         std::size_t* workspace_size) {
  const simtsolverStatus_t status =
      batch > 0 ? check_analysed(handle, a, info) : SIMTSOLVER_STATUS_INVALID_VALUE;
  const std::size_t entries =
      status == SIMTSOLVER_STATUS_SUCCESS ? info->analysis->indices.size() : 0;
  return answer_sizes(status, entries * sizeof(T) * static_cast<std::size_t>(batch), internal_size,
                      workspace_size);
}

template <class T>
simtsolverStatus_t set_up(Place place, simtsolverSpHandle_t handle, const char* name,
                          const CsrArgument<T>& a, T shift, csrqrInfo* info) {
  const simtsolverStatus_t status = check_analysed(handle, a, info);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (!has_sizes(info, a.rows, a.columns)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  const auto system = std::make_shared<QrSystem<T>>();
  info->system = system;
  return start(place, handle, name,
               [read = reader(a), shift, system, analysis = info->analysis] {
                 system->matrix = read();
                 system->analysis = analysis;
                 if (shift != T{}) {
                   const int nnz = system->matrix.pattern.nnz();
                   system->matrix = shifted(system->matrix, shift);
                   if (system->matrix.pattern.nnz() != nnz) {
                     system->analysis =
                         std::make_shared<const QrAnalysis>(analyse_qr(system->matrix.pattern));
                   }
                 }
               });
}

template <class T>
simtsolverStatus_t factor(Place place, simtsolverSpHandle_t handle, const char* name, int m, int n,
                          const T* b, T* x, csrqrInfo* info) {
  if (handle == nullptr) {
    return SIMTSOLVER_STATUS_NOT_INITIALIZED;
  }
  const auto* const system =
      info == nullptr ? nullptr : std::any_cast<std::shared_ptr<QrSystem<T>>>(&info->system);
  if (system == nullptr || !has_sizes(info, m, n) || (b == nullptr) != (x == nullptr)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return start(place, handle, name,
               [system = *system, b, x, result = info->new_factors<QrFactor<T>>()] {
                 *result = factor_qr(system->analysis, system->matrix);
                 if (b != nullptr) {
                   solve(*result, b, x);
                 }
               });
}

template <class T>
simtsolverStatus_t find_zero_pivot(Place place, simtsolverSpHandle_t handle, const char* name,
                                   const csrqrInfo* info, Real<T> tolerance, int* position) {
  return inspect<QrFactor<T>>(
      place, handle, name, info, position,
      [tolerance](const QrFactor<T>& factors, int* result) {
        const int small = first_small(factors.diagonal(), tolerance);
        *result =
            small < 0 ? -1 : factors.analysis->column_order[static_cast<std::size_t>(small)];
      });
}

template <class T>
simtsolverStatus_t solve_system(Place place, simtsolverSpHandle_t handle, const char* name, int m,
                                int n, const T* b, T* x, const csrqrInfo* info) {
  const bool valid = b != nullptr && x != nullptr && has_sizes(info, m, n);
  return solve_with<QrFactor<T>>(place, handle, name, valid, info,
                                 [b, x](const QrFactor<T>& factors) { solve(factors, b, x); });
}

template <class T>
simtsolverStatus_t solve_batch(simtsolverSpHandle_t handle, const char* name,
                               const CsrArgument<T>& a, const T* b, T* x, int batch,
                               const csrqrInfo* info) {
  const simtsolverStatus_t status = check_analysed(handle, a, info);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  if (b == nullptr || x == nullptr || batch <= 0 || !has_sizes(info, a.rows, a.columns)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return submit(
      handle->stream, name,
      [a, b, x, batch, analysis = info->analysis, base = index_base(a.descriptor)] {
        const auto solve_from = [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const T* const values = a.values + i * static_cast<std::size_t>(a.nnz);
            const QrFactor<T> factors = factor_qr(
                analysis, copy_matrix(a.rows, a.columns, values, a.offsets, a.indices, base));
            solve(factors, b + i * static_cast<std::size_t>(a.rows),
                  x + i * static_cast<std::size_t>(a.columns));
          }
        };
        parallel_for(static_cast<std::size_t>(batch), 1, solve_from);
      });
}

QrAnalysis analyse(const Pattern& a) { return analyse_qr(a); }

}  // namespace
}  // namespace simtrt::direct

using namespace simtrt;
using namespace simtrt::direct;

extern "C" {

#define DEFINE_QR_ANALYSIS(suffix, Host, place)                                                   \
  simtsolverStatus_t simtsolverSpXcsrqrAnalysis##suffix(                                          \
      simtsolverSpHandle_t handle, int m, int n, int nnz, simtsparseMatDescr_t descriptor,        \
      const int* offsets, const int* indices, csrqrInfo##Host##_t info) {                         \
    return analyse_pattern<QrAnalysis>(place, handle, "simtsolverSpXcsrqrAnalysis" #suffix,       \
                                       {m, n, nnz, descriptor, offsets, indices}, info, analyse); \
  }
DEFINE_QR_ANALYSIS(Host, Host, Place::kHost)
DEFINE_QR_ANALYSIS(, , Place::kDevice)
DEFINE_QR_ANALYSIS(Batched, , Place::kDevice)

#define DEFINE_QR_INFO(Host)                                                                  \
  simtsolverStatus_t simtsolverSpCreateCsrqrInfo##Host(csrqrInfo##Host##_t* info) {           \
    return create_info(info);                                                                 \
  }                                                                                           \
  simtsolverStatus_t simtsolverSpDestroyCsrqrInfo##Host(csrqrInfo##Host##_t info) {           \
    return destroy_info(info);                                                                \
  }
DEFINE_QR_INFO(Host)
DEFINE_QR_INFO()

#define QR_MATRIX(T) \
  CsrArgument<SparseValue<T>> { m, n, nnz, descriptor, values_of(values), offsets, indices }
#define DEFINE_QR_AT(S, T, Real, Host, place)                                                      \
  simtsolverStatus_t simtsolverSp##S##csrqrBufferInfo##Host(                                       \
      simtsolverSpHandle_t handle, int m, int n, int nnz, simtsparseMatDescr_t descriptor,         \
      const T* values, const int* offsets, const int* indices, csrqrInfo##Host##_t info,           \
      std::size_t* internal_size, std::size_t* workspace_size) {                                   \
    return query(handle, QR_MATRIX(T), info, 1, internal_size, workspace_size);                    \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrqrSetup##Host(                                            \
      simtsolverSpHandle_t handle, int m, int n, int nnz, simtsparseMatDescr_t descriptor,         \
      const T* values, const int* offsets, const int* indices, T shift,                            \
      csrqrInfo##Host##_t info) {                                                                  \
    return set_up(place, handle, "simtsolverSp" #S "csrqrSetup" #Host, QR_MATRIX(T),               \
                  *values_of(&shift), info);                                                       \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrqrFactor##Host(simtsolverSpHandle_t handle, int m, int n, \
                                                        int, T* b, T* x,                           \
                                                        csrqrInfo##Host##_t info, void*) {         \
    return factor<SparseValue<T>>(place, handle, "simtsolverSp" #S "csrqrFactor" #Host, m, n,      \
                                  values_of(b), values_of(x), info);                               \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrqrZeroPivot##Host(                                        \
      simtsolverSpHandle_t handle, csrqrInfo##Host##_t info, Real tolerance, int* position) {      \
    return find_zero_pivot<SparseValue<T>>(                                                        \
        place, handle, "simtsolverSp" #S "csrqrZeroPivot" #Host, info, tolerance, position);       \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrqrSolve##Host(simtsolverSpHandle_t handle, int m, int n,  \
                                                       T* b, T* x, csrqrInfo##Host##_t info,       \
                                                       void*) {                                    \
    return solve_system<SparseValue<T>>(place, handle, "simtsolverSp" #S "csrqrSolve" #Host, m, n, \
                                        values_of(b), values_of(x), info);                         \
  }
#define DEFINE_QR(S, T, Real)                                                                      \
  DEFINE_QR_AT(S, T, Real, Host, Place::kHost)                                                     \
  DEFINE_QR_AT(S, T, Real, , Place::kDevice)                                                       \
  simtsolverStatus_t simtsolverSp##S##csrqrBufferInfoBatched(                                      \
      simtsolverSpHandle_t handle, int m, int n, int nnz, simtsparseMatDescr_t descriptor,         \
      const T* values, const int* offsets, const int* indices, int batch, csrqrInfo_t info,        \
      std::size_t* internal_size, std::size_t* workspace_size) {                                   \
    return query(handle, QR_MATRIX(T), info, batch, internal_size, workspace_size);                \
  }                                                                                                \
  simtsolverStatus_t simtsolverSp##S##csrqrsvBatched(                                              \
      simtsolverSpHandle_t handle, int m, int n, int nnz, simtsparseMatDescr_t descriptor,         \
      const T* values, const int* offsets, const int* indices, const T* b, T* x, int batch,        \
      csrqrInfo_t info, void*) {                                                                   \
    return solve_batch(handle, "simtsolverSp" #S "csrqrsvBatched", QR_MATRIX(T), values_of(b),     \
                       values_of(x), batch, info);                                                 \
  }
DEFINE_QR(S, float, float)
DEFINE_QR(D, double, double)
DEFINE_QR(C, simtComplex, float)
DEFINE_QR(Z, simtDoubleComplex, double)

}  // extern "C"
