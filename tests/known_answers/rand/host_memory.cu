// Generators that write host memory: are their numbers those of the device's generators?
// nvcc: -lcurand
#include "host_memory.h"

int main() {
  host_memory::pseudo_random("default", CURAND_RNG_PSEUDO_DEFAULT);
  host_memory::pseudo_random("xorwow", CURAND_RNG_PSEUDO_XORWOW);
  host_memory::pseudo_random("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
  host_memory::pseudo_random("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  host_memory::pseudo_random("mtgp32", CURAND_RNG_PSEUDO_MTGP32);
  host_memory::quasi_random("quasi_default", CURAND_RNG_QUASI_DEFAULT);
  host_memory::quasi_random("sobol32", CURAND_RNG_QUASI_SOBOL32);
  host_memory::quasi_random("sobol64", CURAND_RNG_QUASI_SOBOL64);
  host_memory::quasi_random("scrambled_sobol32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
  host_memory::quasi_random("scrambled_sobol64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
}
