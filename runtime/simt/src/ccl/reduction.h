// Reductions of elements: sum, product, maximum, minimum, average, and scaled sum.
#pragma once

#include <simtccl.h>

#include <cstddef>

namespace simtrt::ccl {

/// Reduction of one operation: `combine` for two contributions, after `scale` for each contribution
/// and before `divide` for the result.
struct Reduction {
  simtcclDataType_t type = simtcclFloat32;
  simtcclRedOp_t op = simtcclSum;        ///< sum, prod, max or min
  bool scaled = false;                   ///< multiply each contribution by `scalar`
  alignas(8) char scalar[8] = {};        ///< one element of the type
  const void* scalar_on_device = nullptr;  ///< read when the operation begins, into `scalar`
  int divisor = 1;                       ///< integers only: the result is divided by it

  /// result = contribution, scaled.
  void begin(void* result, const void* contribution, std::size_t count) const;
  /// result = partial op contribution. `result` may be one of the two inputs. Maximum and minimum
  /// ignore NaN, as NCCL's fmaxf and fminf do.
  void combine(void* result, const void* partial, const void* contribution, std::size_t count) const;
  /// Divides in place.
  void finish(void* result, std::size_t count) const;
};

/// Writes 1 / `ranks` to `scalar` in a floating-point type; false for an integer type.
bool reciprocal(simtcclDataType_t type, int ranks, void* scalar);

}  // namespace simtrt::ccl
