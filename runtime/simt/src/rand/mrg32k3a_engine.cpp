// MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive
// random number generators", Operations Research 47(1), 1999. Source for the seeding and for the
// scaling of the output: CUDA 12.4, curand_kernel.h.
#include "rand/threaded.h"

#include <array>

namespace simtrt::rng {
namespace {

using Vector = std::array<std::uint64_t, 3>;
using Matrix = std::array<Vector, 3>;

constexpr std::uint64_t kModulus1 = 4294967087;
constexpr std::uint64_t kModulus2 = 4294944443;

// Matrices of the two components. The next state of a component is its matrix times its current
// state; a state lists its numbers from the oldest to the newest.
constexpr Matrix kStep1 = {{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728, 1403580, 0}}};
constexpr Matrix kStep2 = {{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589, 0, 527612}}};

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

Matrix multiply(const Matrix& left, const Matrix& right, std::uint64_t modulus) {
  Matrix result{};
  for (int column = 0; column < 3; ++column) {
    const Vector product =
        multiply(left, Vector{right[0][column], right[1][column], right[2][column]}, modulus);
    for (int row = 0; row < 3; ++row) {
      result[row][column] = product[row];
    }
  }
  return result;
}

/// Computes matrix^(2^exponent).
Matrix squared(Matrix matrix, int exponent, std::uint64_t modulus) {
  for (int i = 0; i < exponent; ++i) {
    matrix = multiply(matrix, matrix, modulus);
  }
  return matrix;
}

struct Mrg32k3a {
  struct State {
    Vector first;
    Vector second;
  };

  static State start(std::uint64_t seed) {
    constexpr std::uint64_t kInitial = 12345;
    if (seed == 0) {
      return {{kInitial, kInitial, kInitial}, {kInitial, kInitial, kInitial}};
    }
    const std::uint64_t low = (seed & 0xffffffffu) ^ 0x55555555u;
    const std::uint64_t high = (seed >> 32) ^ 0xaaaaaaaau;
    const std::uint64_t low1 = low * kInitial % kModulus1;
    const std::uint64_t high1 = high * kInitial % kModulus1;
    const std::uint64_t low2 = low * kInitial % kModulus2;
    const std::uint64_t high2 = high * kInitial % kModulus2;
    return {{low1, high1, low1}, {high2, low2, high2}};
  }

  static void skip(State& state, std::uint64_t words) {
    Matrix step1 = kStep1;
    Matrix step2 = kStep2;
    for (; words != 0; words >>= 1) {
      if (words & 1) {
        state.first = multiply(step1, state.first, kModulus1);
        state.second = multiply(step2, state.second, kModulus2);
      }
      step1 = multiply(step1, step1, kModulus1);
      step2 = multiply(step2, step2, kModulus2);
    }
  }

  /// Subsequences are 2^76 words apart.
  static void next_subsequence(State& state) {
    static const Matrix kLeap1 = squared(kStep1, 76, kModulus1);
    static const Matrix kLeap2 = squared(kStep2, 76, kModulus2);
    state.first = multiply(kLeap1, state.first, kModulus1);
    state.second = multiply(kLeap2, state.second, kModulus2);
  }

  /// Next number, in [1, kModulus1].
  static std::uint64_t step(State& state) {
    Vector& first = state.first;
    const std::uint64_t new1 = (1403580 * first[1] + 810728 * (kModulus1 - first[0])) % kModulus1;
    first = {first[1], first[2], new1};
    Vector& second = state.second;
    const std::uint64_t new2 = (527612 * second[2] + 1370589 * (kModulus2 - second[0])) % kModulus2;
    second = {second[1], second[2], new2};
    return new1 > new2 ? new1 - new2 : new1 + kModulus1 - new2;
  }

  static std::uint32_t word(State& state) {
    return static_cast<std::uint32_t>(static_cast<double>(step(state)) * 1.000000048662);
  }
  static double uniform_double(State& state) {
    return static_cast<double>(step(state)) * 2.3283065498378288e-10;
  }
  static float uniform(State& state) { return static_cast<float>(uniform_double(state)); }
  static float2 normal_pair(State& state) {
    const float radius = std::sqrt(-2.0f * std::log(uniform(state)));
    const float angle = uniform(state) * 6.2831855f;
    return float2{std::sin(angle) * radius, std::cos(angle) * radius};
  }
  static double2 normal_pair_double(State& state) {
    const double radius = std::sqrt(-2.0 * std::log(uniform_double(state)));
    double sine;
    double cosine;
    simtrt::sincospi(uniform_double(state) * 2.0, &sine, &cosine);
    return double2{sine * radius, cosine * radius};
  }
};

}  // namespace

std::unique_ptr<Engine> make_mrg32k3a_engine(std::size_t threads) {
  return std::make_unique<ThreadedEngine<Mrg32k3a>>(threads);
}

}  // namespace simtrt::rng
