// The host API's MRG32k3a: every size, seed, offset, ordering and distribution.
// nvcc: -lcurand
#include "pseudo.h"

int main() { pseudo::everything(CURAND_RNG_PSEUDO_MRG32K3A); }
