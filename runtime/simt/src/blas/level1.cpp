// Level 1: vector operations and rotations.
#include <cmath>
#include <utility>

#include "blas/context.h"

namespace simtrt {
namespace {

using host_blas::Complex;
using host_blas::DoubleComplex;

template <class T, class Result, class Reduce>
simtblasStatus_t reduce(simtblasHandle_t handle, const char* name, int n, const T* x, int incx,
                        Result* result, Reduce of) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  const bool empty = n < 1 || incx < 1;
  if (result == nullptr || (!empty && x == nullptr)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit_result(*handle, name, [=] { *result = empty ? Result() : of(n, x, incx); });
}

/// Magnitude by which BLAS compares elements: |x|, or |re| + |im|.
template <class T>
T magnitude(T x) {
  return std::abs(x);
}
template <class T>
T magnitude(std::complex<T> x) {
  return std::abs(x.real()) + std::abs(x.imag());
}

/// Index, counted from 1, of the first element with the largest magnitude (`precedes` is "greater")
/// or with the smallest (`precedes` is "less"). NaNs are skipped, as in cuBLAS.
template <class T, class Precedes>
int first_extreme(int n, const T* x, int incx, Precedes precedes) {
  const auto at = [x, incx](std::ptrdiff_t index) { return magnitude(x[index * incx]); };
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (precedes(at(i), at(best)) || (std::isnan(at(best)) && !std::isnan(at(i)))) {
      best = i;
    }
  }
  return best + 1;
}

struct AbsoluteSum {
  template <class T>
  auto operator()(int n, const T* x, int incx) const {
    return host_blas::asum(n, x, incx);
  }
};
struct Norm {
  template <class T>
  auto operator()(int n, const T* x, int incx) const {
    return host_blas::nrm2(n, x, incx);
  }
};
struct Largest {
  template <class T>
  int operator()(int n, const T* x, int incx) const {
    return first_extreme(n, x, incx, [](auto a, auto b) { return a > b; });
  }
};
struct Smallest {
  template <class T>
  int operator()(int n, const T* x, int incx) const {
    return first_extreme(n, x, incx, [](auto a, auto b) { return a < b; });
  }
};

template <class T>
simtblasStatus_t dot(simtblasHandle_t handle, const char* name, int n, const T* x, int incx,
                     const T* y, int incy, T* result, bool conjugated) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (result == nullptr || (n > 0 && any_null(x, y))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit_result(*handle, name, [=] {
    if (n < 1) {
      *result = T();
    } else {
      *result =
          conjugated ? host_blas::dotc(n, x, incx, y, incy) : host_blas::dotu(n, x, incx, y, incy);
    }
  });
}

template <class T>
simtblasStatus_t axpy(simtblasHandle_t handle, const char* name, int n, const T* alpha, const T* x,
                      int incx, T* y, int incy) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n < 1) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, y)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<T> a(*handle, alpha);
  return blas_submit(*handle, name, [=] { host_blas::axpy(n, a(), x, incx, y, incy); });
}

/// Implements copy and swap.
template <class T, class Y, class Exchange>
simtblasStatus_t exchange(simtblasHandle_t handle, const char* name, int n, T* x, int incx, Y* y,
                          int incy, Exchange operation) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (n < 1) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, y)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(*handle, name, [=] { operation(n, x, incx, y, incy); });
}

// A loop is used because releases of OpenBLAS differ in the result of NaN times zero. Here the
// result is NaN.
template <class T, class Scalar>
simtblasStatus_t scal(simtblasHandle_t handle, const char* name, int n, const Scalar* alpha, T* x,
                      int incx) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n < 1 || incx < 1) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (x == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<Scalar> factor(*handle, alpha);
  return blas_submit(*handle, name, [=] {
    const Scalar a = factor();
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      x[i * incx] *= a;
    }
  });
}

template <class T, class Real, class Sine>
simtblasStatus_t rot(simtblasHandle_t handle, const char* name, int n, T* x, int incx, T* y,
                     int incy, const Real* cosine, const Sine* sine) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (any_null(cosine, sine)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n < 1) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, y)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const BlasScalar<Real> c_argument(*handle, cosine);
  const BlasScalar<Sine> s_argument(*handle, sine);
  return blas_submit(*handle, name, [=] {
    const Real c = c_argument();
    const Sine s = s_argument();
    T* const x0 = first_element(x, n, incx);
    T* const y0 = first_element(y, n, incy);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const T xi = x0[i * incx];
      const T yi = y0[i * incy];
      x0[i * incx] = c * xi + s * yi;
      y0[i * incy] = c * yi - conjugate(s) * xi;
    }
  });
}

template <class T, class Real>
simtblasStatus_t rotg(simtblasHandle_t handle, const char* name, T* a, T* b, Real* c, T* s) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (any_null(a, b) || any_null(c) || any_null(s)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit_result(*handle, name, [=] { host_blas::rotg(a, b, c, s); });
}

template <class T>
simtblasStatus_t rotm(simtblasHandle_t handle, const char* name, int n, T* x, int incx, T* y,
                      int incy, const T* param) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (param == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (n < 1) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (any_null(x, y)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  struct Param {
    T numbers[5];
    // Required by BlasScalar's test for zero; no caller uses it here.
    bool operator==(const Param&) const { return false; }
  };
  const BlasScalar<Param> argument(*handle, reinterpret_cast<const Param*>(param));
  return blas_submit(*handle, name, [=] {
    const Param five = argument();
    host_blas::rotm(n, x, incx, y, incy, five.numbers);
  });
}

/// Matrix of a modified rotation. `flag` is the first element of `param`: -1 if `param` holds all four elements, 0 for
/// h21 and h12 only, 1 for h11 and h22 only.
template <class T>
struct ModifiedRotation {
  T flag = -1, h11 = 0, h21 = 0, h12 = 0, h22 = 0;

  /// Before weights are scaled, all four elements get values.
  void complete() {
    if (flag == 0) {
      h11 = h22 = 1;
    } else if (flag > 0) {
      h21 = -1;
      h12 = 1;
    }
    flag = -1;
  }
  void store(T* param) const {
    param[0] = flag;
    if (flag < 0 || flag > 0) param[1] = h11, param[4] = h22;
    if (flag <= 0) param[2] = h21, param[3] = h12;
  }
};

/// Scales a weight into [1 / 4096^2, 4096^2], and its row of the matrix to match.
template <class T>
void scale_weight(ModifiedRotation<T>& h, T* weight, T* x, T& left, T& right) {
  constexpr T kGamma = 4096, kLarge = kGamma * kGamma, kSmall = 1 / kLarge;
  while (*weight != 0 && (std::abs(*weight) <= kSmall || std::abs(*weight) >= kLarge)) {
    h.complete();
    const T factor = std::abs(*weight) <= kSmall ? kGamma : 1 / kGamma;
    *weight *= factor * factor;
    if (x != nullptr) *x /= factor;
    left /= factor;
    right /= factor;
  }
}

/// C. L. Lawson and others: Basic Linear Algebra Subprograms for Fortran Usage (1979), SROTMG. OpenBLAS's function loses
/// an element of the matrix if the first weight is zero.
template <class T>
void modified_rotation(T* d1, T* d2, T* x1, T y1, T* param) {
  ModifiedRotation<T> h;
  const T p1 = *d1 * *x1, p2 = *d2 * y1, q1 = p1 * *x1, q2 = p2 * y1;
  if (*d1 >= 0 && p2 == 0) {
    param[0] = -2;
    return;
  }
  const bool first = std::abs(q1) > std::abs(q2);
  if (first) {
    h.h21 = -y1 / *x1;
    h.h12 = p2 / p1;
  } else {
    h.h11 = p1 / p2;
    h.h22 = *x1 / y1;
  }
  const T u = first ? 1 - h.h12 * h.h21 : 1 + h.h11 * h.h22;
  if (*d1 < 0 || (first ? u <= 0 : q2 < 0)) {
    ModifiedRotation<T>().store(param);
    *d1 = *d2 = *x1 = 0;
    return;
  }
  h.flag = first ? 0 : 1;
  if (!first) std::swap(*d1, *d2);
  *d1 /= u;
  *d2 /= u;
  *x1 = first ? *x1 * u : y1 * u;
  scale_weight(h, d1, x1, h.h11, h.h12);
  scale_weight(h, d2, static_cast<T*>(nullptr), h.h21, h.h22);
  h.store(param);
}

template <class T>
simtblasStatus_t rotmg(simtblasHandle_t handle, const char* name, T* d1, T* d2, T* x1, const T* y1,
                       T* param) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (any_null(d1, d2, x1, y1, param)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit_result(*handle, name, [=] { modified_rotation(d1, d2, x1, *y1, param); });
}

template <class T>
auto copy_of() {
  return [](int n, const T* x, int incx, T* y, int incy) { host_blas::copy(n, x, incx, y, incy); };
}
template <class T>
auto swap_of() {
  return [](int n, T* x, int incx, T* y, int incy) { host_blas::swap(n, x, incx, y, incy); };
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_REDUCE(name, T, Result, Operation)                                               \
  simtblasStatus_t name(simtblasHandle_t handle, int n, const T* x, int incx, Result* result) { \
    return reduce(handle, #name, n, native(x), incx, result, Operation());                      \
  }
DEFINE_REDUCE(simtblasSasum, float, float, AbsoluteSum)
DEFINE_REDUCE(simtblasDasum, double, double, AbsoluteSum)
DEFINE_REDUCE(simtblasScasum, simtComplex, float, AbsoluteSum)
DEFINE_REDUCE(simtblasDzasum, simtDoubleComplex, double, AbsoluteSum)
DEFINE_REDUCE(simtblasSnrm2, float, float, Norm)
DEFINE_REDUCE(simtblasDnrm2, double, double, Norm)
DEFINE_REDUCE(simtblasScnrm2, simtComplex, float, Norm)
DEFINE_REDUCE(simtblasDznrm2, simtDoubleComplex, double, Norm)
DEFINE_REDUCE(simtblasIsamax, float, int, Largest)
DEFINE_REDUCE(simtblasIdamax, double, int, Largest)
DEFINE_REDUCE(simtblasIcamax, simtComplex, int, Largest)
DEFINE_REDUCE(simtblasIzamax, simtDoubleComplex, int, Largest)
DEFINE_REDUCE(simtblasIsamin, float, int, Smallest)
DEFINE_REDUCE(simtblasIdamin, double, int, Smallest)
DEFINE_REDUCE(simtblasIcamin, simtComplex, int, Smallest)
DEFINE_REDUCE(simtblasIzamin, simtDoubleComplex, int, Smallest)

#define DEFINE_DOT(name, T, conjugated)                                                         \
  simtblasStatus_t name(simtblasHandle_t handle, int n, const T* x, int incx, const T* y,       \
                        int incy, T* result) {                                                  \
    return dot(handle, #name, n, native(x), incx, native(y), incy, native(result), conjugated); \
  }
DEFINE_DOT(simtblasSdot, float, false)
DEFINE_DOT(simtblasDdot, double, false)
DEFINE_DOT(simtblasCdotu, simtComplex, false)
DEFINE_DOT(simtblasCdotc, simtComplex, true)
DEFINE_DOT(simtblasZdotu, simtDoubleComplex, false)
DEFINE_DOT(simtblasZdotc, simtDoubleComplex, true)

#define DEFINE_LEVEL1(axpy_name, copy_name, swap_name, T, Native)                                  \
  simtblasStatus_t axpy_name(simtblasHandle_t handle, int n, const T* alpha, const T* x, int incx, \
                             T* y, int incy) {                                                     \
    return axpy(handle, #axpy_name, n, native(alpha), native(x), incx, native(y), incy);           \
  }                                                                                                \
  simtblasStatus_t copy_name(simtblasHandle_t handle, int n, const T* x, int incx, T* y,           \
                             int incy) {                                                           \
    return exchange(handle, #copy_name, n, native(x), incx, native(y), incy, copy_of<Native>());   \
  }                                                                                                \
  simtblasStatus_t swap_name(simtblasHandle_t handle, int n, T* x, int incx, T* y, int incy) {     \
    return exchange(handle, #swap_name, n, native(x), incx, native(y), incy, swap_of<Native>());   \
  }
DEFINE_LEVEL1(simtblasSaxpy, simtblasScopy, simtblasSswap, float, float)
DEFINE_LEVEL1(simtblasDaxpy, simtblasDcopy, simtblasDswap, double, double)
DEFINE_LEVEL1(simtblasCaxpy, simtblasCcopy, simtblasCswap, simtComplex, Complex)
DEFINE_LEVEL1(simtblasZaxpy, simtblasZcopy, simtblasZswap, simtDoubleComplex, DoubleComplex)

#define DEFINE_SCAL(name, Scalar, T)                                                           \
  simtblasStatus_t name(simtblasHandle_t handle, int n, const Scalar* alpha, T* x, int incx) { \
    return scal(handle, #name, n, native(alpha), native(x), incx);                             \
  }
DEFINE_SCAL(simtblasSscal, float, float)
DEFINE_SCAL(simtblasDscal, double, double)
DEFINE_SCAL(simtblasCscal, simtComplex, simtComplex)
DEFINE_SCAL(simtblasZscal, simtDoubleComplex, simtDoubleComplex)
DEFINE_SCAL(simtblasCsscal, float, simtComplex)
DEFINE_SCAL(simtblasZdscal, double, simtDoubleComplex)

#define DEFINE_ROT(name, T, Real, Sine)                                                 \
  simtblasStatus_t name(simtblasHandle_t handle, int n, T* x, int incx, T* y, int incy, \
                        const Real* c, const Sine* s) {                                 \
    return rot(handle, #name, n, native(x), incx, native(y), incy, c, native(s));       \
  }
DEFINE_ROT(simtblasSrot, float, float, float)
DEFINE_ROT(simtblasDrot, double, double, double)
DEFINE_ROT(simtblasCrot, simtComplex, float, simtComplex)
DEFINE_ROT(simtblasZrot, simtDoubleComplex, double, simtDoubleComplex)
DEFINE_ROT(simtblasCsrot, simtComplex, float, float)
DEFINE_ROT(simtblasZdrot, simtDoubleComplex, double, double)

#define DEFINE_ROTG(name, T, Real)                                            \
  simtblasStatus_t name(simtblasHandle_t handle, T* a, T* b, Real* c, T* s) { \
    return rotg(handle, #name, native(a), native(b), c, native(s));           \
  }
DEFINE_ROTG(simtblasSrotg, float, float)
DEFINE_ROTG(simtblasDrotg, double, double)
DEFINE_ROTG(simtblasCrotg, simtComplex, float)
DEFINE_ROTG(simtblasZrotg, simtDoubleComplex, double)

#define DEFINE_ROTM(rotm_name, rotmg_name, T)                                                \
  simtblasStatus_t rotm_name(simtblasHandle_t handle, int n, T* x, int incx, T* y, int incy, \
                             const T* param) {                                               \
    return rotm(handle, #rotm_name, n, x, incx, y, incy, param);                             \
  }                                                                                          \
  simtblasStatus_t rotmg_name(simtblasHandle_t handle, T* d1, T* d2, T* x1, const T* y1,     \
                              T* param) {                                                    \
    return rotmg(handle, #rotmg_name, d1, d2, x1, y1, param);                                \
  }
DEFINE_ROTM(simtblasSrotm, simtblasSrotmg, float)
DEFINE_ROTM(simtblasDrotm, simtblasDrotmg, double)

}  // extern "C"
