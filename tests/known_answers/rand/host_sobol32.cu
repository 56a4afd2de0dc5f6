// The host API's Sobol32: dimensions, counts, calls, offsets and distributions.
// nvcc: -lcurand
#include "quasi.h"

int main() { quasi::everything(CURAND_RNG_QUASI_SOBOL32, false); }
