// Options of floating-point emulation, which a handle stores.
#include "blas/context.h"

namespace simtrt {
namespace {

template <class T>
simtblasStatus_t set(simtblasHandle_t handle, T BlasContext::*member, T value, bool is_valid) {
  if (handle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (!is_valid) return SIMTBLAS_STATUS_INVALID_VALUE;
  handle->*member = value;
  return SIMTBLAS_STATUS_SUCCESS;
}

template <class T>
simtblasStatus_t get(simtblasHandle_t handle, T BlasContext::*member, T* value) {
  if (handle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr) return SIMTBLAS_STATUS_INVALID_VALUE;
  *value = handle->*member;
  return SIMTBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

#define DEFINE_OPTION(name, T, member, is_valid)                          \
  simtblasStatus_t simtblasSet##name(simtblasHandle_t handle, T value) {  \
    return set(handle, &BlasContext::member, value, is_valid);            \
  }                                                                       \
  simtblasStatus_t simtblasGet##name(simtblasHandle_t handle, T* value) { \
    return get(handle, &BlasContext::member, value);                      \
  }

extern "C" {

DEFINE_OPTION(EmulationStrategy, simtblasEmulationStrategy_t, emulation_strategy,
              value >= SIMTBLAS_EMULATION_STRATEGY_DEFAULT && value <= SIMTBLAS_EMULATION_STRATEGY_EAGER)
DEFINE_OPTION(FixedPointEmulationMantissaControl, simtEmulationMantissaControl, mantissa_control,
              value == SIMT_EMULATION_MANTISSA_CONTROL_DYNAMIC || value == SIMT_EMULATION_MANTISSA_CONTROL_FIXED)
DEFINE_OPTION(FixedPointEmulationMaxMantissaBitCount, int, max_mantissa_bits, value >= 0)
DEFINE_OPTION(FixedPointEmulationMantissaBitOffset, int, mantissa_bit_offset, true)

}  // extern "C"
