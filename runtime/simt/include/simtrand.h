// simtrand: cuRAND's host API (CUDA 12.4, curand.h 10.3.5) under the prefix simtrand. Names, values
// and signatures are those of that header.
//
// Generators are XORWOW (the default), Philox 4x32-10 and MRG32k3a; creating any other gives
// SIMTRAND_STATUS_TYPE_ERROR. They write device memory in the order of their stream, or, when made
// by simtrandCreateGeneratorHost, any memory before the call returns. A generator is used by one
// thread at a time.
//
// Bit for bit those of cuRAND 10.3.5, for every seed, offset, split into calls and ordering
// DEFAULT, BEST and LEGACY: words, uniform and uniform double. Which words a normal or log-normal
// number is made of is cuRAND's too; how close it comes is in simtrt/rand/normal.h. Result n of a
// fresh generator takes its words from
//   XORWOW     subsequence n mod 4096, from word n/4096 on (rounded down);
//   MRG32k3a   subsequence n mod 81920 (LEGACY: n mod 4096) in the same way;
//   Philox     subsequence (n/4) mod 65536, word 4 (n/262144) + n mod 4,
// as the cuRAND guide gives it ("Order") or, for Philox, cuRAND's own host generator shows it. A
// result that needs several words takes the ones that follow in its subsequence. XORWOW and
// MRG32k3a give normal numbers in pairs, a pair for each subsequence.
//
// Where it is not cuRAND: Poisson numbers have the distribution only, though each takes one word,
// as there. A Philox generator that is given a new seed after results, and no new offset, goes on
// at the offset reached; cuRAND may go on elsewhere. Not there are ordering SEEDED, quasi-random
// generators and words of 64 bits.
#pragma once

#include <simt_library_types.h>
#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <cstddef>

#define SIMTRAND_VER_MAJOR 10
#define SIMTRAND_VER_MINOR 3
#define SIMTRAND_VER_PATCH 5

enum simtrandStatus {
  SIMTRAND_STATUS_SUCCESS = 0,
  SIMTRAND_STATUS_VERSION_MISMATCH = 100,
  SIMTRAND_STATUS_NOT_INITIALIZED = 101,
  SIMTRAND_STATUS_ALLOCATION_FAILED = 102,
  SIMTRAND_STATUS_TYPE_ERROR = 103,
  SIMTRAND_STATUS_OUT_OF_RANGE = 104,
  SIMTRAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  SIMTRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  SIMTRAND_STATUS_LAUNCH_FAILURE = 201,
  SIMTRAND_STATUS_PREEXISTING_FAILURE = 202,
  SIMTRAND_STATUS_INITIALIZATION_FAILED = 203,
  SIMTRAND_STATUS_ARCH_MISMATCH = 204,
  SIMTRAND_STATUS_INTERNAL_ERROR = 999,
};
typedef enum simtrandStatus simtrandStatus_t;

enum simtrandRngType {
  SIMTRAND_RNG_TEST = 0,
  SIMTRAND_RNG_PSEUDO_DEFAULT = 100,
  SIMTRAND_RNG_PSEUDO_XORWOW = 101,
  SIMTRAND_RNG_PSEUDO_MRG32K3A = 121,
  SIMTRAND_RNG_PSEUDO_MTGP32 = 141,
  SIMTRAND_RNG_PSEUDO_MT19937 = 142,
  SIMTRAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  SIMTRAND_RNG_QUASI_DEFAULT = 200,
  SIMTRAND_RNG_QUASI_SOBOL32 = 201,
  SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  SIMTRAND_RNG_QUASI_SOBOL64 = 203,
  SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204,
};
typedef enum simtrandRngType simtrandRngType_t;

enum simtrandOrdering {
  SIMTRAND_ORDERING_PSEUDO_BEST = 100,
  SIMTRAND_ORDERING_PSEUDO_DEFAULT = 101,
  SIMTRAND_ORDERING_PSEUDO_SEEDED = 102,
  SIMTRAND_ORDERING_PSEUDO_LEGACY = 103,
  SIMTRAND_ORDERING_PSEUDO_DYNAMIC = 104,
  SIMTRAND_ORDERING_QUASI_DEFAULT = 201,
};
typedef enum simtrandOrdering simtrandOrdering_t;

struct simtrandGenerator_st;
typedef struct simtrandGenerator_st* simtrandGenerator_t;

// All functions give SIMTRAND_STATUS_NOT_INITIALIZED for a null generator.
extern "C" {

/// A generator of seed 0 at offset 0, on the null stream; or one that writes at once, on the
/// calling thread. TYPE_ERROR for a type that is not there, ALLOCATION_FAILED,
/// INITIALIZATION_FAILED where there is no device.
SIMTRT_EXPORT simtrandStatus_t simtrandCreateGenerator(simtrandGenerator_t* generator,
                                                       simtrandRngType_t rng_type);
SIMTRT_EXPORT simtrandStatus_t simtrandCreateGeneratorHost(simtrandGenerator_t* generator,
                                                           simtrandRngType_t rng_type);

/// Submitted work is still executed.
SIMTRT_EXPORT simtrandStatus_t simtrandDestroyGenerator(simtrandGenerator_t generator);

/// 10305, the version of the corresponding cuRAND; or a part of it by property. OUT_OF_RANGE for an
/// invalid property.
SIMTRT_EXPORT simtrandStatus_t simtrandGetVersion(int* version);
SIMTRT_EXPORT simtrandStatus_t simtrandGetProperty(libraryPropertyType type, int* value);

/// Submits later work to `stream`. Work on the previous stream is not waited for: order both
/// streams by an event.
SIMTRT_EXPORT simtrandStatus_t simtrandSetStream(simtrandGenerator_t generator,
                                                 simtStream_t stream);

/// Restarts with `seed` at the present offset, like cuRAND; with `offset` and the present seed;
/// with `order` and both. OUT_OF_RANGE for an ordering other than BEST, DEFAULT, LEGACY and, on a
/// device, DYNAMIC.
SIMTRT_EXPORT simtrandStatus_t simtrandSetPseudoRandomGeneratorSeed(simtrandGenerator_t generator,
                                                                    unsigned long long seed);
SIMTRT_EXPORT simtrandStatus_t simtrandSetGeneratorOffset(simtrandGenerator_t generator,
                                                          unsigned long long offset);
SIMTRT_EXPORT simtrandStatus_t simtrandSetGeneratorOrdering(simtrandGenerator_t generator,
                                                            simtrandOrdering_t order);

/// Performs the initialisation of the first generation now: computes states from the seed.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateSeeds(simtrandGenerator_t generator);

// Write `num` results to `outputPtr`. OUT_OF_RANGE for a null pointer with num > 0;
// PREEXISTING_FAILURE after an error of the device; LAUNCH_FAILURE if the stream rejects the work.

/// Random 32-bit words.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerate(simtrandGenerator_t generator,
                                                unsigned int* outputPtr, std::size_t num);
/// Uniform numbers in (0, 1].
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateUniform(simtrandGenerator_t generator,
                                                       float* outputPtr, std::size_t num);
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateUniformDouble(simtrandGenerator_t generator,
                                                             double* outputPtr, std::size_t num);
/// LENGTH_NOT_MULTIPLE for an odd `num` with XORWOW and MRG32k3a, which produce normal numbers in
/// pairs.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateNormal(simtrandGenerator_t generator,
                                                      float* outputPtr, std::size_t n, float mean,
                                                      float stddev);
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateNormalDouble(simtrandGenerator_t generator,
                                                            double* outputPtr, std::size_t n,
                                                            double mean, double stddev);
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateLogNormal(simtrandGenerator_t generator,
                                                         float* outputPtr, std::size_t n,
                                                         float mean, float stddev);
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateLogNormalDouble(simtrandGenerator_t generator,
                                                               double* outputPtr, std::size_t n,
                                                               double mean, double stddev);
/// OUT_OF_RANGE unless 0 < lambda <= 400000.
SIMTRT_EXPORT simtrandStatus_t simtrandGeneratePoisson(simtrandGenerator_t generator,
                                                       unsigned int* outputPtr, std::size_t n,
                                                       double lambda);
}
