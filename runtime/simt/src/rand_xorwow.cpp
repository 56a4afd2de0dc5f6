// Skipping ahead in XORWOW: its xorshift is linear over GF(2), so n steps are the n-th power of a matrix of 160 bits.
#include <simtrt/rand_xorwow.h>

#include <array>
#include <memory>

namespace simtrt::rng {
namespace {

constexpr int kWords = 5;
constexpr int kBits = 32 * kWords;

using State = std::array<std::uint32_t, kWords>;

/// Row i is what the state becomes that has bit i alone.
using Matrix = std::array<State, kBits>;

State multiply(const State& state, const Matrix& matrix) {
  State result{};
  for (int bit = 0; bit < kBits; ++bit) {
    // Without a branch: half of the bits are set, and no predictor knows which.
    const std::uint32_t mask = 0u - ((state[bit / 32] >> (bit % 32)) & 1u);
    for (int word = 0; word < kWords; ++word) {
      result[word] ^= matrix[bit][word] & mask;
    }
  }
  return result;
}

Matrix square(const Matrix& matrix) {
  Matrix result;
  for (int bit = 0; bit < kBits; ++bit) {
    result[bit] = multiply(matrix[bit], matrix);
  }
  return result;
}

Matrix one_step() {
  Matrix result;
  for (int bit = 0; bit < kBits; ++bit) {
    simtrandStateXORWOW state{};
    state.v[bit / 32] = 1u << (bit % 32);
    simtrand(&state);
    for (int word = 0; word < kWords; ++word) {
      result[bit][word] = state.v[word];
    }
  }
  return result;
}

/// Matrix k of `steps` is 2^k steps, matrix k of `subsequences` is 2^k times 2^67 steps.
struct Powers {
  std::array<Matrix, 64> steps;
  std::array<Matrix, 64> subsequences;
};

/// Made at the first skip: some milliseconds, and 400 KB that programs without XORWOW never have.
const Powers& powers() {
  static const std::unique_ptr<const Powers> made = [] {
    auto result = std::make_unique<Powers>();
    Matrix matrix = one_step();
    for (Matrix& power : result->steps) {
      power = matrix;
      matrix = square(matrix);
    }
    for (int exponent = 64; exponent < 67; ++exponent) {
      matrix = square(matrix);
    }
    for (Matrix& power : result->subsequences) {
      power = matrix;
      matrix = square(matrix);
    }
    return result;
  }();
  return *made;
}

void skip(unsigned int (&v)[kWords], std::uint64_t count,
          const std::array<Matrix, 64> Powers::*kind) {
  if (count == 0) {
    return;
  }
  const std::array<Matrix, 64>& matrices = powers().*kind;
  State state;
  for (int word = 0; word < kWords; ++word) {
    state[word] = v[word];
  }
  for (int bit = 0; count != 0; ++bit, count >>= 1) {
    if (count & 1) {
      state = multiply(state, matrices[bit]);
    }
  }
  for (int word = 0; word < kWords; ++word) {
    v[word] = state[word];
  }
}

}  // namespace

void xorwow_skip(unsigned int (&v)[kWords], std::uint64_t steps) {
  skip(v, steps, &Powers::steps);
}

void xorwow_skip_subsequences(unsigned int (&v)[kWords], std::uint64_t subsequences) {
  skip(v, subsequences, &Powers::subsequences);
}

}  // namespace simtrt::rng
