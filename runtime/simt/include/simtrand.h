// simtrand: cuRAND's host API (CUDA 12.4, curand.h 10.3.5) with the prefix simtrand. Names, values
// and signatures are those of that header.
//
// Generators are XORWOW (the default), Philox 4x32-10, MRG32k3a, MTGP32 and the Sobol generators;
// creating an MT19937 generator returns SIMTRAND_STATUS_TYPE_ERROR. A generator writes device memory in the order of its stream. A
// generator made by simtrandCreateGeneratorHost writes any memory before the call returns. One
// thread at a time may use a generator.
//
// Words, uniform numbers and uniform doubles equal those of cuRAND bit for bit, for every seed, every
// offset, every division into calls, and all orderings except DYNAMIC. A normal or log-normal number
// is computed from the same words as in cuRAND; simtrt/rand/normal.h states its accuracy. Result n of
// a new generator uses words as follows:
//   XORWOW     subsequence n mod 4096, from word n/4096 on (rounded down). SEEDED: thread t has the
//              seed that is 3133713 t greater, in place of a subsequence;
//   MRG32k3a   subsequence n mod 81920 (LEGACY: n mod 4096), with the same rule;
//   Philox     subsequence (n/4) mod 65536, word 4 (n/262144) + n mod 4;
//   MTGP32     state (n/256) mod 192 (LEGACY: mod 64), in which the words follow one another;
//   Sobol      of N results in D dimensions, dimension n/(N/D), point n mod (N/D).
// Source: the cuRAND guide ("Order"); for Philox, the output of cuRAND's host generator; for SEEDED
// and MTGP32, the output of cuRAND 10.4 (tests/known_answers/rand). A result that needs several words
// uses consecutive words of its subsequence. XORWOW and MRG32k3a produce normal numbers in pairs,
// each pair from one subsequence.
//
// Poisson numbers equal those of cuRAND 10.4. With a large mean, they are rounded normal numbers; one
// of several thousand differs then.
//
// Differences from cuRAND: scrambled Sobol numbers have the runtime's own scrambling
// (src/rand/scramble.cpp).
// Not implemented: MT19937, whose order of results on a device is not published.
#pragma once
#define SIMTRAND_H  // Programs test this macro to learn whether the header was included.

#include <simt_library_types.h>
#include <simt_runtime.h>  // as in CUDA: programs rely on it
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

enum simtrandDirectionVectorSet {
  SIMTRAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  SIMTRAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  SIMTRAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  SIMTRAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104,
};
typedef enum simtrandDirectionVectorSet simtrandDirectionVectorSet_t;

/// Direction vectors of one dimension of a Sobol sequence.
typedef unsigned int simtrandDirectionVectors32_t[32];
typedef unsigned long long simtrandDirectionVectors64_t[64];

struct simtrandGenerator_st;
typedef struct simtrandGenerator_st* simtrandGenerator_t;

struct simtrandDiscreteDistribution_st;
typedef struct simtrandDiscreteDistribution_st* simtrandDiscreteDistribution_t;

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

/// Restarts with a new seed at the present offset, like cuRAND. A Philox generator whose offset was
/// never set restarts at a quarter of the number of results so far, like cuRAND's. An MTGP32
/// generator that has produced results keeps its states until simtrandGenerateSeeds. Returns
/// TYPE_ERROR for a quasi-random generator.
SIMTRT_EXPORT simtrandStatus_t simtrandSetPseudoRandomGeneratorSeed(simtrandGenerator_t generator,
                                                                    unsigned long long seed);
/// Restarts at a new offset with the present seed. Returns TYPE_ERROR for MTGP32.
SIMTRT_EXPORT simtrandStatus_t simtrandSetGeneratorOffset(simtrandGenerator_t generator,
                                                          unsigned long long offset);
/// Restarts a quasi-random generator with another number of dimensions, 1 to 20,000. Returns
/// TYPE_ERROR for a pseudo-random generator, OUT_OF_RANGE for another number.
SIMTRT_EXPORT simtrandStatus_t
simtrandSetQuasiRandomGeneratorDimensions(simtrandGenerator_t generator,
                                          unsigned int num_dimensions);
/// Restarts with a new ordering, at the present seed and offset. Returns OUT_OF_RANGE for an
/// ordering other than BEST, DEFAULT, LEGACY, for XORWOW also SEEDED, and on a device DYNAMIC; for a
/// quasi-random generator, for an ordering other than QUASI_DEFAULT.
SIMTRT_EXPORT simtrandStatus_t simtrandSetGeneratorOrdering(simtrandGenerator_t generator,
                                                            simtrandOrdering_t order);

/// Computes the generator's states from its seed and offset immediately. Without this call, the
/// first generation of numbers computes them.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateSeeds(simtrandGenerator_t generator);

// The functions below write `num` results to `outputPtr`. They return OUT_OF_RANGE for a null
// pointer with num > 0, PREEXISTING_FAILURE after an error of the device, and LAUNCH_FAILURE if the
// stream rejects the work.

/// Random 32-bit words.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerate(simtrandGenerator_t generator,
                                                unsigned int* outputPtr, std::size_t num);
/// Random 64-bit words, of generators of 64-bit words only.
SIMTRT_EXPORT simtrandStatus_t simtrandGenerateLongLong(simtrandGenerator_t generator,
                                                        unsigned long long* outputPtr,
                                                        std::size_t num);
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

/// Poisson distribution for simtrand_discrete in kernels. Returns OUT_OF_RANGE unless 0 < lambda <=
/// 400000.
SIMTRT_EXPORT simtrandStatus_t simtrandCreatePoissonDistribution(
    double lambda, simtrandDiscreteDistribution_t* discrete_distribution);
SIMTRT_EXPORT simtrandStatus_t
simtrandDestroyDistribution(simtrandDiscreteDistribution_t discrete_distribution);

/// Direction vectors of 20,000 dimensions, which the runtime owns. Returns OUT_OF_RANGE for a set of
/// the other width.
SIMTRT_EXPORT simtrandStatus_t simtrandGetDirectionVectors32(
    simtrandDirectionVectors32_t* vectors[], simtrandDirectionVectorSet_t set);
SIMTRT_EXPORT simtrandStatus_t simtrandGetDirectionVectors64(
    simtrandDirectionVectors64_t* vectors[], simtrandDirectionVectorSet_t set);
/// Constants of 20,000 dimensions for the scrambled direction vectors, which the runtime owns.
SIMTRT_EXPORT simtrandStatus_t simtrandGetScrambleConstants32(unsigned int** constants);
SIMTRT_EXPORT simtrandStatus_t simtrandGetScrambleConstants64(unsigned long long** constants);
}
