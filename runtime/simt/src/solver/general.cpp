// Eigenvalues and eigenvectors of general matrices.
#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {
namespace {

template <class T>
using ComplexOf = std::complex<typename RealOf<T>::type>;

/// Arguments that describe the matrices of a call.
struct General {
  simtsolverEigMode_t jobvl, jobvr;
  std::int64_t n;
  simtDataType type;
  std::int64_t lda;
  simtDataType type_w, type_vl;
  std::int64_t ldvl;
  simtDataType type_vr;
  std::int64_t ldvr;
  simtDataType compute;

  bool has_left() const { return jobvl == SIMTSOLVER_EIG_MODE_VECTOR; }
  bool has_right() const { return jobvr == SIMTSOLVER_EIG_MODE_VECTOR; }
};

simtDataType complex_type(simtDataType type) {
  return type == SIMT_R_32F ? SIMT_C_32F : type == SIMT_R_64F ? SIMT_C_64F : type;
}

simtsolverStatus_t check_general(simtsolverDnHandle_t handle, const General& given) {
  const std::int64_t n = given.n;
  return checked(handle,
                 {valid(given.jobvl), valid(given.jobvr), n >= 0, holds(given.lda, n),
                  holds(given.ldvl, given.has_left() ? n : 0),
                  holds(given.ldvr, given.has_right() ? n : 0),
                  given.type_w == complex_type(given.type), given.type_vl == given.type,
                  given.type_vr == given.type, given.compute == given.type},
                 {n, given.lda, given.ldvl, given.ldvr});
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsolverStatus_t simtsolverDnXgeev_bufferSize(
    simtsolverDnHandle_t handle, simtsolverDnParams_t, simtsolverEigMode_t jobvl,
    simtsolverEigMode_t jobvr, std::int64_t n, simtDataType type, const void*, std::int64_t lda,
    simtDataType type_w, const void*, simtDataType type_vl, const void*, std::int64_t ldvl,
    simtDataType type_vr, const void*, std::int64_t ldvr, simtDataType compute,
    std::size_t* on_device, std::size_t* on_host) {
  const General given{jobvl, jobvr, n, type, lda, type_w, type_vl, ldvl, type_vr, ldvr, compute};
  return with_element(type, [&](auto) {
    return answer(check_general(handle, given), on_device, on_host);
  });
}

simtsolverStatus_t simtsolverDnXgeev(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                     simtsolverEigMode_t jobvl, simtsolverEigMode_t jobvr,
                                     std::int64_t n, simtDataType type, void* a, std::int64_t lda,
                                     simtDataType type_w, void* w, simtDataType type_vl, void* vl,
                                     std::int64_t ldvl, simtDataType type_vr, void* vr,
                                     std::int64_t ldvr, simtDataType compute, void* work,
                                     std::size_t work_size, void*, std::size_t, int* info) {
  const General given{jobvl, jobvr, n, type, lda, type_w, type_vl, ldvl, type_vr, ldvr, compute};
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    const simtsolverStatus_t status = check_general(handle, given);
    if (status != SIMTSOLVER_STATUS_SUCCESS) {
      return status;
    }
    if (!there(a, n) || !there(w, n) || (given.has_left() && !there(vl, n)) ||
        (given.has_right() && !there(vr, n)) || !Workspace::bytes(work, work_size).valid() ||
        info == nullptr) {
      return SIMTSOLVER_STATUS_INVALID_VALUE;
    }
    return solver_submit(handle, "simtsolverDnXgeev", [=] {
      const int order = static_cast<int>(n);
      T* const matrix = static_cast<T*>(a);
      // LAPACK's iteration may not terminate for a matrix with infinities or NaN.
      *info = all_finite(order, order, matrix, lda)
                  ? lapack::geev(letter(jobvl), letter(jobvr), order, matrix, static_cast<int>(lda),
                                 static_cast<ComplexOf<T>*>(w), static_cast<T*>(vl),
                                 static_cast<int>(ldvl), static_cast<T*>(vr),
                                 static_cast<int>(ldvr))
                  : std::max(1, order);
    });
  });
}

}  // extern "C"
