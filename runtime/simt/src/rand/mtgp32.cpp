// Parameters and states of MTGP32.
#include "rand/mtgp32.h"

#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace simtrt::rng {
namespace {

/// Row of mtgp32_parameters.inc.
struct Row {
  int position;
  int shift1;
  int shift2;
  std::uint32_t recursion[4];
  std::uint32_t tempering[4];
};

constexpr Row kRows[] = {
#include "rand/mtgp32_parameters.inc"
};

constexpr std::uint32_t sum_of_bits(const std::uint32_t (&entries)[4], unsigned index) {
  std::uint32_t sum = 0;
  for (int bit = 0; bit < 4; ++bit) {
    sum ^= (index >> bit & 1) != 0 ? entries[bit] : 0;
  }
  return sum;
}

void fill(const Row& row, mtgp32_params_fast_t& parameters) {
  parameters.mexp = 11213;
  parameters.pos = row.position;
  parameters.sh1 = row.shift1;
  parameters.sh2 = row.shift2;
  parameters.mask = 0xfff80000u;
  for (unsigned index = 0; index < 16; ++index) {
    parameters.tbl[index] = sum_of_bits(row.recursion, index);
    parameters.tmp_tbl[index] = sum_of_bits(row.tempering, index);
    parameters.flt_tmp_tbl[index] = 0x3f800000u | (parameters.tmp_tbl[index] >> 9);
  }
}

// Source: MTGP, mtgp32-fast.c, mtgp32_init_state.
void start_words(unsigned int* words, const mtgp32_params_fast_t& parameters, std::uint32_t seed) {
  const std::uint32_t hidden = parameters.tbl[4] ^ (parameters.tbl[8] << 16);
  std::uint32_t byte = hidden;
  byte += byte >> 16;
  byte += byte >> 8;
  std::memset(words, static_cast<int>(byte & 255), kMtgpSize * sizeof(unsigned int));
  words[0] = seed;
  words[1] = hidden;
  for (std::uint32_t i = 1; i < kMtgpSize; ++i) {
    words[i] ^= 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
  }
}

}  // namespace

mtgp32_params_fast_t mtgp32_parameters[SIMTRAND_NUM_MTGP32_PARAMS];

/// Fills mtgp32_parameters when the library is loaded, because programs read the array directly.
[[maybe_unused]] const bool parameters_are_filled = [] {
  for (int set = 0; set < SIMTRAND_NUM_MTGP32_PARAMS; ++set) {
    fill(kRows[set], mtgp32_parameters[set]);
  }
  return true;
}();

simtrandStateMtgp32_t mtgp32_start(const mtgp32_params_fast_t& parameters, mtgp32_kernel_params_t* all,
                                   std::uint64_t seed, unsigned index) {
  simtrandStateMtgp32_t state{};
  start_words(state.s, parameters, static_cast<std::uint32_t>(seed ^ (seed >> 32)) + index + 1);
  state.offset = 0;
  state.pIdx = static_cast<int>(index);
  state.k = all;
  return state;
}

void mtgp32_gather(const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t& all) {
  all.mask[0] = sets[0].mask;
  for (int set = 0; set < SIMTRAND_NUM_MTGP32_PARAMS; ++set) {
    all.pos_tbl[set] = static_cast<unsigned>(sets[set].pos);
    all.sh1_tbl[set] = static_cast<unsigned>(sets[set].sh1);
    all.sh2_tbl[set] = static_cast<unsigned>(sets[set].sh2);
    std::memcpy(all.param_tbl[set], sets[set].tbl, sizeof all.param_tbl[set]);
    std::memcpy(all.temper_tbl[set], sets[set].tmp_tbl, sizeof all.temper_tbl[set]);
    std::memcpy(all.single_temper_tbl[set], sets[set].flt_tmp_tbl,
                sizeof all.single_temper_tbl[set]);
  }
}

}  // namespace simtrt::rng

simtrandStatus_t simtrandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                                             mtgp32_kernel_params_t* p) try {
  const auto all = std::make_unique<mtgp32_kernel_params_t>();
  simtrt::rng::mtgp32_gather(params, *all);
  return simtMemcpy(p, all.get(), sizeof *all, simtMemcpyHostToDevice) == simtSuccess
             ? SIMTRAND_STATUS_SUCCESS
             : SIMTRAND_STATUS_INITIALIZATION_FAILED;
} catch (const std::bad_alloc&) {
  return SIMTRAND_STATUS_ALLOCATION_FAILED;
}

simtrandStatus_t simtrandMakeMTGP32KernelState(simtrandStateMtgp32_t* s,
                                               mtgp32_params_fast_t params[],
                                               mtgp32_kernel_params_t* k, int n,
                                               unsigned long long seed) try {
  std::vector<simtrandStateMtgp32_t> states(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    states[static_cast<std::size_t>(i)] =
        simtrt::rng::mtgp32_start(params[i], k, seed, static_cast<unsigned>(i));
  }
  return simtMemcpy(s, states.data(), states.size() * sizeof states[0], simtMemcpyHostToDevice) ==
                 simtSuccess
             ? SIMTRAND_STATUS_SUCCESS
             : SIMTRAND_STATUS_INITIALIZATION_FAILED;
} catch (const std::bad_alloc&) {
  return SIMTRAND_STATUS_ALLOCATION_FAILED;
}
