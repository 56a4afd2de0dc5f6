// States of MTGP32.
#pragma once

#include <simtrand_mtgp32_host.h>

namespace simtrt::rng {

/// Words of a new state, by the generator's own seeding.
void mtgp32_start(unsigned int* words, const mtgp32_params_fast_t& parameters, std::uint32_t seed);

/// Seed of state `index` for a 64-bit seed.
inline std::uint32_t mtgp32_seed(std::uint64_t seed, unsigned index) {
  return static_cast<std::uint32_t>(seed ^ (seed >> 32)) + index + 1;
}

/// Collects all sets of parameters.
void mtgp32_gather(const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t& all);

}  // namespace simtrt::rng
