// Implementation of simtfft.h: the functions convert their arguments to a Request.
#include <simtfft.h>

#include <array>
#include <initializer_list>

#include "fft/plan.h"
#include "fft/slots.h"

namespace simtrt::fft {

namespace {

constexpr int kVersion = SIMTFFT_VER_MAJOR * 1000 + SIMTFFT_VER_MINOR * 100 + SIMTFFT_VER_PATCH;

/// A request whose numbers were given as 32-bit integers. The object stores them as 64-bit
/// integers.
class IntRequest {
 public:
  IntRequest(std::initializer_list<int> lengths, int batch)
      : rank_(static_cast<int>(lengths.size())), batch_(batch) {
    widen(lengths.begin(), &lengths_);
  }

  IntRequest(int rank, const int* lengths, const int* in_embed, int in_stride, int in_distance,
             const int* out_embed, int out_stride, int out_distance, int batch)
      : rank_(rank),
        batch_(batch),
        in_{nullptr, in_stride, in_distance},
        out_{nullptr, out_stride, out_distance},
        has_lengths_(widen(lengths, &lengths_)),
        is_embedded_(widen(in_embed, &in_embed_) && widen(out_embed, &out_embed_)) {}

  /// The returned request refers to this object.
  Request request() const {
    Request all{rank_, has_lengths_ ? lengths_.data() : nullptr, in_, out_, batch_};
    all.in.embed = is_embedded_ ? in_embed_.data() : nullptr;
    all.out.embed = is_embedded_ ? out_embed_.data() : nullptr;
    return all;
  }

 private:
  using Numbers = std::array<long long, kMaxRank>;

  bool widen(const int* numbers, Numbers* wide) const {
    for (int d = 0; numbers != nullptr && d < rank_ && d < kMaxRank; ++d) {
      (*wide)[d] = numbers[d];
    }
    return numbers != nullptr;
  }

  int rank_;
  long long batch_;
  Numbers lengths_{}, in_embed_{}, out_embed_{};
  Request::Side in_{}, out_{};
  bool has_lengths_ = true, is_embedded_ = false;
};

simtfftResult make(simtfftHandle handle, const Request& request, simtfftType type,
                   std::size_t* work_size) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(handle);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  Type kind;
  const simtfftResult status = type_of(type, &kind);
  return status == SIMTFFT_SUCCESS ? slot->make(request, kind, work_size) : status;
}

simtfftResult create(simtfftHandle* handle, const Request& request, simtfftType type) {
  simtfftHandle made;
  if (handle == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  if (const simtfftResult status = simtfftCreate(&made); status != SIMTFFT_SUCCESS) {
    return status;
  }
  std::size_t work_size;
  const simtfftResult status = make(made, request, type, &work_size);
  if (status == SIMTFFT_SUCCESS) {
    *handle = made;
  } else {
    simtfftDestroy(made);
  }
  return status;
}

simtfftResult estimate(const Request& request, simtfftType type, std::size_t* work_size) {
  Type kind;
  const simtfftResult status = type_of(type, &kind);
  return status == SIMTFFT_SUCCESS ? work_size_of(request, kind, work_size) : status;
}

simtfftResult size_for(simtfftHandle handle, const Request& request, simtfftType type,
                       std::size_t* work_size) {
  return Slots::instance().find(handle) ? estimate(request, type, work_size) : SIMTFFT_INVALID_PLAN;
}

/// Executes a plan, which must have the type of the called function.
simtfftResult execute(simtfftHandle handle, simtfftType type, const void* in, void* out,
                      int direction) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(handle);
  if (!slot || !slot->plan) {
    return SIMTFFT_INVALID_PLAN;
  }
  Type kind;
  if (type_of(type, &kind) != SIMTFFT_SUCCESS || !(kind == slot->plan->type())) {
    return SIMTFFT_INVALID_TYPE;
  }
  return slot->execute(in, out, direction);
}

}  // namespace

}  // namespace simtrt::fft

using simtrt::fft::IntRequest;
using simtrt::fft::Slot;
using simtrt::fft::Slots;

extern "C" {

simtfftResult simtfftCreate(simtfftHandle* handle) {
  if (handle == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  *handle = Slots::instance().add();
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftDestroy(simtfftHandle plan) {
  return Slots::instance().remove(plan) ? SIMTFFT_SUCCESS : SIMTFFT_INVALID_PLAN;
}

simtfftResult simtfftSetStream(simtfftHandle plan, simtStream_t stream) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  slot->stream = stream;
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftSetAutoAllocation(simtfftHandle plan, int auto_allocate) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  // After the plan was made, the call has no effect.
  if (!slot->plan) slot->auto_allocate = auto_allocate != 0;
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftSetWorkArea(simtfftHandle plan, void* work_area) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  slot->work = work_area;
  slot->own_work.reset();
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftGetVersion(int* version) {
  if (version == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  *version = simtrt::fft::kVersion;
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  switch (type) {
    case MAJOR_VERSION: *value = SIMTFFT_VER_MAJOR; break;
    case MINOR_VERSION: *value = SIMTFFT_VER_MINOR; break;
    case PATCH_LEVEL: *value = SIMTFFT_VER_PATCH; break;
    default: return SIMTFFT_INVALID_TYPE;
  }
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftPlan1d(simtfftHandle* plan, int nx, simtfftType type, int batch) {
  return simtrt::fft::create(plan, IntRequest({nx}, batch).request(), type);
}

simtfftResult simtfftPlan2d(simtfftHandle* plan, int nx, int ny, simtfftType type) {
  return simtrt::fft::create(plan, IntRequest({nx, ny}, 1).request(), type);
}

simtfftResult simtfftPlan3d(simtfftHandle* plan, int nx, int ny, int nz, simtfftType type) {
  return simtrt::fft::create(plan, IntRequest({nx, ny, nz}, 1).request(), type);
}

simtfftResult simtfftPlanMany(simtfftHandle* plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, simtfftType type,
                              int batch) {
  const IntRequest many(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  return simtrt::fft::create(plan, many.request(), type);
}

simtfftResult simtfftMakePlan1d(simtfftHandle plan, int nx, simtfftType type, int batch,
                                std::size_t* work_size) {
  return simtrt::fft::make(plan, IntRequest({nx}, batch).request(), type, work_size);
}

simtfftResult simtfftMakePlan2d(simtfftHandle plan, int nx, int ny, simtfftType type,
                                std::size_t* work_size) {
  return simtrt::fft::make(plan, IntRequest({nx, ny}, 1).request(), type, work_size);
}

simtfftResult simtfftMakePlan3d(simtfftHandle plan, int nx, int ny, int nz, simtfftType type,
                                std::size_t* work_size) {
  return simtrt::fft::make(plan, IntRequest({nx, ny, nz}, 1).request(), type, work_size);
}

simtfftResult simtfftMakePlanMany(simtfftHandle plan, int rank, int* n, int* inembed, int istride,
                                  int idist, int* onembed, int ostride, int odist, simtfftType type,
                                  int batch, std::size_t* work_size) {
  const IntRequest many(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  return simtrt::fft::make(plan, many.request(), type, work_size);
}

simtfftResult simtfftMakePlanMany64(simtfftHandle plan, int rank, long long* n, long long* inembed,
                                    long long istride, long long idist, long long* onembed,
                                    long long ostride, long long odist, simtfftType type,
                                    long long batch, std::size_t* work_size) {
  return simtrt::fft::make(plan,
                           {rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, batch},
                           type, work_size);
}

simtfftResult simtfftEstimate1d(int nx, simtfftType type, int batch, std::size_t* work_size) {
  return simtrt::fft::estimate(IntRequest({nx}, batch).request(), type, work_size);
}

simtfftResult simtfftEstimate2d(int nx, int ny, simtfftType type, std::size_t* work_size) {
  return simtrt::fft::estimate(IntRequest({nx, ny}, 1).request(), type, work_size);
}

simtfftResult simtfftEstimate3d(int nx, int ny, int nz, simtfftType type, std::size_t* work_size) {
  return simtrt::fft::estimate(IntRequest({nx, ny, nz}, 1).request(), type, work_size);
}

simtfftResult simtfftEstimateMany(int rank, int* n, int* inembed, int istride, int idist,
                                  int* onembed, int ostride, int odist, simtfftType type, int batch,
                                  std::size_t* work_size) {
  const IntRequest many(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  return simtrt::fft::estimate(many.request(), type, work_size);
}

simtfftResult simtfftGetSize1d(simtfftHandle plan, int nx, simtfftType type, int batch,
                               std::size_t* work_size) {
  return simtrt::fft::size_for(plan, IntRequest({nx}, batch).request(), type, work_size);
}

simtfftResult simtfftGetSize2d(simtfftHandle plan, int nx, int ny, simtfftType type,
                               std::size_t* work_size) {
  return simtrt::fft::size_for(plan, IntRequest({nx, ny}, 1).request(), type, work_size);
}

simtfftResult simtfftGetSize3d(simtfftHandle plan, int nx, int ny, int nz, simtfftType type,
                               std::size_t* work_size) {
  return simtrt::fft::size_for(plan, IntRequest({nx, ny, nz}, 1).request(), type, work_size);
}

simtfftResult simtfftGetSizeMany(simtfftHandle plan, int rank, int* n, int* inembed, int istride,
                                 int idist, int* onembed, int ostride, int odist, simtfftType type,
                                 int batch, std::size_t* work_size) {
  const IntRequest many(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  return simtrt::fft::size_for(plan, many.request(), type, work_size);
}

simtfftResult simtfftGetSizeMany64(simtfftHandle plan, int rank, long long* n, long long* inembed,
                                   long long istride, long long idist, long long* onembed,
                                   long long ostride, long long odist, simtfftType type,
                                   long long batch, std::size_t* work_size) {
  return simtrt::fft::size_for(
      plan, {rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, batch}, type,
      work_size);
}

simtfftResult simtfftGetSize(simtfftHandle plan, std::size_t* work_size) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  if (!slot || !slot->plan) {
    return SIMTFFT_INVALID_PLAN;
  }
  if (work_size == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  *work_size = slot->plan->work_size();
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftExecC2C(simtfftHandle plan, simtfftComplex* idata, simtfftComplex* odata,
                             int direction) {
  return simtrt::fft::execute(plan, SIMTFFT_C2C, idata, odata, direction);
}

simtfftResult simtfftExecR2C(simtfftHandle plan, simtfftReal* idata, simtfftComplex* odata) {
  return simtrt::fft::execute(plan, SIMTFFT_R2C, idata, odata, SIMTFFT_FORWARD);
}

simtfftResult simtfftExecC2R(simtfftHandle plan, simtfftComplex* idata, simtfftReal* odata) {
  return simtrt::fft::execute(plan, SIMTFFT_C2R, idata, odata, SIMTFFT_INVERSE);
}

simtfftResult simtfftExecZ2Z(simtfftHandle plan, simtfftDoubleComplex* idata,
                             simtfftDoubleComplex* odata, int direction) {
  return simtrt::fft::execute(plan, SIMTFFT_Z2Z, idata, odata, direction);
}

simtfftResult simtfftExecD2Z(simtfftHandle plan, simtfftDoubleReal* idata,
                             simtfftDoubleComplex* odata) {
  return simtrt::fft::execute(plan, SIMTFFT_D2Z, idata, odata, SIMTFFT_FORWARD);
}

simtfftResult simtfftExecZ2D(simtfftHandle plan, simtfftDoubleComplex* idata,
                             simtfftDoubleReal* odata) {
  return simtrt::fft::execute(plan, SIMTFFT_Z2D, idata, odata, SIMTFFT_INVERSE);
}

}  // extern "C"
