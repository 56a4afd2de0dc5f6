// simtrand: cuRAND's host API (CUDA 12.4, curand.h 10.3.5) with the prefix simtrand. Names, values
// and signatures are those of that header.
//
// Generators are XORWOW (the default), Philox 4x32-10 and MRG32k3a; creating another type returns
// SIMTRAND_STATUS_TYPE_ERROR. A generator writes device memory in the order of its stream. A
// generator made by simtrandCreateGeneratorHost writes any memory before the call returns. One
// thread at a time may use a generator.
//
// Words, uniform numbers and uniform doubles equal those of cuRAND 10.3.5 bit for bit, for every
// seed, every offset, every division into calls, and the orderings DEFAULT, BEST and LEGACY. A
// normal or log-normal number is computed from the same words as in cuRAND; simtrt/rand/normal.h
// states its accuracy. Result n of a new generator uses words as follows:
//   XORWOW     subsequence n mod 4096, from word n/4096 on (rounded down);
//   MRG32k3a   subsequence n mod 81920 (LEGACY: n mod 4096), with the same rule;
//   Philox     subsequence (n/4) mod 65536, word 4 (n/262144) + n mod 4.
// Source: the cuRAND guide ("Order"); for Philox, the output of cuRAND's host generator. A result
// that needs several words uses consecutive words of its subsequence. XORWOW and MRG32k3a produce
// normal numbers in pairs, each pair from one subsequence.
//
// Differences from cuRAND: Poisson numbers have the same distribution but other values; as in
// cuRAND, each uses one word. If a Philox generator has produced results and receives a new seed
// but no new offset, it continues at the offset that it has reached; cuRAND may continue elsewhere.
// Not implemented: ordering SEEDED, quasi-random generators, and 64-bit words.
#pragma once
#define SIMTRAND_H  // Programs test this macro to learn whether the header was included.

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

// All functions return SIMTRAND_STATUS_NOT_INITIALIZED for a null generator.
extern "C" {

/// Create a generator with seed 0 and offset 0. simtrandCreateGenerator: a generator on the null
/// stream. simtrandCreateGeneratorHost: a generator that writes before the call returns, on the
/// calling thread. Errors: TYPE_ERROR for a type that is not implemented, ALLOCATION_FAILED,
/// INITIALIZATION_FAILED if there is no device.
SIMTRT_EXPORT simtrandStatus_t simtrandCreateGenerator(simtrandGenerator_t* generator,
                                                       simtrandRngType_t rng_type);
SIMTRT_EXPORT simtrandStatus_t simtrandCreateGeneratorHost(simtrandGenerator_t* generator,
                                                           simtrandRngType_t rng_type);

/// Destroys a generator. Work that was submitted before is still executed.
SIMTRT_EXPORT simtrandStatus_t simtrandDestroyGenerator(simtrandGenerator_t generator);

/// Version of the corresponding cuRAND: as one number, 10305, or one part of it. Returns
/// OUT_OF_RANGE for an invalid property.
SIMTRT_EXPORT simtrandStatus_t simtrandGetVersion(int* version);
SIMTRT_EXPORT simtrandStatus_t simtrandGetProperty(libraryPropertyType type, int* value);

/// Submits later work to `stream`. The generator does not wait for its work on the previous stream:
/// the program orders the two streams by an event.
SIMTRT_EXPORT simtrandStatus_t simtrandSetStream(simtrandGenerator_t generator,
                                                 simtStream_t stream);

/// Restarts with a new seed at the present offset, like cuRAND.
SIMTRT_EXPORT simtrandStatus_t simtrandSetPseudoRandomGeneratorSeed(simtrandGenerator_t generator,
                                                                    unsigned long long seed);
/// Restarts at a new offset with the present seed.
SIMTRT_EXPORT simtrandStatus_t simtrandSetGeneratorOffset(simtrandGenerator_t generator,
                                                          unsigned long long offset);
/// Restarts with a new ordering, at the present seed and offset. Returns OUT_OF_RANGE for an
/// ordering other than BEST, DEFAULT, LEGACY and, on a device, DYNAMIC.
SIMTRT_EXPORT simtrandStatus_t simtrandSetGeneratorOrdering(simtrandGenerator_t generator,
                                                            simtrandOrdering_t order);

/// Computes the generator's states from its seed immediately. Without this call, the first
/// generation of numbers computes them.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateSeeds(simtrandGenerator_t generator);

// The functions below write `num` results to `outputPtr`. They return OUT_OF_RANGE for a null
// pointer with num > 0, PREEXISTING_FAILURE after an error of the device, and LAUNCH_FAILURE if the
// stream rejects the work.

/// Random 32-bit words.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerate(simtrandGenerator_t generator,
                                                unsigned int* outputPtr, std::size_t num);
/// Uniform numbers in (0, 1].
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateUniform(simtrandGenerator_t generator,
                                                       float* outputPtr, std::size_t num);
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateUniformDouble(simtrandGenerator_t generator,
                                                             double* outputPtr, std::size_t num);
/// Normal numbers. Returns LENGTH_NOT_MULTIPLE for an odd `num` with XORWOW and MRG32k3a, which
/// produce normal numbers in pairs.
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
/// Poisson numbers. Returns OUT_OF_RANGE unless 0 < lambda <= 400000.
SIMTRT_EXPORT simtrandStatus_t simtrandGeneratePoisson(simtrandGenerator_t generator,
                                                       unsigned int* outputPtr, std::size_t n,
                                                       double lambda);
}
