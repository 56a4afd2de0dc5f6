// Random numbers of thrust.
#pragma once

#include <thrust/random/discard_block_engine.h>
#include <thrust/random/linear_congruential_engine.h>
#include <thrust/random/normal_distribution.h>
#include <thrust/random/uniform_int_distribution.h>
#include <thrust/random/uniform_real_distribution.h>

THRUST_NAMESPACE_BEGIN

namespace random {

using default_random_engine = minstd_rand;

}  // namespace random

using random::default_random_engine;

THRUST_NAMESPACE_END
