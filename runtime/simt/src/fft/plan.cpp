#include "fft/plan.h"

#include <simtrt/enqueue.h>

#include <algorithm>
#include <new>
#include <utility>

namespace simtrt::fft {

namespace {

constexpr bool is_power_of_two(long long number) { return (number & (number - 1)) == 0; }

/// Shape of a requested transform. Returns an error for an invalid shape, and if the size in bytes
/// overflows.
simtfftResult shape_of(const Request& request, Type type, Shape* shape) {
  if (request.rank < 1 || request.rank > kMaxRank || request.lengths == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  *shape = {type.kind, type.precision, request.rank, {}, 0};
  // Upper bound of the size in bytes: 16 for a complex number, times 4, because a length n may
  // become 2 (n / 2 + 1).
  std::ptrdiff_t bytes = 64;
  for (int d = 0; d <= request.rank; ++d) {
    const long long number = d < request.rank ? request.lengths[d] : request.batch;
    if (number < 1 || __builtin_mul_overflow(bytes, number, &bytes)) {
      return SIMTFFT_INVALID_SIZE;
    }
    const auto count = static_cast<std::size_t>(number);
    if (d == request.rank) {
      shape->batch = count;
      break;
    }
    shape->lengths[d] = count;
    if (type.precision == Precision::kHalf && !is_power_of_two(number)) {
      return SIMTFFT_INVALID_SIZE;
    }
  }
  return SIMTFFT_SUCCESS;
}

/// Strides of an array that is embedded in a larger array. Returns false for impossible strides.
/// The first length of the larger array has no effect.
bool strides_of(const Request::Side& side, int rank, Strides* strides) {
  std::ptrdiff_t stride = side.stride;
  if (stride < 1 || side.distance < 0) {
    return false;
  }
  strides->batch = side.distance;
  for (int d = rank; d-- > 0;) {
    strides->dimension[d] = stride;
    if (d > 0 && (side.embed[d] < 1 || __builtin_mul_overflow(stride, side.embed[d], &stride))) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool operator==(const Type& a, const Type& b) {
  return a.kind == b.kind && a.precision == b.precision;
}

simtfftResult type_of(simtfftType type, Type* result) {
  switch (type) {
    case SIMTFFT_C2C: *result = {Kind::kComplex, Precision::kFloat}; break;
    case SIMTFFT_R2C: *result = {Kind::kRealForward, Precision::kFloat}; break;
    case SIMTFFT_C2R: *result = {Kind::kRealBackward, Precision::kFloat}; break;
    case SIMTFFT_Z2Z: *result = {Kind::kComplex, Precision::kDouble}; break;
    case SIMTFFT_D2Z: *result = {Kind::kRealForward, Precision::kDouble}; break;
    case SIMTFFT_Z2D: *result = {Kind::kRealBackward, Precision::kDouble}; break;
    default: return SIMTFFT_INVALID_TYPE;
  }
  return SIMTFFT_SUCCESS;
}

simtfftResult work_size_of(const Request& request, Type type, std::size_t* work_size) {
  if (work_size == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  Shape shape;
  const simtfftResult status = shape_of(request, type, &shape);
  if (status == SIMTFFT_SUCCESS) {
    *work_size = work_size_of(shape);
  }
  return status;
}

simtfftResult Plan::make(const Request& request, Type type, std::unique_ptr<const Plan>* result) {
  Shape shape;
  if (const simtfftResult status = shape_of(request, type, &shape); status != SIMTFFT_SUCCESS) {
    return status;
  }
  const int last = request.rank - 1;
  std::unique_ptr<Plan> plan(new (std::nothrow) Plan);
  if (!plan) {
    return SIMTFFT_ALLOC_FAILED;
  }
  plan->shape_ = shape;
  plan->work_size_ = work_size_of(shape);
  if (request.in.embed == nullptr || request.out.embed == nullptr) {
    auto spectrum = shape.lengths;
    if (type.kind != Kind::kComplex) {
      spectrum[last] = spectrum[last] / 2 + 1;
    }
    auto padded = spectrum;
    padded[last] *= 2;
    plan->is_packed_ = true;
    plan->padded_ = packed(request.rank, padded.data());
    plan->in_ = packed(request.rank, spectrum.data());
    plan->out_ = plan->in_;
    if (type.kind != Kind::kComplex) {
      (type.kind == Kind::kRealForward ? plan->in_ : plan->out_) =
          packed(request.rank, shape.lengths.data());
    }
  } else if (!strides_of(request.in, request.rank, &plan->in_) ||
             !strides_of(request.out, request.rank, &plan->out_)) {
    return SIMTFFT_INVALID_VALUE;
  }
  try {
    plan->transform_ = Transform::make(shape);
  } catch (const std::bad_alloc&) {
    return SIMTFFT_ALLOC_FAILED;
  }
  *result = std::move(plan);
  return SIMTFFT_SUCCESS;
}

simtfftResult Plan::execute(simtStream_t stream, const void* in, void* out, void* work,
                            std::shared_ptr<const void> owner, int direction,
                            const Callbacks& callbacks) const {
  if (in == nullptr || out == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  const bool is_complex = shape_.kind == Kind::kComplex;
  if (is_complex && direction != SIMTFFT_FORWARD && direction != SIMTFFT_INVERSE) {
    return SIMTFFT_INVALID_VALUE;
  }
  if (work == nullptr && work_size() > 0) {
    return SIMTFFT_NO_WORKSPACE;
  }
  const bool pad = is_packed_ && in == out;
  const Strides from = pad && shape_.kind == Kind::kRealForward ? padded_ : in_;
  const Strides to = pad && shape_.kind == Kind::kRealBackward ? padded_ : out_;
  const bool inverse = is_complex && direction == SIMTFFT_INVERSE;
  std::shared_ptr<const CallbackRun> run;
  if (callbacks.load.function != nullptr || callbacks.store.function != nullptr) {
    run = CallbackRun::make(shape_, callbacks);
    if (!run) {
      return SIMTFFT_ALLOC_FAILED;
    }
  }
  const simtError_t error = enqueue(
      stream, "simtfft",
      [transform = transform_, run, owner = std::move(owner), from, to, in, out, work, inverse] {
        if (run) {
          run->transform(*transform, in, from, out, to, work, inverse);
        } else {
          transform->run(in, from, out, to, work, inverse);
        }
      });
  switch (error) {
    case simtSuccess: return SIMTFFT_SUCCESS;
    case simtErrorMemoryAllocation: return SIMTFFT_ALLOC_FAILED;
    default: return SIMTFFT_EXEC_FAILED;
  }
}

simtfftResult Slot::make(const Request& request, Type type, std::size_t* work_size) {
  if (plan) {
    return SIMTFFT_INVALID_PLAN;
  }
  if (work_size == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  std::unique_ptr<const Plan> made;
  if (const simtfftResult status = Plan::make(request, type, &made); status != SIMTFFT_SUCCESS) {
    return status;
  }
  if (!devices.empty() && (!made->is_contiguous() || type.precision == Precision::kHalf)) {
    return SIMTFFT_NOT_SUPPORTED;
  }
  const std::size_t size = made->work_size();
  if (auto_allocate && size > 0) {
    constexpr std::align_val_t kAlignment{256};
    void* memory = ::operator new(size, kAlignment, std::nothrow);
    if (memory == nullptr) {
      return SIMTFFT_ALLOC_FAILED;
    }
    own_work.reset(memory, [](void* old) { ::operator delete(old, std::align_val_t(256)); });
    work = memory;
  }
  *work_size = size;
  std::fill_n(work_size + 1, devices.empty() ? 0 : devices.size() - 1, 0);
  plan = std::move(made);
  return SIMTFFT_SUCCESS;
}

simtfftResult Slot::execute(const void* in, void* out, int direction) const {
  // A plan for several devices transforms descriptors only.
  return plan && devices.size() < 2
             ? plan->execute(stream, in, out, work, own_work, direction, callbacks)
             : SIMTFFT_INVALID_PLAN;
}

}  // namespace simtrt::fft
