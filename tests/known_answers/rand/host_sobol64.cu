// The host API's Sobol64: dimensions, counts, calls, offsets and distributions.
// nvcc: -lcurand
#include "quasi.h"

int main() { quasi::everything(CURAND_RNG_QUASI_SOBOL64, true); }
