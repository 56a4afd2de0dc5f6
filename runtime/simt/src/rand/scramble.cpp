// Scrambling of Sobol sequences. NVIDIA has published neither its random matrices and constants nor
// a method that yields them; these are the runtime's own, from Philox.
#include "rand/direction_vectors.h"

#include <simtrt/enqueue.h>
#include <simtrt/rand/philox.h>

#include <cstddef>
#include <cstdint>

namespace simtrt::rng {
namespace {

/// Random number `index` of a dimension. Numbers 0 to 63 are rows of its matrix; 64 is its constant.
std::uint64_t random_number(unsigned dimension, unsigned index) {
  constexpr uint2 kKey = {0x536f626fu, 0x6c536372u};
  const uint4 words = simtrand_Philox4x32_10({dimension, index, 0, 0}, kKey);
  return std::uint64_t{words.x} << 32 | words.y;
}

constexpr unsigned kConstant = 64;

template <class Word>
Word upper_bits(std::uint64_t number) {
  return static_cast<Word>(number >> (64 - 8 * sizeof(Word)));
}

/// Multiplies the direction vectors of a dimension by a lower triangular matrix over GF(2), whose
/// diagonal is 1. Row 0 yields the highest bit.
template <class Word>
void scramble(Word* vectors, unsigned dimension) {
  constexpr unsigned kBits = 8 * sizeof(Word);
  Word rows[kBits];
  for (unsigned row = 0; row < kBits; ++row) {
    const Word diagonal = Word{1} << (kBits - 1 - row);
    const auto above = static_cast<Word>(~(diagonal | (diagonal - 1)));
    rows[row] = (upper_bits<Word>(random_number(dimension, row)) & above) | diagonal;
  }
  for (unsigned i = 0; i < kBits; ++i) {
    Word product = 0;
    for (const Word row : rows) {
      product = 2 * product + static_cast<Word>(__builtin_parityll(row & vectors[i]));
    }
    vectors[i] = product;
  }
}

template <class Word>
std::vector<Word> scrambled_vectors() {
  std::vector<Word> all = direction_vectors<Word>();
  parallel_for(kSobolDimensions, 100, [&](std::size_t begin, std::size_t end) {
    for (std::size_t dimension = begin; dimension < end; ++dimension) {
      scramble(all.data() + dimension * 8 * sizeof(Word), static_cast<unsigned>(dimension));
    }
  });
  return all;
}

}  // namespace

template <class Word>
std::vector<Word>& scrambled_direction_vectors() {
  static std::vector<Word> all = scrambled_vectors<Word>();
  return all;
}

template <class Word>
std::vector<Word>& scramble_constants() {
  static std::vector<Word> all = [] {
    std::vector<Word> constants;
    for (unsigned dimension = 0; dimension < kSobolDimensions; ++dimension) {
      constants.push_back(upper_bits<Word>(random_number(dimension, kConstant)));
    }
    return constants;
  }();
  return all;
}

template std::vector<unsigned int>& scrambled_direction_vectors();
template std::vector<unsigned long long>& scrambled_direction_vectors();
template std::vector<unsigned int>& scramble_constants();
template std::vector<unsigned long long>& scramble_constants();

}  // namespace simtrt::rng
