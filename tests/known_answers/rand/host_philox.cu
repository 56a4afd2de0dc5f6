// The host API's Philox 4x32-10: every size, seed, offset, ordering and distribution.
// nvcc: -lcurand
#include "pseudo.h"

int main() { pseudo::everything(CURAND_RNG_PSEUDO_PHILOX4_32_10); }
