// Functions of simtrand: checks of arguments, and execution of the generator's engine on the
// generator's stream.
#include <simtrand.h>
#include <simtrt/enqueue.h>

#include "rand/direction_vectors.h"
#include "rand/engine.h"

#include <memory>
#include <mutex>
#include <new>
#include <utility>

using simtrt::rng::Engine;
using simtrt::rng::Kind;
using simtrt::rng::Request;

namespace {

constexpr double kGreatestLambda = 400000;

/// Engine with a lock, because work on two streams that are not ordered may use the engine
/// concurrently.
struct SharedEngine {
  std::unique_ptr<Engine> engine;
  std::mutex mutex;
};

/// Creates an engine with the number of subsequences that cuRAND's ordering prescribes.
std::unique_ptr<Engine> make_engine(simtrandRngType_t type, simtrandOrdering_t ordering,
                                    bool on_host) {
  switch (type) {
    case SIMTRAND_RNG_PSEUDO_DEFAULT:
    case SIMTRAND_RNG_PSEUDO_XORWOW:
      return simtrt::rng::make_xorwow_engine(4096, ordering == SIMTRAND_ORDERING_PSEUDO_SEEDED);
    case SIMTRAND_RNG_PSEUDO_MRG32K3A:
      return simtrt::rng::make_mrg32k3a_engine(ordering == SIMTRAND_ORDERING_PSEUDO_LEGACY ? 4096
                                                                                           : 81920);
    case SIMTRAND_RNG_PSEUDO_MTGP32:
      return simtrt::rng::make_mtgp32_engine(
          ordering == SIMTRAND_ORDERING_PSEUDO_LEGACY ? 64 : 192, on_host);
    case SIMTRAND_RNG_PSEUDO_PHILOX4_32_10: return simtrt::rng::make_philox_engine();
    case SIMTRAND_RNG_QUASI_DEFAULT:
    case SIMTRAND_RNG_QUASI_SOBOL32: return simtrt::rng::make_sobol32_engine(false);
    case SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL32: return simtrt::rng::make_sobol32_engine(true);
    case SIMTRAND_RNG_QUASI_SOBOL64: return simtrt::rng::make_sobol64_engine(false);
    case SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL64: return simtrt::rng::make_sobol64_engine(true);
    default: return nullptr;
  }
}

}  // namespace

struct simtrandGenerator_st {
  simtrandRngType_t type;
  bool on_host;
  simtrandOrdering_t ordering = SIMTRAND_ORDERING_PSEUDO_DEFAULT;
  simtStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long offset = 0;  // offset of the next result
  bool has_offset = false;        // true: the program has set the offset
  unsigned dimensions = 1;
  bool restarts = true;           // true: restart before the next work
  std::shared_ptr<SharedEngine> shared = std::make_shared<SharedEngine>();
};

namespace {

bool is_quasi_random(const simtrandGenerator_st& generator) {
  return generator.type >= SIMTRAND_RNG_QUASI_DEFAULT;
}

/// True for generators of 64-bit words.
bool is_wide(const simtrandGenerator_st& generator) {
  return generator.type == SIMTRAND_RNG_QUASI_SOBOL64 ||
         generator.type == SIMTRAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

bool is_mersenne_twister(const simtrandGenerator_st& generator) {
  return generator.type == SIMTRAND_RNG_PSEUDO_MTGP32;
}

/// Offset at which a restart begins. A Philox generator whose offset was never set counts turns of
/// four results there, as cuRAND's does.
unsigned long long restart_offset(const simtrandGenerator_st& generator) {
  const bool counts_turns =
      generator.type == SIMTRAND_RNG_PSEUDO_PHILOX4_32_10 && !generator.has_offset;
  return counts_turns ? generator.offset / 4 : generator.offset;
}

/// Restarts the engine if necessary. Then the engine executes `request`: immediately for a host
/// generator, otherwise in stream order.
simtrandStatus_t submit(simtrandGenerator_t generator, const Request& request) {
  auto work = [shared = generator->shared, restarts = generator->restarts, seed = generator->seed,
               offset = restart_offset(*generator), request] {
    const std::lock_guard lock(shared->mutex);
    if (restarts) {
      shared->engine->restart(seed, offset);
    }
    if (request.count > 0) {
      shared->engine->generate(request);
    }
  };
  if (generator->on_host) {
    work();
  } else {
    const simtError_t error = simtrt::enqueue(generator->stream, "simtrand", std::move(work));
    if (error != simtSuccess) {
      return error == simtErrorInvalidResourceHandle ? SIMTRAND_STATUS_LAUNCH_FAILURE
                                                     : SIMTRAND_STATUS_PREEXISTING_FAILURE;
    }
  }
  generator->restarts = false;
  const bool pairs =
      generator->shared->engine->keeps_pairs() && simtrt::rng::comes_in_pairs(request.kind);
  generator->offset += pairs ? request.count / 2 : request.count / request.dimensions;
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t generate(simtrandGenerator_t generator, Request request) try {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  if (request.kind == (is_wide(*generator) ? Kind::kWords : Kind::kLongWords)) {
    return SIMTRAND_STATUS_TYPE_ERROR;
  }
  request.dimensions = generator->dimensions;
  if (request.count % request.dimensions != 0) {
    return SIMTRAND_STATUS_LENGTH_NOT_MULTIPLE;
  }
  if (request.count == 0) {
    return SIMTRAND_STATUS_SUCCESS;
  }
  if (request.out == nullptr) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  if (request.count % 2 != 0 && simtrt::rng::comes_in_pairs(request.kind) &&
      generator->shared->engine->keeps_pairs()) {
    return SIMTRAND_STATUS_LENGTH_NOT_MULTIPLE;
  }
  return submit(generator, request);
} catch (const std::bad_alloc&) {
  return SIMTRAND_STATUS_ALLOCATION_FAILED;
}

simtrandStatus_t create(simtrandGenerator_t* generator, simtrandRngType_t type, bool on_host) try {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  int devices = 0;
  if (!on_host && (simtGetDeviceCount(&devices) != simtSuccess || devices == 0)) {
    return SIMTRAND_STATUS_INITIALIZATION_FAILED;
  }
  auto made = std::make_unique<simtrandGenerator_st>();
  made->type = type;
  made->on_host = on_host;
  if (is_quasi_random(*made)) {
    made->ordering = SIMTRAND_ORDERING_QUASI_DEFAULT;
  }
  made->shared->engine = make_engine(type, made->ordering, on_host);
  if (made->shared->engine == nullptr) {
    return SIMTRAND_STATUS_TYPE_ERROR;
  }
  *generator = made.release();
  return SIMTRAND_STATUS_SUCCESS;
} catch (const std::bad_alloc&) {
  return SIMTRAND_STATUS_ALLOCATION_FAILED;
}

bool is_supported(simtrandOrdering_t order, const simtrandGenerator_st& generator) {
  if (is_quasi_random(generator)) {
    return order == SIMTRAND_ORDERING_QUASI_DEFAULT;
  }
  switch (order) {
    case SIMTRAND_ORDERING_PSEUDO_BEST:
    case SIMTRAND_ORDERING_PSEUDO_DEFAULT:
    case SIMTRAND_ORDERING_PSEUDO_LEGACY: return true;
    case SIMTRAND_ORDERING_PSEUDO_SEEDED:
      return generator.type == SIMTRAND_RNG_PSEUDO_DEFAULT ||
             generator.type == SIMTRAND_RNG_PSEUDO_XORWOW;
    case SIMTRAND_ORDERING_PSEUDO_DYNAMIC: return !generator.on_host;
    default: return false;
  }
}

}  // namespace

simtrandStatus_t simtrandCreateGenerator(simtrandGenerator_t* generator,
                                         simtrandRngType_t rng_type) {
  return create(generator, rng_type, false);
}

simtrandStatus_t simtrandCreateGeneratorHost(simtrandGenerator_t* generator,
                                             simtrandRngType_t rng_type) {
  return create(generator, rng_type, true);
}

simtrandStatus_t simtrandDestroyGenerator(simtrandGenerator_t generator) {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  delete generator;
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t simtrandGetVersion(int* version) {
  if (version == nullptr) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  *version = SIMTRAND_VER_MAJOR * 1000 + SIMTRAND_VER_MINOR * 100 + SIMTRAND_VER_PATCH;
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t simtrandGetProperty(libraryPropertyType type, int* value) {
  constexpr int kVersion[] = {SIMTRAND_VER_MAJOR, SIMTRAND_VER_MINOR, SIMTRAND_VER_PATCH};
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  *value = kVersion[type - MAJOR_VERSION];
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t simtrandSetStream(simtrandGenerator_t generator, simtStream_t stream) {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  generator->stream = stream;
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t simtrandSetPseudoRandomGeneratorSeed(simtrandGenerator_t generator,
                                                      unsigned long long seed) {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  if (is_quasi_random(*generator)) {
    return SIMTRAND_STATUS_TYPE_ERROR;
  }
  generator->seed = seed;
  // As in cuRAND, MTGP32's states stay until simtrandGenerateSeeds.
  generator->restarts = generator->restarts || !is_mersenne_twister(*generator);
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t simtrandSetGeneratorOffset(simtrandGenerator_t generator,
                                            unsigned long long offset) {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  if (is_mersenne_twister(*generator)) {
    return SIMTRAND_STATUS_TYPE_ERROR;
  }
  generator->offset = offset;
  generator->has_offset = true;
  generator->restarts = true;
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t simtrandSetQuasiRandomGeneratorDimensions(simtrandGenerator_t generator,
                                                           unsigned int num_dimensions) {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  if (!is_quasi_random(*generator)) {
    return SIMTRAND_STATUS_TYPE_ERROR;
  }
  if (num_dimensions < 1 || num_dimensions > simtrt::rng::kSobolDimensions) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  generator->dimensions = num_dimensions;
  generator->restarts = true;
  return SIMTRAND_STATUS_SUCCESS;
}

simtrandStatus_t simtrandSetGeneratorOrdering(simtrandGenerator_t generator,
                                              simtrandOrdering_t order) try {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  if (!is_supported(order, *generator)) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  if (order != generator->ordering) {
    // Makes a new engine, because submitted work with the previous ordering may still use the
    // previous engine.
    auto shared = std::make_shared<SharedEngine>();
    shared->engine = make_engine(generator->type, order, generator->on_host);
    generator->shared = std::move(shared);
    generator->ordering = order;
    generator->restarts = true;
  }
  return SIMTRAND_STATUS_SUCCESS;
} catch (const std::bad_alloc&) {
  return SIMTRAND_STATUS_ALLOCATION_FAILED;
}

simtrandStatus_t simtrandGenerateSeeds(simtrandGenerator_t generator) {
  if (generator == nullptr) {
    return SIMTRAND_STATUS_NOT_INITIALIZED;
  }
  generator->restarts = true;
  return submit(generator, {Kind::kWords, nullptr, 0});
}

simtrandStatus_t simtrandGenerate(simtrandGenerator_t generator, unsigned int* outputPtr,
                                  std::size_t num) {
  return generate(generator, {Kind::kWords, outputPtr, num});
}

simtrandStatus_t simtrandGenerateLongLong(simtrandGenerator_t generator,
                                          unsigned long long* outputPtr, std::size_t num) {
  return generate(generator, {Kind::kLongWords, outputPtr, num});
}

simtrandStatus_t simtrandGenerateUniform(simtrandGenerator_t generator, float* outputPtr,
                                         std::size_t num) {
  return generate(generator, {Kind::kUniform, outputPtr, num});
}

simtrandStatus_t simtrandGenerateUniformDouble(simtrandGenerator_t generator, double* outputPtr,
                                               std::size_t num) {
  return generate(generator, {Kind::kUniformDouble, outputPtr, num});
}

simtrandStatus_t simtrandGenerateNormal(simtrandGenerator_t generator, float* outputPtr,
                                        std::size_t n, float mean, float stddev) {
  return generate(generator, {Kind::kNormal, outputPtr, n, mean, stddev});
}

simtrandStatus_t simtrandGenerateNormalDouble(simtrandGenerator_t generator, double* outputPtr,
                                              std::size_t n, double mean, double stddev) {
  return generate(generator, {Kind::kNormalDouble, outputPtr, n, mean, stddev});
}

simtrandStatus_t simtrandGenerateLogNormal(simtrandGenerator_t generator, float* outputPtr,
                                           std::size_t n, float mean, float stddev) {
  return generate(generator, {Kind::kLogNormal, outputPtr, n, mean, stddev});
}

simtrandStatus_t simtrandGenerateLogNormalDouble(simtrandGenerator_t generator, double* outputPtr,
                                                 std::size_t n, double mean, double stddev) {
  return generate(generator, {Kind::kLogNormalDouble, outputPtr, n, mean, stddev});
}

simtrandStatus_t simtrandGeneratePoisson(simtrandGenerator_t generator, unsigned int* outputPtr,
                                         std::size_t n, double lambda) {
  if (generator != nullptr && n > 0 && !(lambda > 0 && lambda <= kGreatestLambda)) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  return generate(generator, {Kind::kPoisson, outputPtr, n, lambda, 0});
}
