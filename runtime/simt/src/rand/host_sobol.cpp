// Functions of simtrand that return the direction vectors and scramble constants of Sobol generators.
#include <simtrand.h>

#include "rand/direction_vectors.h"

using namespace simtrt::rng;

namespace {

/// Stores the address of the set `set` if it is the plain or the scrambled one of this width.
template <class Word, class Vectors>
simtrandStatus_t get_vectors(Vectors* vectors[], simtrandDirectionVectorSet_t set,
                             simtrandDirectionVectorSet_t plain,
                             simtrandDirectionVectorSet_t scrambled) {
  if (vectors == nullptr || (set != plain && set != scrambled)) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  std::vector<Word>& words =
      set == plain ? direction_vectors<Word>() : scrambled_direction_vectors<Word>();
  *vectors = reinterpret_cast<Vectors*>(words.data());
  return SIMTRAND_STATUS_SUCCESS;
}

template <class Word>
simtrandStatus_t get_constants(Word** constants) {
  if (constants == nullptr) {
    return SIMTRAND_STATUS_OUT_OF_RANGE;
  }
  *constants = scramble_constants<Word>().data();
  return SIMTRAND_STATUS_SUCCESS;
}

}  // namespace

simtrandStatus_t simtrandGetDirectionVectors32(simtrandDirectionVectors32_t* vectors[],
                                               simtrandDirectionVectorSet_t set) {
  return get_vectors<unsigned int>(vectors, set, SIMTRAND_DIRECTION_VECTORS_32_JOEKUO6,
                                   SIMTRAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
}

simtrandStatus_t simtrandGetDirectionVectors64(simtrandDirectionVectors64_t* vectors[],
                                               simtrandDirectionVectorSet_t set) {
  return get_vectors<unsigned long long>(vectors, set, SIMTRAND_DIRECTION_VECTORS_64_JOEKUO6,
                                         SIMTRAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
}

simtrandStatus_t simtrandGetScrambleConstants32(unsigned int** constants) {
  return get_constants(constants);
}

simtrandStatus_t simtrandGetScrambleConstants64(unsigned long long** constants) {
  return get_constants(constants);
}
