// Code shared by simtblas functions: state of a handle, submission of work to its stream, scalars
// in both pointer modes, and conversion of enumerations.
//
// Ownership: the program owns the handle and all memory behind its pointers. Submitted work has
// copies of the arguments.
// Threads: as for cuBLAS, one thread at a time uses a handle; work runs on workers.
// Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtblas.h>

#include <complex>
#include <cstddef>
#include <functional>

#include "blas/cblas.h"

namespace simtrt {

struct BlasContext {
  simtStream_t stream = nullptr;
  simtblasPointerMode_t pointer_mode = SIMTBLAS_POINTER_MODE_HOST;
  simtblasAtomicsMode_t atomics_mode = SIMTBLAS_ATOMICS_NOT_ALLOWED;
  simtblasMath_t math_mode = SIMTBLAS_DEFAULT_MATH;
  simtblasEmulationStrategy_t emulation_strategy = SIMTBLAS_EMULATION_STRATEGY_DEFAULT;
  simtEmulationMantissaControl mantissa_control = SIMT_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int max_mantissa_bits = 0;
  int mantissa_bit_offset = 0;

  bool scalars_on_device() const { return pointer_mode == SIMTBLAS_POINTER_MODE_DEVICE; }
};

/// Submits `work` to `stream`. Returns EXECUTION_FAILED if the stream rejects the work, and
/// ALLOC_FAILED if there is not enough memory.
simtblasStatus_t blas_submit(simtStream_t stream, const char* name, std::function<void()> work);

inline simtblasStatus_t blas_submit(const BlasContext& context, const char* name,
                                    std::function<void()> work) {
  return blas_submit(context.stream, name, std::move(work));
}

/// Submits work that writes scalar results to host or device memory, as the handle's pointer mode
/// states. For host memory, the call waits.
simtblasStatus_t blas_submit_result(const BlasContext& context, const char* name,
                                    std::function<void()> work);

/// A scalar argument: its value, or its address on the device, to be read in stream order.
template <class T>
class BlasScalar {
 public:
  BlasScalar(const BlasContext& context, const T* pointer)
      : device_(context.scalars_on_device() ? pointer : nullptr),
        value_(context.scalars_on_device() ? T() : *pointer) {}

  T operator()() const { return device_ != nullptr ? *device_ : value_; }
  /// True if the value is already known to be zero at the time of the call. Operands that are
  /// multiplied by this scalar may then be null.
  bool known_zero() const { return device_ == nullptr && value_ == T(); }

 private:
  const T* device_;
  T value_;
};

template <class... Pointers>
bool any_null(const Pointers*... pointers) {
  return (... || (pointers == nullptr));
}

inline bool valid(simtblasOperation_t op) { return op >= SIMTBLAS_OP_N && op <= SIMTBLAS_OP_C; }
inline bool valid(simtblasFillMode_t uplo) {
  return uplo == SIMTBLAS_FILL_MODE_LOWER || uplo == SIMTBLAS_FILL_MODE_UPPER;
}
inline bool valid(simtblasSideMode_t side) {
  return side == SIMTBLAS_SIDE_LEFT || side == SIMTBLAS_SIDE_RIGHT;
}
inline bool valid(simtblasDiagType_t diag) {
  return diag == SIMTBLAS_DIAG_NON_UNIT || diag == SIMTBLAS_DIAG_UNIT;
}
/// True if a leading dimension is at least `rows` and at least 1.
inline bool valid_ld(int ld, int rows) { return ld >= 1 && ld >= rows; }

inline host_blas::Transpose native(simtblasOperation_t op) {
  return op == SIMTBLAS_OP_N   ? host_blas::kNoTrans
         : op == SIMTBLAS_OP_T ? host_blas::kTrans
                               : host_blas::kConjTrans;
}
inline host_blas::Uplo native(simtblasFillMode_t uplo) {
  return uplo == SIMTBLAS_FILL_MODE_LOWER ? host_blas::kLower : host_blas::kUpper;
}
inline host_blas::Side native(simtblasSideMode_t side) {
  return side == SIMTBLAS_SIDE_LEFT ? host_blas::kLeft : host_blas::kRight;
}
inline host_blas::Diag native(simtblasDiagType_t diag) {
  return diag == SIMTBLAS_DIAG_UNIT ? host_blas::kUnit : host_blas::kNonUnit;
}

// simtComplex and std::complex<float> have the same layout: [complex.numbers] of the C++ standard.
inline float* native(float* p) { return p; }
inline double* native(double* p) { return p; }
inline std::complex<float>* native(simtComplex* p) {
  return reinterpret_cast<std::complex<float>*>(p);
}
inline std::complex<double>* native(simtDoubleComplex* p) {
  return reinterpret_cast<std::complex<double>*>(p);
}
inline const float* native(const float* p) { return p; }
inline const double* native(const double* p) { return p; }
inline const std::complex<float>* native(const simtComplex* p) {
  return reinterpret_cast<const std::complex<float>*>(p);
}
inline const std::complex<double>* native(const simtDoubleComplex* p) {
  return reinterpret_cast<const std::complex<double>*>(p);
}
// Arrays of pointers.
inline float* const* native(float* const* p) { return p; }
inline double* const* native(double* const* p) { return p; }
inline std::complex<float>* const* native(simtComplex* const* p) {
  return reinterpret_cast<std::complex<float>* const*>(p);
}
inline std::complex<double>* const* native(simtDoubleComplex* const* p) {
  return reinterpret_cast<std::complex<double>* const*>(p);
}
inline const float* const* native(const float* const* p) { return p; }
inline const double* const* native(const double* const* p) { return p; }
inline const std::complex<float>* const* native(const simtComplex* const* p) {
  return reinterpret_cast<const std::complex<float>* const*>(p);
}
inline const std::complex<double>* const* native(const simtDoubleComplex* const* p) {
  return reinterpret_cast<const std::complex<double>* const*>(p);
}

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <class T>
std::complex<T> conjugate(std::complex<T> x) {
  return std::conj(x);
}

/// Address of a vector's first element. With a negative increment, BLAS begins at the end.
template <class T>
T* first_element(T* x, int n, int inc) {
  return inc < 0 ? x - static_cast<std::ptrdiff_t>(n - 1) * inc : x;
}

/// Sets y to zero before a product with beta 0, because releases of OpenBLAS differ in the result
/// of 0 * NaN.
template <class T>
void clear(int n, T* y, int incy) {
  T* const y0 = first_element(y, n, incy);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    y0[i * incy] = T();
  }
}

}  // namespace simtrt
