// Plans of simtfft: the request, its checks, and its execution on a stream.
//
// Ownership: the slot of a handle owns its plan, which does not change once it is made. Plans and work
// on streams share ownership of the transform. Threads: any thread may execute a plan. Memory ordering: that of simtrt/enqueue.h.
#pragma once

#include <simtfft.h>

#include <cstddef>
#include <memory>

#include "fft/transform.h"

namespace simtrt::fft {

/// What is asked of a plan, before it is checked. Arrays have `rank` numbers.
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

/// The transform of a cuFFT type; SIMTFFT_INVALID_TYPE for a number that is none.
simtfftResult type_of(simtfftType type, Type* result);

/// The work area of such a plan, in bytes.
simtfftResult work_size_of(const Request& request, Type type, std::size_t* work_size);

/// A plan as made: a transform, and where its numbers lie.
class Plan {
 public:
  /// Errors are those of simtfft.h.
  static simtfftResult make(const Request& request, Type type, std::unique_ptr<const Plan>* result);

  Type type() const { return type_; }
  std::size_t work_size() const { return work_size_; }

  /// Puts the transform on a stream. `owner` keeps `work` alive until it has run, and may be null.
  simtfftResult execute(simtStream_t stream, const void* in, void* out, void* work,
                        std::shared_ptr<const void> owner, int direction) const;

 private:
  Plan() = default;

  Type type_{};
  std::shared_ptr<const Transform> transform_;
  std::size_t work_size_ = 0;
  Strides in_{}, out_{};
  Strides padded_{};        ///< of the real array, where it has no gaps and is transformed in place
  bool is_packed_ = false;  ///< whether padded_ is for this plan
};

/// What a handle stands for.
struct Slot {
  simtStream_t stream = nullptr;
  bool auto_allocate = true;
  std::unique_ptr<const Plan> plan;
  void* work = nullptr;                  ///< the work area in use
  std::shared_ptr<const void> own_work;  ///< the one that came with the plan

  /// Makes the plan of a handle that has none, with its work area.
  simtfftResult make(const Request& request, Type type, std::size_t* work_size);
  simtfftResult execute(const void* in, void* out, int direction) const;
};

}  // namespace simtrt::fft
