// States of MTGP32.
#pragma once

#include <simtrand_mtgp32_host.h>

namespace simtrt::rng {

/// New state `index` of the states of a 64-bit seed, by the generator's own seeding. `all` contains all sets of
/// parameters; `parameters` is the set `index`.
simtrandStateMtgp32_t mtgp32_start(const mtgp32_params_fast_t& parameters, mtgp32_kernel_params_t* all,
                                   std::uint64_t seed, unsigned index);

/// Collects all sets of parameters.
void mtgp32_gather(const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t& all);

}  // namespace simtrt::rng
