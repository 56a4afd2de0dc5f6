// Loops in vector instructions that not every processor has.
#pragma once

namespace simtrt {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

// Each function ends with vzeroupper, which g++ inserts from -O2 on only: code without AVX is slow while the upper halves of
// registers are in use.

template <class Loops>
__attribute__((target("avx2"), flatten, noinline)) void call_with_avx2(const Loops& loops) {
  loops();
  __builtin_ia32_vzeroupper();
}

template <class Loops>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512"), flatten, noinline)) void
call_with_avx512(const Loops& loops) {
  loops();
  __builtin_ia32_vzeroupper();
}

/// Calls `loops()`, in which the compiler vectorizes loops with 16 or 8 floats at a time where the processor can. Numbers are
/// the same on every processor, because the target's profile forbids to fuse operations (-ffp-contract=off).
template <class Loops>
inline void with_wide_vectors(const Loops& loops) {
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    call_with_avx512(loops);
  else if (__builtin_cpu_supports("avx2"))
    call_with_avx2(loops);
  else
    loops();
}

#else

template <class Loops>
inline void with_wide_vectors(const Loops& loops) {
  loops();
}

#endif

}  // namespace simtrt
