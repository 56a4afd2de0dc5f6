// Skipping ahead in XORWOW: its xorshift is linear over GF(2), so n steps are a product with the
// n-th power of a 160 x 160 matrix of bits.
#include <simtrt/rand/xorwow.h>

#include <array>
#include <memory>

namespace simtrt::rng {
namespace {

constexpr int kWords = 5;
constexpr int kDigits = 8 * kWords;  // digits of four bits

using State = std::array<std::uint32_t, kWords>;

/// Linear map of states. Entry [i][value] is the image of the state whose digit i is `value` and
/// whose other digits are 0. A product takes one look-up for each digit.
using Matrix = std::array<std::array<State, 16>, kDigits>;

void add(State& sum, const State& state) {
  for (int word = 0; word < kWords; ++word) {
    sum[word] ^= state[word];
  }
}

State multiply(const State& state, const Matrix& matrix) {
  State result{};
  for (int digit = 0; digit < kDigits; ++digit) {
    add(result, matrix[digit][(state[digit / 8] >> (4 * (digit % 8))) & 15]);
  }
  return result;
}

/// Matrix of the linear function `map`.
template <class Map>
Matrix matrix_of(Map map) {
  Matrix result{};
  for (int digit = 0; digit < kDigits; ++digit) {
    for (std::uint32_t value = 1; value < 16; ++value) {
      const std::uint32_t rest = value & (value - 1);
      State lowest_bit{};
      lowest_bit[digit / 8] = (value ^ rest) << (4 * (digit % 8));
      result[digit][value] = rest == 0 ? map(lowest_bit) : result[digit][value ^ rest];
      add(result[digit][value], result[digit][rest]);
    }
  }
  return result;
}

Matrix one_step() {
  return matrix_of([](const State& bits) {
    simtrandStateXORWOW state{0, {bits[0], bits[1], bits[2], bits[3], bits[4]}, 0, 0, 0, 0};
    simtrand(&state);
    return State{state.v[0], state.v[1], state.v[2], state.v[3], state.v[4]};
  });
}

Matrix square(const Matrix& matrix) {
  return matrix_of([&](const State& state) { return multiply(multiply(state, matrix), matrix); });
}

/// Matrix k of `steps` advances the state by 2^k words; matrix k of `subsequences` advances it by
/// 2^k subsequences of 2^67 words.
struct Powers {
  std::array<Matrix, 64> steps;
  std::array<Matrix, 64> subsequences;
};

/// Created at the first skip, which takes some milliseconds and 1.6 MB. Programs that do not use
/// XORWOW never create them.
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
          const std::array<Matrix, 64> Powers::* kind) {
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

void xorwow_skip(unsigned int (&v)[kWords], std::uint64_t steps) { skip(v, steps, &Powers::steps); }

void xorwow_skip_subsequences(unsigned int (&v)[kWords], std::uint64_t subsequences) {
  skip(v, subsequences, &Powers::subsequences);
}

}  // namespace simtrt::rng
