// Implementation of simtfftXt.h: transforms specified by the types of their numbers, and callbacks.
#include <simtfftXt.h>

#include "fft/plan.h"
#include "fft/slots.h"

namespace simtrt::fft {

namespace {

simtfftResult type_by_numbers(simtDataType in, simtDataType out, simtDataType execution,
                              Type* result) {
  simtDataType real;
  switch (execution) {
    case SIMT_C_16F:
      real = SIMT_R_16F;
      result->precision = Precision::kHalf;
      break;
    case SIMT_C_32F:
      real = SIMT_R_32F;
      result->precision = Precision::kFloat;
      break;
    case SIMT_C_64F:
      real = SIMT_R_64F;
      result->precision = Precision::kDouble;
      break;
    default: return SIMTFFT_NOT_SUPPORTED;
  }
  const simtDataType complex = execution;
  if (in == complex && out == complex) {
    result->kind = Kind::kComplex;
  } else if (in == real && out == complex) {
    result->kind = Kind::kRealForward;
  } else if (in == complex && out == real) {
    result->kind = Kind::kRealBackward;
  } else {
    return SIMTFFT_INVALID_TYPE;
  }
  return SIMTFFT_SUCCESS;
}

/// Finds the callback of a handle and calls change(callback).
template <class Change>
simtfftResult change_callback(simtfftHandle plan, simtfftXtCallbackType type, Change change) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  if (!slot || !slot->plan) {
    return SIMTFFT_INVALID_PLAN;
  }
  if (!slot->devices.empty()) {
    return SIMTFFT_NOT_SUPPORTED;
  }
  Callback* callback = callback_of(type, slot->plan->shape(), &slot->callbacks);
  return callback == nullptr ? SIMTFFT_INVALID_TYPE : change(*callback);
}

/// Largest memory of a callback in bytes.
constexpr std::size_t kMaxCallbackShared = 16 * 1024;

}  // namespace

}  // namespace simtrt::fft

using simtrt::fft::Slot;
using simtrt::fft::Slots;

extern "C" {

simtfftResult simtfftXtMakePlanMany(simtfftHandle plan, int rank, long long* n, long long* inembed,
                                    long long istride, long long idist, simtDataType inputtype,
                                    long long* onembed, long long ostride, long long odist,
                                    simtDataType outputtype, long long batch,
                                    std::size_t* work_size, simtDataType executiontype) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  simtrt::fft::Type type;
  const auto status = simtrt::fft::type_by_numbers(inputtype, outputtype, executiontype, &type);
  if (status != SIMTFFT_SUCCESS) {
    return status;
  }
  return slot->make({rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, batch}, type,
                    work_size);
}

simtfftResult simtfftXtGetSizeMany(simtfftHandle plan, int rank, long long* n, long long* inembed,
                                   long long istride, long long idist, simtDataType inputtype,
                                   long long* onembed, long long ostride, long long odist,
                                   simtDataType outputtype, long long batch, std::size_t* work_size,
                                   simtDataType executiontype) {
  if (!Slots::instance().find(plan)) {
    return SIMTFFT_INVALID_PLAN;
  }
  simtrt::fft::Type type;
  const auto status = simtrt::fft::type_by_numbers(inputtype, outputtype, executiontype, &type);
  if (status != SIMTFFT_SUCCESS) {
    return status;
  }
  return simtrt::fft::work_size_of(
      {rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, batch}, type, work_size);
}

simtfftResult simtfftXtExec(simtfftHandle plan, void* input, void* output, int direction) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  return slot ? slot->execute(input, output, direction) : SIMTFFT_INVALID_PLAN;
}

simtfftResult simtfftXtSetCallback(simtfftHandle plan, void** routine, simtfftXtCallbackType type,
                                   void** info) {
  return simtrt::fft::change_callback(plan, type, [&](simtrt::fft::Callback& callback) {
    if (routine == nullptr || routine[0] == nullptr) {
      return SIMTFFT_INVALID_VALUE;
    }
    callback.function = routine[0];
    callback.info = info == nullptr ? nullptr : info[0];
    return SIMTFFT_SUCCESS;
  });
}

simtfftResult simtfftXtClearCallback(simtfftHandle plan, simtfftXtCallbackType type) {
  return simtrt::fft::change_callback(plan, type, [](simtrt::fft::Callback& callback) {
    callback.function = nullptr;
    return SIMTFFT_SUCCESS;
  });
}

simtfftResult simtfftXtSetCallbackSharedSize(simtfftHandle plan, simtfftXtCallbackType type,
                                             std::size_t size) {
  return simtrt::fft::change_callback(plan, type, [size](simtrt::fft::Callback& callback) {
    if (size > simtrt::fft::kMaxCallbackShared) {
      return SIMTFFT_ALLOC_FAILED;
    }
    callback.shared_size = size;
    return SIMTFFT_SUCCESS;
  });
}

}  // extern "C"
