// simtrand for kernels: cuRAND's device API (CUDA 12.4, cuRAND 10.3.5) with the prefix simtrand,
// for the generators Philox 4x32-10 and XORWOW. Host code may call it too.
//
// Words, uniform numbers and skips equal cuRAND's bit for bit. simtrt/rand/normal.h and
// simtrt/rand/poisson.h state the accuracy of the distributions that use a logarithm or a sine.
#pragma once
#define SIMTRAND_KERNEL_H  // Programs test this macro to learn whether the header was included.

#include <simt_runtime.h>
#include <simtrand.h>
#include <simtrt/rand/normal.h>
#include <simtrt/rand/philox.h>
#include <simtrt/rand/poisson.h>
#include <simtrt/rand/uniform.h>
#include <simtrt/rand/xorwow.h>
