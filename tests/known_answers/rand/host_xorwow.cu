// The host API's XORWOW: every size, seed, offset, ordering and distribution.
// nvcc: -lcurand
#include "pseudo.h"

int main() { pseudo::everything(CURAND_RNG_PSEUDO_XORWOW); }
