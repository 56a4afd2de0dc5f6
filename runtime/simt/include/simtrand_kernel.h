// simtrand for kernels: cuRAND's device API (CUDA 12.4, cuRAND 10.3.5) under the prefix simtrand,
// for its generators Philox 4x32-10 and XORWOW. Host code may call it as well.
//
// Words, uniform numbers and skips are bit for bit those of cuRAND. simtrt/rand/normal.h and
// simtrt/rand/poisson.h say how close the distributions are that take a logarithm or a sine.
#pragma once

#include <simt_runtime.h>
#include <simtrand.h>
#include <simtrt/rand/normal.h>
#include <simtrt/rand/philox.h>
#include <simtrt/rand/poisson.h>
#include <simtrt/rand/uniform.h>
#include <simtrt/rand/xorwow.h>
