// Transform that a plan describes: dimensions, batch, layout and type of its numbers.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace simtrt::fft {

inline constexpr int kMaxRank = 3;

enum class Kind {
  kComplex,       ///< complex to complex
  kRealForward,   ///< real to complex; a last length n becomes n / 2 + 1 in the spectrum
  kRealBackward,  ///< complex to real: inverse of kRealForward
};

enum class Precision {
  kHalf,  ///< half in memory, computed in float, rounded once
  kFloat,
  kDouble,
};

/// Distances in numbers between elements of an array; for a real array, in real numbers.
struct Strides {
  std::array<std::ptrdiff_t, kMaxRank> dimension;
  std::ptrdiff_t batch;
};

struct Shape {
  Kind kind;
  Precision precision;
  int rank;                                   ///< 1, 2 or 3
  std::array<std::size_t, kMaxRank> lengths;  ///< for real numbers: of the real array
  std::size_t batch;
};

/// Size in bytes of the temporary memory of a transform.
std::size_t work_size_of(const Shape& shape);

/// Lengths of the complex array, and of the input and the output, which are real or complex.
std::array<std::size_t, kMaxRank> spectrum_of(const Shape& shape);
std::array<std::size_t, kMaxRank> input_of(const Shape& shape);
std::array<std::size_t, kMaxRank> output_of(const Shape& shape);

/// Strides of contiguous arrays. `lengths` has `rank` numbers.
Strides packed(int rank, const std::size_t* lengths);

class Transform {
 public:
  virtual ~Transform() = default;

  /// Creates the data that transforms of `shape` share. Throws std::bad_alloc.
  static std::shared_ptr<const Transform> make(const Shape& shape);

  /// Transforms `in` into `out` without scaling, on all idle workers. `in` and `out` may be the
  /// same array if the input and the output of each transform of the batch occupy the same memory.
  /// `inverse` selects the exponent +2 pi i, and applies to kComplex only. `work` has
  /// work_size_of(shape) bytes.
  virtual void run(const void* in, const Strides& in_strides, void* out, const Strides& out_strides,
                   void* work, bool inverse) const = 0;

 protected:
  Transform() = default;
};

}  // namespace simtrt::fft
