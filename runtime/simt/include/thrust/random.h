// Random numbers of thrust.
#pragma once

#include <thrust/random/discard_block_engine.h>
#include <thrust/random/linear_congruential_engine.h>
#include <thrust/random/linear_feedback_shift_engine.h>
#include <thrust/random/normal_distribution.h>
#include <thrust/random/subtract_with_carry_engine.h>
#include <thrust/random/uniform_int_distribution.h>
#include <thrust/random/uniform_real_distribution.h>
#include <thrust/random/xor_combine_engine.h>

#include <iostream>  // programs rely on it, as CUDA's header includes it

THRUST_NAMESPACE_BEGIN

namespace random {

using default_random_engine = minstd_rand;

// Luescher's generators (1994).
using ranlux24 = discard_block_engine<ranlux24_base, 223, 23>;
using ranlux48 = discard_block_engine<ranlux48_base, 389, 11>;

// L'Ecuyer's maximally equidistributed combination of three Tausworthe generators (1996).
using taus88 =
    xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>, 0,
                       xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>, 0,
                                          linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>, 0>,
                       0>;

}  // namespace random

using random::default_random_engine;
using random::ranlux24;
using random::ranlux48;
using random::taus88;

THRUST_NAMESPACE_END
