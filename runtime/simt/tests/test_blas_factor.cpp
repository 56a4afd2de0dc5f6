// Batches of factorisations. The product of the factors must be the matrix, and solutions must
// satisfy their equations. Storage of the factors: LAPACK Users' Guide, sections "LU factorization"
// and "QR factorization"; info: cuBLAS 12.4 documentation.
#include "blas_test.h"

namespace {

/// `count` matrices with n columns, cut from the rows of one tall device matrix, and the array of
/// pointers to them.
template <class T>
class Batch {
 public:
  Batch(int rows, int columns, int count, const std::vector<T>& values)
      : matrix_(rows, columns * count, rows, values), pointers_(list(rows * columns, count)) {}

  const Matrix<T>& matrix() const { return matrix_; }
  auto pointers() const { return api(pointers_.data()); }
  /// The same pointers, as pointers to constant matrices.
  auto inputs() const { return api(reinterpret_cast<const T* const*>(pointers_.data())); }
  std::vector<T> after() const {
    std::vector<T> values(static_cast<std::size_t>(matrix_.ld()) * matrix_.columns());
    REQUIRE_OK(simtMemcpy(values.data(), matrix_.data(), values.size() * sizeof(T),
                          simtMemcpyDeviceToHost));
    return values;
  }

 private:
  std::vector<T*> list(int step, int count) const {
    std::vector<T*> pointers;
    for (int i = 0; i < count; ++i) {
      pointers.push_back(matrix_.data() + static_cast<std::ptrdiff_t>(i) * step);
    }
    return pointers;
  }

  Matrix<T> matrix_;
  DeviceArray<T*> pointers_;
};

template <class T>
std::vector<T> strong_diagonal(int n, int count) {
  std::vector<T> values = Numbers(1).list<T>(static_cast<std::size_t>(n) * n * count);
  for (int l = 0; l < count; ++l) {
    for (int i = 0; i < n; ++i) {
      values[static_cast<std::size_t>(l * n * n + i * (n + 1))] += number<T>(16);
    }
  }
  return values;
}

TEST_CASE_TEMPLATE("getrf gives L and U, with and without pivots", T, BLAS_TYPES) {
  BlasHandle handle;
  const int n = 6, count = 3;
  for (const bool pivoting : {true, false}) {
    const std::vector<T> values =
        pivoting ? Numbers(5).list<T>(n * n * count) : strong_diagonal<T>(n, count);
    const Batch<T> a(n, n, count, values);
    const DeviceArray<int> pivots(n * count, -1), info(count, -1);
    CHECK_BLAS(Calls<T>::getrf(handle, n, a.pointers(), n, pivoting ? pivots.data() : nullptr,
                               info.data(), count));
    REQUIRE_FINISHED();
    CHECK_EQ(info.values(), std::vector<int>(count, 0));
    const std::vector<T> factors = a.after();
    const std::vector<int> exchanged = pivots.values();
    for (int l = 0; l < count; ++l) {
      const T* const f = factors.data() + l * n * n;
      std::vector<Wide> product(n * n);
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          for (int k = 0; k <= std::min(i, j); ++k) {
            product[i + j * n] += (i == k ? Wide(1) : Wide(f[i + k * n])) * Wide(f[k + j * n]);
          }
        }
      }
      // A = P L U: undoes the row exchanges, beginning with the last.
      for (int i = n - 1; pivoting && i >= 0; --i) {
        const int other = exchanged[l * n + i] - 1;
        REQUIRE((other >= i && other < n));
        for (int j = 0; j < n; ++j) {
          std::swap(product[i + j * n], product[other + j * n]);
        }
      }
      for (int i = 0; i < n * n; ++i) {
        CHECK_LT(std::abs(product[i] - Wide(values[l * n * n + i])), tolerance<T>());
      }
    }
  }
}

TEST_CASE("getrf reports the position at which U is singular") {
  BlasHandle handle;
  // The second matrix has two equal rows, so U(2, 2) is 0 after one step of elimination.
  const Batch<double> a(2, 2, 2, {1, 2, 3, 4, 1, 1, 1, 1});
  for (const bool pivoting : {true, false}) {
    const DeviceArray<int> pivots(4), info(2, -1);
    const Batch<double> copy(2, 2, 2, a.after());
    CHECK_BLAS(simtblasDgetrfBatched(handle, 2, copy.pointers(), 2,
                                     pivoting ? pivots.data() : nullptr, info.data(), 2));
    REQUIRE_FINISHED();
    CHECK_EQ(info.values(), std::vector<int>{0, 2});
  }
}

TEST_CASE_TEMPLATE("getrs solves for every operation", T, BLAS_TYPES) {
  BlasHandle handle;
  const int n = 6, nrhs = 2, count = 3;
  const std::vector<T> values = strong_diagonal<T>(n, count);
  for (const bool pivoting : {true, false}) {
    const Batch<T> a(n, n, count, values);
    const DeviceArray<int> pivots(n * count), device_info(count);
    int* const used = pivoting ? pivots.data() : nullptr;
    CHECK_BLAS(Calls<T>::getrf(handle, n, a.pointers(), n, used, device_info.data(), count));
    for (const auto trans : kOperations) {
      const std::vector<T> right = Numbers(2).list<T>(n * nrhs * count);
      const Batch<T> b(n, nrhs, count, right);
      int info = -1;
      CHECK_BLAS(Calls<T>::getrs(handle, trans, n, nrhs, a.inputs(), n, used, b.pointers(), n,
                                 &info, count));
      CHECK_EQ(info, 0);
      REQUIRE_FINISHED();
      const std::vector<T> x = b.after();
      for (int l = 0; l < count; ++l) {
        for (int j = 0; j < nrhs; ++j) {
          for (int i = 0; i < n; ++i) {
            Wide sum = 0;
            for (int k = 0; k < n; ++k) {
              const T stored = values[l * n * n + (trans == SIMTBLAS_OP_N ? i + k * n : k + i * n)];
              const Wide factor = trans == SIMTBLAS_OP_C ? std::conj(Wide(stored)) : Wide(stored);
              sum += factor * Wide(x[(l * nrhs + j) * n + k]);
            }
            CHECK_LT(std::abs(sum - Wide(right[(l * nrhs + j) * n + i])), tolerance<T>());
          }
        }
      }
    }
  }
}

/// Q applied to a column, where Q is given by LAPACK's reflectors H(k) = I - tau v v^H. The
/// reflectors are applied from the last to the first; the columns of R thus give Q R.
template <class T>
std::vector<Wide> q_times_r(int m, int n, const T* factors, const T* tau, int column) {
  std::vector<Wide> x(m);
  for (int i = 0; i <= std::min(column, m - 1); ++i) {
    x[i] = Wide(factors[i + column * m]);
  }
  for (int k = std::min(m, n) - 1; k >= 0; --k) {
    const auto v = [&](int i) { return i == k ? Wide(1) : Wide(factors[i + k * m]); };
    Wide sum = 0;
    for (int i = k; i < m; ++i) {
      sum += std::conj(v(i)) * x[i];
    }
    for (int i = k; i < m; ++i) {
      x[i] -= Wide(tau[k]) * v(i) * sum;
    }
  }
  return x;
}

TEST_CASE_TEMPLATE("geqrf gives Q and R, for tall and wide matrices", T, BLAS_TYPES) {
  BlasHandle handle;
  const int count = 2;
  struct Size {
    int m, n;
  };
  for (const Size size : {Size{7, 4}, Size{4, 7}}) {
    const int m = size.m, n = size.n, steps = std::min(m, n);
    const std::vector<T> values = Numbers(1).list<T>(static_cast<std::size_t>(m * n * count));
    const Batch<T> a(m, n, count, values), tau(steps, 1, count, std::vector<T>(steps * count));
    int info = -1;
    CHECK_BLAS(Calls<T>::geqrf(handle, m, n, a.pointers(), m, tau.pointers(), &info, count));
    CHECK_EQ(info, 0);
    REQUIRE_FINISHED();
    const std::vector<T> factors = a.after(), taus = tau.after();
    for (int l = 0; l < count; ++l) {
      for (int j = 0; j < n; ++j) {
        const auto column = q_times_r(m, n, factors.data() + l * m * n, taus.data() + l * steps, j);
        for (int i = 0; i < m; ++i) {
          CHECK_LT(std::abs(column[i] - Wide(values[l * m * n + i + j * m])), tolerance<T>());
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("gels: the residual is orthogonal to the columns of A", T, BLAS_TYPES) {
  BlasHandle handle;
  const int m = 7, n = 3, nrhs = 2, count = 2;
  const std::vector<T> values = Numbers(1).list<T>(m * n * count);
  const std::vector<T> right = Numbers(2).list<T>(m * nrhs * count);
  const Batch<T> a(m, n, count, values), c(m, nrhs, count, right);
  const DeviceArray<int> device_info(count, -1);
  int info = -1;
  CHECK_BLAS(Calls<T>::gels(handle, SIMTBLAS_OP_N, m, n, nrhs, a.pointers(), m, c.pointers(), m,
                            &info, device_info.data(), count));
  CHECK_EQ(info, 0);
  REQUIRE_FINISHED();
  CHECK_EQ(device_info.values(), std::vector<int>(count, 0));
  const std::vector<T> x = c.after();
  for (int l = 0; l < count; ++l) {
    for (int j = 0; j < nrhs; ++j) {
      const int start = (l * nrhs + j) * m;
      std::vector<Wide> residual(m);
      for (int i = 0; i < m; ++i) {
        residual[i] = Wide(right[start + i]);
        for (int k = 0; k < n; ++k) {
          residual[i] -= Wide(values[l * m * n + i + k * m]) * Wide(x[start + k]);
        }
      }
      for (int k = 0; k < n; ++k) {
        Wide projection = 0;
        for (int i = 0; i < m; ++i) {
          projection += std::conj(Wide(values[l * m * n + i + k * m])) * residual[i];
        }
        CHECK_LT(std::abs(projection), 20 * tolerance<T>());
      }
    }
  }
}

TEST_CASE("gels reports where R is singular, and rejects wide matrices and transpositions") {
  BlasHandle handle;
  const Batch<double> a(3, 2, 1, {1, 1, 1, 0, 0, 0}), c(3, 1, 1, {1, 2, 3});
  const DeviceArray<int> device_info(1, -1);
  int info = -1;
  CHECK_BLAS(simtblasDgelsBatched(handle, SIMTBLAS_OP_N, 3, 2, 1, a.pointers(), 3, c.pointers(), 3,
                                  &info, device_info.data(), 1));
  REQUIRE_FINISHED();
  CHECK_EQ(device_info.values()[0], 2);
  CHECK_EQ(simtblasDgelsBatched(handle, SIMTBLAS_OP_N, 2, 3, 1, a.pointers(), 3, c.pointers(), 3,
                                &info, device_info.data(), 1),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtblasDgelsBatched(handle, SIMTBLAS_OP_T, 3, 2, 1, a.pointers(), 3, c.pointers(), 3,
                                &info, device_info.data(), 1),
           SIMTBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("an invalid argument's number is in info") {
  BlasHandle handle;
  int info = 0;
  CHECK_EQ(simtblasDgetrsBatched(handle, SIMTBLAS_OP_N, -1, 1, nullptr, 1, nullptr, nullptr, 1,
                                 &info, 1),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(info, -2);
  CHECK_EQ(simtblasDgeqrfBatched(handle, 3, 1, nullptr, 2, nullptr, &info, 1),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(info, -4);
}

}  // namespace
