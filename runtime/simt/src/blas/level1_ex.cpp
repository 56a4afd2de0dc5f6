// Level 1 with types selected at run time. half and bfloat16 are computed in float.
#include <cmath>
#include <optional>

#include "blas/gemm_types.h"

namespace simtrt {
namespace {

/// Calls `use` with the element type of `type` if `execution` is a valid computation type for it:
/// the same type, or float for half and bfloat16. Otherwise returns false.
template <class Use>
bool with_vector_element(simtDataType type, simtDataType execution, const Use& use) {
  if (execution != (type == SIMT_R_16F || type == SIMT_R_16BF ? SIMT_R_32F : type)) {
    return false;
  }
  return with_float_element(type, use);
}

bool supported(simtDataType type, simtDataType execution) {
  return with_vector_element(type, execution, [](auto) {});
}

/// Submits `compute(element)` for elements of `type`.
template <class Compute>
std::function<void()> vector_work(simtDataType type, simtDataType execution,
                                  const Compute& compute) {
  return [=] { with_vector_element(type, execution, compute); };
}

simtblasStatus_t dot(simtblasHandle_t handle, const char* name, int n, const void* x,
                     simtDataType type_x, int incx, const void* y, simtDataType type_y, int incy,
                     void* result, simtDataType type_result, simtDataType execution,
                     bool conjugated) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (result == nullptr || (n > 0 && (x == nullptr || y == nullptr))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (type_x != type_y || type_x != type_result || !supported(type_x, execution)) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  return blas_submit_result(*handle, name, vector_work(type_x, execution, [=](auto element) {
    using Element = decltype(element);
    using Value = typename Element::Value;
    using Storage = typename Element::Storage;
    Value sum{};
    if constexpr (std::is_same_v<Value, Storage>) {
      if (n > 0) {
        const auto* vx = static_cast<const Value*>(x);
        const auto* vy = static_cast<const Value*>(y);
        sum = conjugated ? host_blas::dotc(n, vx, incx, vy, incy)
                         : host_blas::dotu(n, vx, incx, vy, incy);
      }
    } else {
      const Storage* const vx = first_element(static_cast<const Storage*>(x), n, incx);
      const Storage* const vy = first_element(static_cast<const Storage*>(y), n, incy);
      // Eight partial sums reduce the rounding error of a long sum and permit vectorisation.
      Value parts[8] = {};
      for (std::ptrdiff_t i = 0; i < n; ++i) {
        parts[i % 8] += Element::load(vx[i * incx]) * Element::load(vy[i * incy]);
      }
      for (const Value part : parts) {
        sum += part;
      }
    }
    *static_cast<Storage*>(result) = Element::store(sum);
  }));
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtblasStatus_t simtblasAxpyEx(simtblasHandle_t handle, int n, const void* alpha,
                                simtDataType alphaType, const void* x, simtDataType xType, int incx,
                                void* y, simtDataType yType, int incy, simtDataType executionType) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (xType != yType || alphaType != executionType || !supported(xType, executionType)) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  if (n < 1) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (x == nullptr || y == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const AnyScalar factor(handle->scalars_on_device(), alpha, alphaType);
  return blas_submit(
      *handle, "simtblasAxpyEx", vector_work(xType, executionType, [=](auto element) {
        using Element = decltype(element);
        using Storage = typename Element::Storage;
        const auto a = factor.read<typename Element::Value>();
        const Storage* const vx = first_element(static_cast<const Storage*>(x), n, incx);
        Storage* const vy = first_element(static_cast<Storage*>(y), n, incy);
        for (std::ptrdiff_t i = 0; i < n; ++i) {
          vy[i * incy] =
              Element::store(a * Element::load(vx[i * incx]) + Element::load(vy[i * incy]));
        }
      }));
}

simtblasStatus_t simtblasDotEx(simtblasHandle_t handle, int n, const void* x, simtDataType xType,
                               int incx, const void* y, simtDataType yType, int incy, void* result,
                               simtDataType resultType, simtDataType executionType) {
  return dot(handle, "simtblasDotEx", n, x, xType, incx, y, yType, incy, result, resultType,
             executionType, false);
}

simtblasStatus_t simtblasDotcEx(simtblasHandle_t handle, int n, const void* x, simtDataType xType,
                                int incx, const void* y, simtDataType yType, int incy, void* result,
                                simtDataType resultType, simtDataType executionType) {
  return dot(handle, "simtblasDotcEx", n, x, xType, incx, y, yType, incy, result, resultType,
             executionType, true);
}

simtblasStatus_t simtblasScalEx(simtblasHandle_t handle, int n, const void* alpha,
                                simtDataType alphaType, void* x, simtDataType xType, int incx,
                                simtDataType executionType) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (alpha == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (alphaType != executionType || !supported(xType, executionType)) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  if (n < 1 || incx < 1) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (x == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const AnyScalar factor(handle->scalars_on_device(), alpha, alphaType);
  return blas_submit(*handle, "simtblasScalEx",
                     vector_work(xType, executionType, [=](auto element) {
                       using Element = decltype(element);
                       const auto a = factor.read<typename Element::Value>();
                       auto* const vx = static_cast<typename Element::Storage*>(x);
                       for (std::ptrdiff_t i = 0; i < n; ++i) {
                         vx[i * incx] = Element::store(a * Element::load(vx[i * incx]));
                       }
                     }));
}

simtblasStatus_t simtblasNrm2Ex(simtblasHandle_t handle, int n, const void* x, simtDataType xType,
                                int incx, void* result, simtDataType resultType,
                                simtDataType executionType) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  const bool empty = n < 1 || incx < 1;
  if (result == nullptr || (!empty && x == nullptr)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  // A norm is real, also for complex elements.
  const simtDataType real = xType == SIMT_C_32F   ? SIMT_R_32F
                            : xType == SIMT_C_64F ? SIMT_R_64F
                                                  : xType;
  const bool complex = real != xType;
  if (resultType != real || (complex && executionType != real) ||
      !supported(xType, complex ? xType : executionType)) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  return blas_submit_result(
      *handle, "simtblasNrm2Ex",
      vector_work(xType, complex ? xType : executionType, [=](auto element) {
        using Element = decltype(element);
        using Value = typename Element::Value;
        using Storage = typename Element::Storage;
        if constexpr (std::is_same_v<Value, Storage>) {
          using Real = typename RealOf<Value>::type;
          *static_cast<Real*>(result) =
              empty ? Real() : host_blas::nrm2(n, static_cast<const Value*>(x), incx);
        } else {
          // Squares of half or bfloat16 numbers neither overflow nor underflow in double.
          double squares = 0;
          for (std::ptrdiff_t i = 0; !empty && i < n; ++i) {
            const double value = Element::load(static_cast<const Storage*>(x)[i * incx]);
            squares += value * value;
          }
          *static_cast<Storage*>(result) = Element::store(static_cast<float>(std::sqrt(squares)));
        }
      }));
}

}  // extern "C"
