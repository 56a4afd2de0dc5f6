// Instructions of PTX for the lanes of a warp. Source: PTX ISA 8.4, "shfl.sync", "vote.sync",
// "match.sync", "redux.sync", "elect.sync". simtrt/intrinsics/ptx.h includes this file.
#pragma once

#include <simtrt/intrinsics/ptx_operands.h>
#include <simtrt/kernel/warp.h>

namespace simtrt::ptx {

/// Source lane of a shuffle; `valid` states if the lane is in the segment. `c` has the bound in
/// bits 0 to 4, the mask of the segment in bits 8 to 12.
inline u32 shuffle_source(const char* mode, u32 b, u32 c, bool& valid) {
  const u32 lane = lane_id(), clamp = c & 31, segment = c >> 8 & 31, by = b & 31;
  const u32 most = (lane & segment) | (clamp & ~segment);
  const u32 least = lane & segment;
  u32 from = lane;
  if (has(mode, "up")) {
    from = lane - by;
    valid = static_cast<s32>(from) >= static_cast<s32>(most);
  } else if (has(mode, "down")) {
    from = lane + by;
    valid = from <= most;
  } else if (has(mode, "bfly")) {
    from = lane ^ by;
    valid = from <= most;
  } else {
    from = least | (by & ~segment);
    valid = from <= most;
  }
  return valid ? from : lane;
}

template <class To, class A>
__forceinline__ void shfl(const char* mode, To& to, A a, u32 b, u32 c, lanemask_t mask) {
  bool valid = false;
  const u32 from = shuffle_source(mode, b, c, valid);
  set(to, from_bits<u32>(warp_shuffle(mask, to_bits(as<u32>(a)), from)));
}
template <class To, class P, class A>
__forceinline__ void shfl(const char* mode, const Results<To, P>& to, A a, u32 b, u32 c,
                          lanemask_t mask) {
  bool valid = false;
  const u32 from = shuffle_source(mode, b, c, valid);
  set(to.first, from_bits<u32>(warp_shuffle(mask, to_bits(as<u32>(a)), from)));
  set(to.second, valid);
}

template <class To>
__forceinline__ void vote(const char* kind, To& to, bool predicate, lanemask_t mask) {
  lanemask_t present = 0;
  const lanemask_t votes = warp_vote(mask, predicate, &present);
  if (has(kind, "ballot")) {
    set(to, static_cast<u32>(votes));
  } else {
    set(to, has(kind, "all")   ? votes == present
            : has(kind, "any") ? votes != 0
                               : votes == 0 || votes == present);
  }
}

template <class T, class To>
__forceinline__ void match_any(To& to, T value, lanemask_t mask) {
  lanemask_t present = 0;
  set(to, static_cast<u32>(warp_match(mask, to_bits(value), &present)));
}

template <class T, class To>
__forceinline__ void redux(const char* operation, To& to, T value, lanemask_t mask) {
  set(to, warp_reduce(mask, value, [operation](T a, T b) {
        return has(operation, "add")   ? static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b))
               : has(operation, "min") ? (a < b ? a : b)
               : has(operation, "max") ? (a > b ? a : b)
               : has(operation, "and") ? static_cast<T>(a & b)
               : has(operation, "or")  ? static_cast<T>(a | b)
                                       : static_cast<T>(a ^ b);
      }));
}

/// The lowest lane is elected.
template <class Lane, class P>
__forceinline__ void elect(const Results<Lane, P>& to, lanemask_t mask) {
  lanemask_t present = 0;
  warp_vote(mask, true, &present);
  const u32 first = static_cast<u32>(__builtin_ctz(present));
  set(to.first, first);
  set(to.second, first == lane_id());
}

}  // namespace simtrt::ptx
