// Eigenvalues of sparse matrices: inverse iteration (csreigvsi), and the number of eigenvalues in a box (csreigs).
#include <algorithm>
#include <limits>

#include "solver_sparse/context.h"
#include "solver_sparse/lu.h"
#include "solver_sparse/ordering.h"
#include "sparse/numbers.h"

namespace simtrt::direct {
namespace {

template <class T>
struct EigenArguments {
  T start;
  const T* start_vector;
  int steps;
  Real<T> tolerance;
  T* value;
  T* vector;

  bool valid() const {
    return start_vector != nullptr && steps > 0 && value != nullptr && vector != nullptr;
  }
};

template <class T>
Real<T> norm_of(const std::vector<T>& x) {
  Real<T> scale{};
  for (const T value : x) {
    scale = std::max(scale, std::abs(value));
  }
  Real<T> sum{};
  for (const T value : x) {
    sum += scale > 0 ? std::norm(value / scale) : 0;
  }
  return scale * std::sqrt(sum);
}

template <class T>
void normalise(std::vector<T>& x) {
  const Real<T> norm = norm_of(x);
  for (T& value : x) {
    value /= norm;
  }
}

/// Factors of A - shift * I. Zero pivots, which exact eigenvalues give, are replaced by the rounding error of A.
template <class T>
LuFactor<T> factor_shifted(const Matrix<T>& a, T shift) {
  const Matrix<T> b = shifted(a, shift);
  LuFactor<T> factor = factor_lu(b, minimum_degree(symmetric_graph(b.pattern)), Real<T>(1));
  const Real<T> smallest = std::numeric_limits<Real<T>>::epsilon() * norm_of(b.values);
  for (T& pivot : factor.pivots) {
    if (std::abs(pivot) < smallest) {
      pivot = T(smallest);
    }
  }
  return factor;
}

template <class T>
void find_eigenvector(const Matrix<T>& a, const EigenArguments<T>& problem) {
  const auto n = static_cast<std::size_t>(a.pattern.rows);
  const LuFactor<T> factor = factor_shifted(a, problem.start);
  std::vector<T> x(problem.start_vector, problem.start_vector + n);
  normalise(x);
  T value{};
  for (int step = 0; step < problem.steps; ++step) {
    solve(factor, x.data());
    normalise(x);
    std::vector<T> residual = multiply(a, x);
    value = T{};
    for (std::size_t i = 0; i < n; ++i) {
      value += conjugate(x[i]) * residual[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      residual[i] -= value * x[i];
    }
    if (norm_of(residual) < problem.tolerance) {
      break;
    }
  }
  *problem.value = value;
  std::copy(x.begin(), x.end(), problem.vector);
}

template <class T>
simtsolverStatus_t eigenvector(Place place, simtsolverSpHandle_t handle, const char* name,
                               const CsrArgument<T>& a, const EigenArguments<T>& problem) {
  const simtsolverStatus_t status = check(handle, a, {problem.valid()});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  return run(place, handle, name,
             [read = reader(a), problem] { find_eigenvector(read(), problem); });
}

using Complex = std::complex<double>;

constexpr double kPi = 3.14159265358979323846;

/// The angle plus a multiple of 2 pi, between -pi and pi.
double wrapped(double angle) { return std::remainder(angle, 2 * kPi); }

/// Argument of P(z) = det(A - z I) along lines of the complex plane.
class CharacteristicArgument {
 public:
  template <class T>
  explicit CharacteristicArgument(const Matrix<T>& a)
      : a_{a.pattern, std::vector<Complex>(a.values.begin(), a.values.end())},
        order_(minimum_degree(symmetric_graph(a.pattern))) {}

  /// Change of the argument from `from` to `to`.
  double change(Complex from, Complex to) const {
    return change_between(at(from, to - from), at(to, to - from), kDeepest);
  }

 private:
  static constexpr int kDeepest = 24;  // bisections of a line
  /// Bisections that are made in any case: turns between two points with equal slopes would stay unnoticed.
  static constexpr int kLeast = 4;
  /// Step of finite differences, as a part of the line.
  static constexpr double kStep = 1e-6;

  /// Argument at a point, and its derivative along the line, per length of the line.
  struct Sample {
    Complex z;
    double argument;
    double slope;
  };

  double argument(Complex z) const {
    const LuFactor<Complex> factor = factor_lu(shifted(a_, z), order_, 1.0);
    double sum = is_odd(factor.row_order) != is_odd(factor.column_order) ? kPi : 0;
    for (const Complex pivot : factor.pivots) {
      sum += std::arg(pivot);
    }
    return wrapped(sum);
  }

  Sample at(Complex z, Complex line) const {
    const double here = argument(z);
    const double next = argument(z + kStep * line);
    return {z, here, wrapped(next - here) / kStep};
  }

  /// The change modulo 2 pi follows from the arguments, and the number of turns from the mean of the slopes. The line is
  /// halved until the slopes give the number of turns reliably.
  double change_between(const Sample& from, const Sample& to, int depth, double part = 1) const {
    const double expected = part * (from.slope + to.slope) / 2;
    const double change = expected + wrapped(to.argument - from.argument - expected);
    const bool is_smooth = depth <= kDeepest - kLeast && std::abs(to.slope - from.slope) * part < 1 &&
                           std::abs(change - expected) < 0.5;
    if (is_smooth || depth == 0) {
      return change;
    }
    const Complex middle = (from.z + to.z) / 2.0;
    const Sample sample = at(middle, (to.z - from.z) / part);
    return change_between(from, sample, depth - 1, part / 2) +
           change_between(sample, to, depth - 1, part / 2);
  }

  static bool is_odd(const Permutation& order) {
    std::vector<char> seen(order.size(), 0);
    bool odd = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i; seen[j] == 0; j = static_cast<std::size_t>(order[j])) {
        seen[j] = 1;
        odd = odd != (static_cast<std::size_t>(order[j]) != i);
      }
    }
    return odd;
  }

  Matrix<Complex> a_;
  Permutation order_;
};

template <class T, class Corner>
simtsolverStatus_t count_eigenvalues(simtsolverSpHandle_t handle, const CsrArgument<T>& a,
                                     const Corner& low, const Corner& high, int* count) {
  const simtsolverStatus_t status = check(handle, a, {count != nullptr, low.x < high.x, low.y < high.y});
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  return run_on_host([&] {
    const CharacteristicArgument argument(reader(a)());
    const Complex corners[] = {{low.x, low.y}, {high.x, low.y}, {high.x, high.y}, {low.x, high.y}};
    double change = 0;
    for (int side = 0; side < 4; ++side) {
      change += argument.change(corners[side], corners[(side + 1) % 4]);
    }
    *count = static_cast<int>(std::lround(change / (2 * kPi)));
  });
}

template <class T>
SparseValue<T> number(T value) {
  return *values_of(&value);
}

}  // namespace
}  // namespace simtrt::direct

using namespace simtrt;
using namespace simtrt::direct;

extern "C" {

#define DEFINE_EIGENVECTOR(function, place, T, Real)                                               \
  simtsolverStatus_t function(simtsolverSpHandle_t handle, int m, int nnz,                         \
                              simtsparseMatDescr_t descriptor, const T* values,                    \
                              const int* offsets, const int* indices, T start,                     \
                              const T* start_vector, int steps, Real tolerance, T* value,          \
                              T* vector) {                                                         \
    return eigenvector(                                                                            \
        place, handle, #function,                                                                  \
        CsrArgument<SparseValue<T>>{m, m, nnz, descriptor, values_of(values), offsets, indices},      \
        EigenArguments<SparseValue<T>>{number(start), values_of(start_vector), steps, tolerance,      \
                                       values_of(value), values_of(vector)});                            \
  }
#define DEFINE_EIGENVALUES(S, T, Real, Corner)                                                     \
  DEFINE_EIGENVECTOR(simtsolverSp##S##csreigvsiHost, Place::kHost, T, Real)                        \
  DEFINE_EIGENVECTOR(simtsolverSp##S##csreigvsi, Place::kDevice, T, Real)                          \
  simtsolverStatus_t simtsolverSp##S##csreigsHost(                                                 \
      simtsolverSpHandle_t handle, int m, int nnz, simtsparseMatDescr_t descriptor,                \
      const T* values, const int* offsets, const int* indices, Corner low, Corner high,            \
      int* count) {                                                                                \
    return count_eigenvalues(                                                                      \
        handle,                                                                                    \
        CsrArgument<SparseValue<T>>{m, m, nnz, descriptor, values_of(values), offsets, indices}, low, \
        high, count);                                                                              \
  }
DEFINE_EIGENVALUES(S, float, float, simtComplex)
DEFINE_EIGENVALUES(D, double, double, simtDoubleComplex)
DEFINE_EIGENVALUES(C, simtComplex, float, simtComplex)
DEFINE_EIGENVALUES(Z, simtDoubleComplex, double, simtDoubleComplex)

}  // extern "C"
