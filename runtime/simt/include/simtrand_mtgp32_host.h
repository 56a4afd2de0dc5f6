// Host functions that make the states of MTGP32 in kernels (CUDA 12.4, curand_mtgp32_host.h), and
// the generator's parameters (curand_mtgp32dc_p_11213.h).
#pragma once
#define SIMTRAND_MTGP32_HOST_H  // Programs test this macro to learn whether the header was included.

#include <simtrand.h>
#include <simtrt/rand/mtgp32.h>

namespace simtrt::rng {

SIMTRT_EXPORT extern mtgp32_params_fast_t mtgp32_parameters[SIMTRAND_NUM_MTGP32_PARAMS];

}  // namespace simtrt::rng

static auto& mtgp32dc_params_fast_11213 = simtrt::rng::mtgp32_parameters;

extern "C" {

/// Writes 200 sets of parameters to `p`, which is device memory. Returns INITIALIZATION_FAILED if
/// the copy fails.
SIMTRT_EXPORT simtrandStatus_t simtrandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                                                           mtgp32_kernel_params_t* p);

/// Writes `n` states, at most 200, to `s`, which is device memory. State i has the set i of
/// parameters and a seed of its own. Returns INITIALIZATION_FAILED if the copy fails.
SIMTRT_EXPORT simtrandStatus_t simtrandMakeMTGP32KernelState(simtrandStateMtgp32_t* s,
                                                             mtgp32_params_fast_t params[],
                                                             mtgp32_kernel_params_t* k, int n,
                                                             unsigned long long seed);
}
