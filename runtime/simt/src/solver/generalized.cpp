// Selected eigenvalues, and eigenvalues of two symmetric or Hermitian matrices.
#include "solver/context.h"
#include "solver/lapack.h"

#include <algorithm>
#include <vector>

namespace simtrt {
namespace lapack {

extern "C" {
#define SIMT_DECLARE(s, T)                                                                     \
  void SIMT_BLAS(s##sygvd_)(const int* type, const char* job, const char* uplo, const int* n,  \
                            T* a, const int* lda, T* b, const int* ldb, T* w, T* work,         \
                            const int* lwork, int* iwork, const int* liwork, int* info,        \
                            std::size_t, std::size_t);
#define SIMT_DECLARE_COMPLEX(s, T, R)                                                          \
  void SIMT_BLAS(s##hegvd_)(const int* type, const char* job, const char* uplo, const int* n,  \
                            T* a, const int* lda, T* b, const int* ldb, R* w, T* work,         \
                            const int* lwork, R* rwork, const int* lrwork, int* iwork,         \
                            const int* liwork, int* info, std::size_t, std::size_t);
SIMT_DECLARE(s, float)
SIMT_DECLARE(d, double)
SIMT_DECLARE_COMPLEX(c, Complex, float)
SIMT_DECLARE_COMPLEX(z, DoubleComplex, double)
#undef SIMT_DECLARE_COMPLEX
#undef SIMT_DECLARE
}  // extern "C"

#define SIMT_OVERLOAD(s, T)                                                                       \
  int hegvd(int type, char job, char uplo, int n, T* a, int lda, T* b, int ldb, T* w) {           \
    int info = 0, isize = 0, query = -1;                                                          \
    T size{};                                                                                     \
    SIMT_BLAS(s##sygvd_)                                                                          \
    (&type, &job, &uplo, &n, a, &lda, b, &ldb, w, &size, &query, &isize, &query, &info, 1, 1);    \
    const int lwork = queried(size), liwork = queried(isize);                                     \
    std::vector<T> work(static_cast<std::size_t>(lwork));                                         \
    std::vector<int> iwork(static_cast<std::size_t>(liwork));                                     \
    SIMT_BLAS(s##sygvd_)                                                                          \
    (&type, &job, &uplo, &n, a, &lda, b, &ldb, w, work.data(), &lwork, iwork.data(), &liwork,     \
     &info, 1, 1);                                                                                \
    return info;                                                                                  \
  }
#define SIMT_OVERLOAD_COMPLEX(s, T, R)                                                            \
  int hegvd(int type, char job, char uplo, int n, T* a, int lda, T* b, int ldb, R* w) {           \
    int info = 0, isize = 0, query = -1;                                                          \
    T size{};                                                                                     \
    R rsize{};                                                                                    \
    SIMT_BLAS(s##hegvd_)                                                                          \
    (&type, &job, &uplo, &n, a, &lda, b, &ldb, w, &size, &query, &rsize, &query, &isize, &query,  \
     &info, 1, 1);                                                                                \
    const int lwork = queried(size), lrwork = queried(rsize), liwork = queried(isize);            \
    std::vector<T> work(static_cast<std::size_t>(lwork));                                         \
    std::vector<R> rwork(static_cast<std::size_t>(lrwork));                                       \
    std::vector<int> iwork(static_cast<std::size_t>(liwork));                                     \
    SIMT_BLAS(s##hegvd_)                                                                          \
    (&type, &job, &uplo, &n, a, &lda, b, &ldb, w, work.data(), &lwork, rwork.data(), &lrwork,     \
     iwork.data(), &liwork, &info, 1, 1);                                                         \
    return info;                                                                                  \
  }
namespace {
SIMT_OVERLOAD(s, float)
SIMT_OVERLOAD(d, double)
SIMT_OVERLOAD_COMPLEX(c, Complex, float)
SIMT_OVERLOAD_COMPLEX(z, DoubleComplex, double)
}  // namespace
#undef SIMT_OVERLOAD_COMPLEX
#undef SIMT_OVERLOAD

}  // namespace lapack

namespace {

/// Selection of eigenvalues.
template <class Real>
struct Selection {
  simtsolverEigRange_t range = SIMTSOLVER_EIG_RANGE_ALL;
  Real above = 0;
  Real most = 0;
  std::int64_t first = 1;
  std::int64_t last = 0;

  bool valid(std::int64_t n) const {
    switch (range) {
      case SIMTSOLVER_EIG_RANGE_ALL: return true;
      case SIMTSOLVER_EIG_RANGE_I: return n == 0 || (1 <= first && first <= last && last <= n);
      case SIMTSOLVER_EIG_RANGE_V: return above < most;
      default: return false;
    }
  }
  /// Index of the first selected eigenvalue, and the number of selected eigenvalues, of n ascending ones.
  std::pair<int, int> of(const Real* w, int n) const {
    if (range == SIMTSOLVER_EIG_RANGE_ALL || n == 0) return {0, n};
    if (range == SIMTSOLVER_EIG_RANGE_I)
      return {static_cast<int>(first) - 1, static_cast<int>(last - first) + 1};
    const auto begin = static_cast<int>(std::upper_bound(w, w + n, above) - w);
    const auto end = static_cast<int>(std::upper_bound(w, w + n, most) - w);
    return {begin, end - begin};
  }
};

/// Two matrices. For one matrix, `b` is null.
template <class T>
struct Problem {
  simtsolverEigType_t type = SIMTSOLVER_EIG_TYPE_1;
  simtsolverEigMode_t jobz;
  simtblasFillMode_t uplo;
  std::int64_t n;
  T* a;
  std::int64_t lda;
  T* b = nullptr;
  std::int64_t ldb = 0;
  bool has_b = false;

  simtsolverStatus_t check(simtsolverDnHandle_t handle) const {
    return checked(handle,
                   {type >= SIMTSOLVER_EIG_TYPE_1 && type <= SIMTSOLVER_EIG_TYPE_3,
                    simtrt::valid(jobz), simtrt::valid(uplo), n >= 0, holds(lda, n),
                    !has_b || holds(ldb, n)},
                   {n, lda, ldb});
  }
};

template <class T>
bool triangle_is_finite(const Problem<T>& p, const T* a, std::int64_t ld) {
  for (std::int64_t j = 0; j < p.n; ++j) {
    const std::int64_t first = p.uplo == SIMTBLAS_FILL_MODE_UPPER ? 0 : j;
    const std::int64_t last = p.uplo == SIMTBLAS_FILL_MODE_UPPER ? j : p.n - 1;
    if (!all_finite(static_cast<int>(last - first) + 1, 1, a + first + j * ld, ld)) return false;
  }
  return true;
}

/// Returns LAPACK's info; with infinity or NaN, that of a failed iteration.
template <class T, class Real>
int solve(const Problem<T>& p, Real* w) {
  const int n = static_cast<int>(p.n), lda = static_cast<int>(p.lda);
  if (!triangle_is_finite(p, p.a, p.lda) || (p.has_b && !triangle_is_finite(p, p.b, p.ldb)))
    return std::max(1, n - 1);
  return p.has_b ? lapack::hegvd(p.type, letter(p.jobz), letter(p.uplo), n, p.a, lda, p.b,
                                 static_cast<int>(p.ldb), w)
                 : lapack::heevd(letter(p.jobz), letter(p.uplo), n, p.a, lda, w);
}

template <class T, class Real, class Count>
simtsolverStatus_t solve_selected(simtsolverDnHandle_t handle, const char* name, Problem<T> p,
                                  Selection<Real> selection, Count* found, Real* w,
                                  Workspace workspace, int* info) {
  const simtsolverStatus_t status = p.check(handle);
  if (status != SIMTSOLVER_STATUS_SUCCESS) return status;
  if (!there(p.a, p.n) || (p.has_b && !there(p.b, p.n)) || !there(w, p.n) || found == nullptr ||
      !workspace.valid() || info == nullptr || !selection.valid(p.n)) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  const bool is_counted = selection.range == SIMTSOLVER_EIG_RANGE_V;
  if (!is_counted) *found = selection.of(w, static_cast<int>(p.n)).second;
  const simtsolverStatus_t submitted = solver_submit(handle, name, [=] {
    *info = solve(p, w);
    const auto [begin, count] =
        *info == 0 ? selection.of(w, static_cast<int>(p.n)) : std::pair<int, int>{0, 0};
    if (is_counted) *found = count;
    if (begin == 0) return;
    std::copy_n(w + begin, count, w);
    if (p.jobz != SIMTSOLVER_EIG_MODE_VECTOR) return;
    for (int j = 0; j < count; ++j) std::copy_n(p.a + (begin + j) * p.lda, p.n, p.a + j * p.lda);
  });
  if (submitted != SIMTSOLVER_STATUS_SUCCESS || !is_counted) return submitted;
  simtStream_t stream = nullptr;
  simtsolverDnGetStream(handle, &stream);
  return simtStreamSynchronize(stream) == simtSuccess ? SIMTSOLVER_STATUS_SUCCESS
                                                      : SIMTSOLVER_STATUS_EXECUTION_FAILED;
}

template <class T, class Real>
simtsolverStatus_t solve_all(simtsolverDnHandle_t handle, const char* name, Problem<T> p, Real* w,
                             Workspace workspace, int* info, bool has_params = true) {
  const simtsolverStatus_t status = p.check(handle);
  if (status != SIMTSOLVER_STATUS_SUCCESS) return status;
  if (!there(p.a, p.n) || !there(p.b, p.n) || !there(w, p.n) || !workspace.valid() ||
      info == nullptr || !has_params) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] { *info = solve(p, w); });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define SIMT_ONE(A) {SIMTSOLVER_EIG_TYPE_1, jobz, uplo, n, A, lda}
#define SIMT_TWO(A, B) {itype, jobz, uplo, n, A, lda, B, ldb, true}
#define SIMT_SELECTION {range, vl, vu, il, iu}
#define DEFINE_GENERALIZED(syevdx, sygvd, sygvdx, sygvj, T, Real)                                   \
  simtsolverStatus_t syevdx##_bufferSize(                                                           \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, simtsolverEigRange_t,                  \
      simtblasFillMode_t uplo, int n, const T* A, int lda, Real, Real, int, int, int*, const Real*, \
      int* lwork) {                                                                                 \
    const Problem<const T> p SIMT_ONE(A);                                                           \
    return answer(p.check(handle), lwork);                                                          \
  }                                                                                                 \
  simtsolverStatus_t syevdx(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,                  \
                            simtsolverEigRange_t range, simtblasFillMode_t uplo, int n, T* A,       \
                            int lda, Real vl, Real vu, int il, int iu, int* found, Real* W,         \
                            T* work, int lwork, int* info) {                                        \
    using Element = std::remove_pointer_t<decltype(native(A))>;                                     \
    return solve_selected<Element, Real>(handle, #syevdx, SIMT_ONE(native(A)), SIMT_SELECTION,      \
                                         found, W, Workspace::elements(work, lwork), info);         \
  }                                                                                                 \
  simtsolverStatus_t sygvd##_bufferSize(simtsolverDnHandle_t handle, simtsolverEigType_t itype,     \
                                        simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n,   \
                                        const T* A, int lda, const T* B, int ldb, const Real*,      \
                                        int* lwork) {                                               \
    const Problem<const T> p SIMT_TWO(A, B);                                                        \
    return answer(p.check(handle), lwork);                                                          \
  }                                                                                                 \
  simtsolverStatus_t sygvd(simtsolverDnHandle_t handle, simtsolverEigType_t itype,                  \
                           simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n, T* A, int lda, \
                           T* B, int ldb, Real* W, T* work, int lwork, int* info) {                 \
    using Element = std::remove_pointer_t<decltype(native(A))>;                                     \
    return solve_all<Element, Real>(handle, #sygvd, SIMT_TWO(native(A), native(B)), W,              \
                                    Workspace::elements(work, lwork), info);                        \
  }                                                                                                 \
  simtsolverStatus_t sygvdx##_bufferSize(                                                           \
      simtsolverDnHandle_t handle, simtsolverEigType_t itype, simtsolverEigMode_t jobz,             \
      simtsolverEigRange_t, simtblasFillMode_t uplo, int n, const T* A, int lda, const T* B,        \
      int ldb, Real, Real, int, int, int*, const Real*, int* lwork) {                               \
    const Problem<const T> p SIMT_TWO(A, B);                                                        \
    return answer(p.check(handle), lwork);                                                          \
  }                                                                                                 \
  simtsolverStatus_t sygvdx(simtsolverDnHandle_t handle, simtsolverEigType_t itype,                 \
                            simtsolverEigMode_t jobz, simtsolverEigRange_t range,                   \
                            simtblasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, Real vl,  \
                            Real vu, int il, int iu, int* found, Real* W, T* work, int lwork,       \
                            int* info) {                                                            \
    using Element = std::remove_pointer_t<decltype(native(A))>;                                     \
    return solve_selected<Element, Real>(handle, #sygvdx, SIMT_TWO(native(A), native(B)),           \
                                         SIMT_SELECTION, found, W,                                  \
                                         Workspace::elements(work, lwork), info);                   \
  }                                                                                                 \
  simtsolverStatus_t sygvj##_bufferSize(simtsolverDnHandle_t handle, simtsolverEigType_t itype,     \
                                        simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n,   \
                                        const T* A, int lda, const T* B, int ldb, const Real* W,    \
                                        int* lwork, syevjInfo_t params) {                           \
    return params == nullptr ? SIMTSOLVER_STATUS_INVALID_VALUE                                      \
                             : sygvd##_bufferSize(handle, itype, jobz, uplo, n, A, lda, B, ldb, W,  \
                                                  lwork);                                           \
  }                                                                                                 \
  simtsolverStatus_t sygvj(simtsolverDnHandle_t handle, simtsolverEigType_t itype,                  \
                           simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n, T* A, int lda, \
                           T* B, int ldb, Real* W, T* work, int lwork, int* info,                   \
                           syevjInfo_t params) {                                                    \
    using Element = std::remove_pointer_t<decltype(native(A))>;                                     \
    return solve_all<Element, Real>(handle, #sygvj, SIMT_TWO(native(A), native(B)), W,              \
                                    Workspace::elements(work, lwork), info, params != nullptr);     \
  }
DEFINE_GENERALIZED(simtsolverDnSsyevdx, simtsolverDnSsygvd, simtsolverDnSsygvdx,
                   simtsolverDnSsygvj, float, float)
DEFINE_GENERALIZED(simtsolverDnDsyevdx, simtsolverDnDsygvd, simtsolverDnDsygvdx,
                   simtsolverDnDsygvj, double, double)
DEFINE_GENERALIZED(simtsolverDnCheevdx, simtsolverDnChegvd, simtsolverDnChegvdx,
                   simtsolverDnChegvj, simtComplex, float)
DEFINE_GENERALIZED(simtsolverDnZheevdx, simtsolverDnZhegvd, simtsolverDnZhegvdx,
                   simtsolverDnZhegvj, simtDoubleComplex, double)

simtsolverStatus_t simtsolverDnXsyevdx_bufferSize(
    simtsolverDnHandle_t handle, simtsolverDnParams_t, simtsolverEigMode_t jobz,
    simtsolverEigRange_t, simtblasFillMode_t uplo, std::int64_t n, simtDataType type, const void* a,
    std::int64_t lda, void*, void*, std::int64_t, std::int64_t, std::int64_t*, simtDataType type_w,
    const void*, simtDataType compute, std::size_t* on_device, std::size_t* on_host) {
  return with_element(type, [&](auto element) {
    using T = const decltype(element);
    const Problem<T> p SIMT_ONE(static_cast<T*>(a));
    return type_w == real_type(type) && type == compute
               ? answer(p.check(handle), on_device, on_host)
               : SIMTSOLVER_STATUS_INVALID_VALUE;
  });
}

simtsolverStatus_t simtsolverDnXsyevdx(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                       simtsolverEigMode_t jobz, simtsolverEigRange_t range,
                                       simtblasFillMode_t uplo, std::int64_t n, simtDataType type,
                                       void* a, std::int64_t lda, void* vl, void* vu,
                                       std::int64_t il, std::int64_t iu, std::int64_t* found,
                                       simtDataType type_w, void* w, simtDataType compute,
                                       void* work, std::size_t work_size, void*, std::size_t,
                                       int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    using Real = typename RealOf<T>::type;
    if (type_w != real_type(type) || type != compute ||
        (range == SIMTSOLVER_EIG_RANGE_V && (vl == nullptr || vu == nullptr))) {
      return SIMTSOLVER_STATUS_INVALID_VALUE;
    }
    const auto read = [](const void* from) { return from == nullptr ? Real{} : *static_cast<const Real*>(from); };
    return solve_selected<T, Real>(handle, "simtsolverDnXsyevdx", SIMT_ONE(static_cast<T*>(a)),
                                   {range, read(vl), read(vu), il, iu}, found,
                                   static_cast<Real*>(w), Workspace::bytes(work, work_size), info);
  });
}

}  // extern "C"
