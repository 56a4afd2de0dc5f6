// The host API's MTGP32: every size, seed, offset, ordering and distribution.
// nvcc: -lcurand
#include "pseudo.h"

int main() { pseudo::everything(CURAND_RNG_PSEUDO_MTGP32); }
