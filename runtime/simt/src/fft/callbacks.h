// Callbacks of plans: functions of the program that load each number of the input or store each
// number of the output. cuFFT documentation, "Callback Routines".
//
// The callbacks run before and after the transform, on contiguous arrays of their own, so that
// intermediate results of several dimensions never pass through the program's arrays.
//
// Ownership: a run owns its arrays. The program owns the functions and their data.
// Threads: workers share the rows of an array. Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtfftXt.h>

#include <cstddef>
#include <memory>

#include "fft/transform.h"

namespace simtrt::fft {

struct Callback {
  void* function = nullptr;
  void* info = nullptr;
  std::size_t shared_size = 0;  ///< bytes
};

struct Callbacks {
  Callback load, store;
};

/// Callback of this type; null if a plan of this shape has no such callback.
Callback* callback_of(simtfftXtCallbackType type, const Shape& shape, Callbacks* callbacks);

/// One execution of a transform with callbacks.
class CallbackRun {
 public:
  /// Null if there is not enough memory.
  static std::shared_ptr<const CallbackRun> make(const Shape& shape, const Callbacks& callbacks);

  /// Arguments: as those of Transform::run().
  void transform(const Transform& transform, const void* in, const Strides& in_strides, void* out,
                 const Strides& out_strides, void* work, bool inverse) const;

 private:
  CallbackRun() = default;

  Shape shape_{};
  Callbacks callbacks_{};
  std::shared_ptr<void> loaded_, unstored_;  ///< input and output; null without the callback
};

}  // namespace simtrt::fft
