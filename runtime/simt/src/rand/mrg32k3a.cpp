// Skipping ahead in MRG32k3a: a step of each component is linear, so n steps are a product with the
// n-th power of a 3 x 3 matrix.
#include <simtrt/rand/mrg32k3a.h>

#include <array>

namespace simtrt::rng {
namespace {

using Vector = std::array<std::uint64_t, 3>;
using Matrix = std::array<Vector, 3>;

// Matrices of the two components. The next state of a component is its matrix times its current
// state; a state lists its numbers from the oldest to the newest.
constexpr Matrix kStep1 = {{{0, 1, 0}, {0, 0, 1}, {kMrgModulus1 - 810728, 1403580, 0}}};
constexpr Matrix kStep2 = {{{0, 1, 0}, {0, 0, 1}, {kMrgModulus2 - 1370589, 0, 527612}}};

Vector multiply(const Matrix& matrix, const Vector& vector, std::uint64_t modulus) {
  Vector result{};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      result[row] += matrix[row][column] * vector[column] % modulus;
    }
    result[row] %= modulus;
  }
  return result;
}

Matrix square(const Matrix& matrix, std::uint64_t modulus) {
  Matrix result{};
  for (int column = 0; column < 3; ++column) {
    const Vector product = multiply(
        matrix, Vector{matrix[0][column], matrix[1][column], matrix[2][column]}, modulus);
    for (int row = 0; row < 3; ++row) {
      result[row][column] = product[row];
    }
  }
  return result;
}

/// Entry k is the matrix for 2^k steps.
struct Powers {
  static constexpr int kCount = 127 + 64;
  std::array<Matrix, kCount> first;
  std::array<Matrix, kCount> second;
};

const Powers& powers() {
  static const Powers made = [] {
    Powers result;
    result.first[0] = kStep1;
    result.second[0] = kStep2;
    for (int exponent = 1; exponent < Powers::kCount; ++exponent) {
      result.first[exponent] = square(result.first[exponent - 1], kMrgModulus1);
      result.second[exponent] = square(result.second[exponent - 1], kMrgModulus2);
    }
    return result;
  }();
  return made;
}

int exponent_of(MrgDistance distance) {
  switch (distance) {
    case MrgDistance::kWord: return 0;
    case MrgDistance::kSubsequence: return 76;
    case MrgDistance::kSequence: return 127;
  }
  return 0;
}

void advance(unsigned int (&component)[3], const Matrix& matrix, std::uint64_t modulus) {
  const Vector moved =
      multiply(matrix, Vector{component[0], component[1], component[2]}, modulus);
  for (int i = 0; i < 3; ++i) {
    component[i] = static_cast<std::uint32_t>(moved[i]);
  }
}

}  // namespace

void mrg32k3a_skip(unsigned int (&s1)[3], unsigned int (&s2)[3], std::uint64_t count,
                   MrgDistance distance) {
  const Powers& matrices = powers();
  for (int exponent = exponent_of(distance); count != 0; count >>= 1, ++exponent) {
    if (count & 1) {
      advance(s1, matrices.first[exponent], kMrgModulus1);
      advance(s2, matrices.second[exponent], kMrgModulus2);
    }
  }
}

}  // namespace simtrt::rng
