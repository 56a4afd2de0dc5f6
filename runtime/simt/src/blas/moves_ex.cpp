// Copies, exchanges and rotations of vectors with types selected at run time. half and bfloat16 are computed in float.
#include <utility>

#include "blas/gemm_types.h"

namespace simtrt {
namespace {

simtDataType real_type(simtDataType type) {
  return type == SIMT_C_32F ? SIMT_R_32F : type == SIMT_C_64F ? SIMT_R_64F : type;
}
bool is_short(simtDataType type) { return type == SIMT_R_16F || type == SIMT_R_16BF; }

/// Submits `each(element, x, y)` for the elements of two vectors of the same type.
template <class Each>
simtblasStatus_t for_each_pair(simtblasHandle_t handle, const char* name, int n, const void* x,
                               simtDataType type_x, int incx, void* y, simtDataType type_y,
                               int incy, const Each& each) {
  if (handle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (type_x != type_y || !with_float_element(type_x, [](auto) {})) return SIMTBLAS_STATUS_NOT_SUPPORTED;
  if (n < 1) return SIMTBLAS_STATUS_SUCCESS;
  if (any_null(x, y)) return SIMTBLAS_STATUS_INVALID_VALUE;
  return blas_submit(*handle, name, [=] {
    with_float_element(type_x, [&](auto element) {
      using Storage = typename decltype(element)::Storage;
      auto* const vx = first_element(static_cast<Storage*>(const_cast<void*>(x)), n, incx);
      auto* const vy = first_element(static_cast<Storage*>(y), n, incy);
      for (std::ptrdiff_t i = 0; i < n; ++i) each(element, vx[i * incx], vy[i * incy]);
    });
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtblasStatus_t simtblasCopyEx(simtblasHandle_t handle, int n, const void* x, simtDataType xType,
                                int incx, void* y, simtDataType yType, int incy) {
  return for_each_pair(handle, "simtblasCopyEx", n, x, xType, incx, y, yType, incy,
                       [](auto, const auto& from, auto& to) { to = from; });
}

simtblasStatus_t simtblasSwapEx(simtblasHandle_t handle, int n, void* x, simtDataType xType,
                                int incx, void* y, simtDataType yType, int incy) {
  return for_each_pair(handle, "simtblasSwapEx", n, x, xType, incx, y, yType, incy,
                       [](auto, auto& a, auto& b) { std::swap(a, b); });
}

simtblasStatus_t simtblasRotEx(simtblasHandle_t handle, int n, void* x, simtDataType xType,
                               int incx, void* y, simtDataType yType, int incy, const void* c,
                               const void* s, simtDataType csType, simtDataType executiontype) {
  if (handle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (c == nullptr || s == nullptr) return SIMTBLAS_STATUS_INVALID_VALUE;
  if (csType != real_type(xType) || executiontype != (is_short(xType) ? SIMT_R_32F : xType))
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  const AnyScalar cosine(handle->scalars_on_device(), c, csType);
  const AnyScalar sine(handle->scalars_on_device(), s, csType);
  return for_each_pair(handle, "simtblasRotEx", n, x, xType, incx, y, yType, incy,
                       [=](auto element, auto& a, auto& b) {
                         using Element = decltype(element);
                         using Value = typename Element::Value;
                         const auto cos = cosine.read<typename RealOf<Value>::type>();
                         const auto sin = sine.read<typename RealOf<Value>::type>();
                         const Value first = Element::load(a), second = Element::load(b);
                         a = Element::store(cos * first + sin * second);
                         b = Element::store(cos * second - sin * first);
                       });
}

}  // extern "C"
