// simtrand for kernels: cuRAND's device API (CUDA 12.4, cuRAND 10.3.5) with the prefix simtrand,
// for all generators. Host code may call it too, except for MTGP32.
//
// Words, uniform numbers and skips equal cuRAND's bit for bit. simtrt/rand/normal.h and
// simtrt/rand/poisson.h state the accuracy of the distributions that use a logarithm or a sine.
#pragma once
#define SIMTRAND_KERNEL_H  // Programs test this macro to learn whether the header was included.

#include <simt_runtime.h>
#include <simtrand.h>
#include <simtrt/rand/mrg32k3a.h>
#include <simtrt/rand/mtgp32.h>
#include <simtrt/rand/normal.h>
#include <simtrt/rand/one_word.h>
#include <simtrt/rand/discrete.h>
#include <simtrt/rand/philox.h>
#include <simtrt/rand/poisson.h>
#include <simtrt/rand/sobol.h>
#include <simtrt/rand/uniform.h>
#include <simtrt/rand/xorwow.h>
