// Direction vectors of Sobol sequences from the direction numbers of Joe and Kuo (joe_kuo.inc), and
// their scrambling.
#pragma once

#include <vector>

namespace simtrt::rng {

inline constexpr unsigned kSobolDimensions = 20000;

// `Word` is unsigned int or unsigned long long. The first call of each function computes the words of
// all dimensions, which takes some 20 milliseconds, with scrambling some 200.

/// Direction vectors of all dimensions, one dimension after another: one word for each bit of a
/// word.
template <class Word>
std::vector<Word>& direction_vectors();

/// Direction vectors, each multiplied by the random matrix of its dimension (J. Matousek, "On the
/// L2-discrepancy for anchored boxes", Journal of Complexity 14, 1998).
template <class Word>
std::vector<Word>& scrambled_direction_vectors();

/// Random constants of all dimensions, which a scrambled generator adds to each word. The 32-bit
/// constants are the upper halves of the 64-bit ones.
template <class Word>
std::vector<Word>& scramble_constants();

}  // namespace simtrt::rng
