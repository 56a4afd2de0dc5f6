// Plans of simtfft: request, checks, and execution on a stream.
//
// Ownership: the slot of a handle owns the handle's plan. A plan is constant after its creation.
// Plans and submitted work share ownership of the transform.
// Threads: any thread may execute a plan.
// Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtfft.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "fft/callbacks.h"
#include "fft/transform.h"

namespace simtrt::fft {

/// Request for a plan, before its arguments are checked. The arrays `lengths` and `embed` have
/// `rank` numbers.
struct Request {
  struct Side {
    const long long* embed;
    long long stride, distance;
  };

  int rank;
  const long long* lengths;
  Side in, out;
  long long batch;
};

struct Type {
  Kind kind;
  Precision precision;
};

bool operator==(const Type& a, const Type& b);

/// Converts a type of cuFFT. Returns SIMTFFT_INVALID_TYPE for an unknown type.
simtfftResult type_of(simtfftType type, Type* result);

/// Size in bytes of the plan's work area.
simtfftResult work_size_of(const Request& request, Type type, std::size_t* work_size);

/// A valid plan: a transform with the layout of its arrays.
class Plan {
 public:
  /// Makes a plan. simtfft.h lists the errors.
  static simtfftResult make(const Request& request, Type type, std::unique_ptr<const Plan>* result);

  Type type() const { return {shape_.kind, shape_.precision}; }
  const Shape& shape() const { return shape_; }
  bool is_contiguous() const { return is_packed_; }
  std::size_t work_size() const { return work_size_; }

  /// Submits the transform to a stream. `owner` keeps `work` alive until the transform has run;
  /// `owner` may be null.
  simtfftResult execute(simtStream_t stream, const void* in, void* out, void* work,
                        std::shared_ptr<const void> owner, int direction,
                        const Callbacks& callbacks) const;

 private:
  Plan() = default;

  Shape shape_{};
  std::shared_ptr<const Transform> transform_;
  std::size_t work_size_ = 0;
  Strides in_{}, out_{};
  Strides padded_{};        ///< strides of the real array in an in-place transform
  bool is_packed_ = false;  ///< true for contiguous arrays; only these use padded_
};

/// State behind a handle.
struct Slot {
  simtStream_t stream = nullptr;
  bool auto_allocate = true;
  std::unique_ptr<const Plan> plan;
  void* work = nullptr;                  ///< the work area in use
  std::shared_ptr<const void> own_work;  ///< work area that was allocated with the plan
  Callbacks callbacks;
  std::vector<int> devices;  ///< of a plan for descriptors; empty for a plan for one device

  /// Creates the plan and its work area for a handle without a plan. `work_size` receives a size for
  /// each device; all transforms run on the first one.
  simtfftResult make(const Request& request, Type type, std::size_t* work_size);
  simtfftResult execute(const void* in, void* out, int direction) const;
};

}  // namespace simtrt::fft
