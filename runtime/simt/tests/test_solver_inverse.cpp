// Inverses of simtsolver: potri from Cholesky factors, trtri of triangular matrices.
#include "solver_test.h"

namespace {

constexpr simtblasFillMode_t kTriangles[] = {SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_FILL_MODE_UPPER};

template <class T>
struct Inverse;

#define INVERSE_TEST(T, S)                                             \
  template <>                                                          \
  struct Inverse<T> {                                                  \
    static constexpr auto potrf = simtsolverDn##S##potrf;              \
    static constexpr auto potri = simtsolverDn##S##potri;              \
    static constexpr auto size = simtsolverDn##S##potri_bufferSize;    \
  };
INVERSE_TEST(float, S)
INVERSE_TEST(double, D)
INVERSE_TEST(std::complex<float>, C)
INVERSE_TEST(std::complex<double>, Z)
#undef INVERSE_TEST

TEST_CASE_TEMPLATE("potri inverts a positive definite matrix", T, BLAS_TYPES) {
  const SolverHandle handle;
  const int n = 6;
  const Dense b = random<T>(n, n, 3);
  Dense a = b * b.adjoint();
  for (int i = 0; i < n; ++i) a(i, i) += 4;
  for (const auto uplo : kTriangles) {
    const DeviceArray<T> matrix(a.as<T>());
    const DeviceArray<int> info(1, -1);
    int size = 0;
    CHECK_SOLVER(Inverse<T>::size(handle, uplo, n, api(matrix.data()), n, &size));
    const DeviceArray<T> work(static_cast<std::size_t>(size));
    CHECK_SOLVER(Inverse<T>::potrf(handle, uplo, n, api(matrix.data()), n, api(work.data()), size, info.data()));
    CHECK_SOLVER(Inverse<T>::potri(handle, uplo, n, api(matrix.data()), n, api(work.data()), size, info.data()));
    CHECK_EQ(info.values(), std::vector<int>{0});
    Dense inverse(n, n, matrix.values());
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const bool stored = uplo == SIMTBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
        if (!stored) inverse(i, j) = std::conj(inverse(j, i));
      }
    }
    CHECK_LT(distance(a * inverse, Dense::identity(n)), 100 * tolerance<T>());
    CHECK_EQ(Inverse<T>::potri(handle, uplo, n, api(matrix.data()), n - 1, api(work.data()), size, info.data()),
             SIMTSOLVER_STATUS_INVALID_VALUE);
    CHECK_EQ(Inverse<T>::potri(handle, uplo, n, api(matrix.data()), n, api(work.data()), 0, info.data()),
             SIMTSOLVER_STATUS_INVALID_VALUE);
  }
}

TEST_CASE_TEMPLATE("Xtrtri inverts a triangular matrix", T, BLAS_TYPES) {
  const SolverHandle handle;
  const int n = 7;
  const simtDataType type = Solver<T>::kType;
  std::size_t on_device = 0, on_host = 1;
  CHECK_SOLVER(simtsolverDnXtrtri_bufferSize(handle, SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_DIAG_UNIT, n, type, nullptr, n,
                                             &on_device, &on_host));
  const DeviceArray<char> work(on_device);
  const DeviceArray<int> info(1, -1);
  const auto invert = [&](simtblasFillMode_t uplo, simtblasDiagType_t diag, const DeviceArray<T>& matrix, int lda) {
    return simtsolverDnXtrtri(handle, uplo, diag, n, type, matrix.data(), lda, work.data(), on_device, nullptr, 0,
                              info.data());
  };
  for (const auto uplo : kTriangles) {
    for (const auto diag : {SIMTBLAS_DIAG_NON_UNIT, SIMTBLAS_DIAG_UNIT}) {
      const auto triangle_of = [&](const Dense& full) {
        Dense result(n, n);
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i) {
            if (uplo == SIMTBLAS_FILL_MODE_UPPER ? i <= j : i >= j) result(i, j) = full(i, j);
            if (i == j && diag == SIMTBLAS_DIAG_UNIT) result(i, j) = 1;
          }
        }
        return result;
      };
      Dense full = random<T>(n, n, 5);
      for (Wide& value : full.values) value *= 0.125;
      for (int i = 0; i < n; ++i) full(i, i) = 2;
      const DeviceArray<T> matrix(full.as<T>());
      CHECK_SOLVER(invert(uplo, diag, matrix, n));
      CHECK_EQ(info.values(), std::vector<int>{0});
      const Dense inverse = triangle_of(Dense(n, n, matrix.values()));
      CHECK_LT(distance(triangle_of(full) * inverse, Dense::identity(n)), 10 * tolerance<T>());
      CHECK_EQ(invert(uplo, diag, matrix, n - 1), SIMTSOLVER_STATUS_INVALID_VALUE);
    }
    Dense singular = Dense::identity(n);
    singular(3, 3) = 0;
    CHECK_SOLVER(invert(uplo, SIMTBLAS_DIAG_NON_UNIT, DeviceArray<T>(singular.as<T>()), n));
    CHECK_EQ(info.values(), std::vector<int>{4});
  }
  CHECK_EQ(simtsolverDnXtrtri(handle, SIMTBLAS_FILL_MODE_LOWER, SIMTBLAS_DIAG_UNIT, n, SIMT_R_16F, work.data(), n,
                              work.data(), on_device, nullptr, 0, info.data()),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

}  // namespace
