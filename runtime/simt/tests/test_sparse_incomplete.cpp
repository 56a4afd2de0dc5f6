// Incomplete factorisations: exact for matrices without fill-in, and the residual on the pattern of others.
#include "sparse_test.h"

#include <complex>

using namespace sparse_test;

namespace {

constexpr auto kPolicy = SIMTSPARSE_SOLVE_POLICY_NO_LEVEL;

/// Matrix in CSR form from the index base 1, with the elements that are not zero.
template <class T>
struct Stored {
  explicit Stored(const std::vector<std::vector<T>>& dense) : order(static_cast<int>(dense.size())) {
    rows.push_back(1);
    for (const auto& row : dense) {
      for (int j = 0; j < order; ++j) {
        if (row[j] == T()) continue;
        columns.push_back(j + 1);
        values.push_back(row[j]);
      }
      rows.push_back(static_cast<int>(columns.size()) + 1);
    }
  }
  int order;
  std::vector<int> rows, columns;
  std::vector<T> values;
};

struct Ilu : Described<csrilu02Info_t, simtsparseCreateCsrilu02Info, simtsparseDestroyCsrilu02Info> {};
struct Ic : Described<csric02Info_t, simtsparseCreateCsric02Info, simtsparseDestroyCsric02Info> {};

/// Device memory and descriptors of a matrix of doubles.
struct OnDevice {
  explicit OnDevice(const Stored<double>& a) : a(a), rows(a.rows), columns(a.columns), values(a.values) {
    CHECK_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  }
  int nnz() const { return static_cast<int>(a.values.size()); }
  simtsparseStatus_t ilu(bool analyse = true) {
    int size = 0;
    CHECK_SPARSE(simtsparseDcsrilu02_bufferSize(handle, a.order, nnz(), matrix, values.data(),
                                                rows.data(), columns.data(), lu, &size));
    CHECK_GT(size, 0);
    std::size_t bytes = 0;
    CHECK_SPARSE(simtsparseDcsrilu02_bufferSizeExt(handle, a.order, nnz(), matrix, values.data(),
                                                   rows.data(), columns.data(), lu, &bytes));
    CHECK_EQ(bytes, size);
    if (analyse) {
      CHECK_SPARSE(simtsparseDcsrilu02_analysis(handle, a.order, nnz(), matrix, values.data(),
                                                rows.data(), columns.data(), lu, kPolicy, nullptr));
    }
    return simtsparseDcsrilu02(handle, a.order, nnz(), matrix, values.data(), rows.data(),
                               columns.data(), lu, kPolicy, nullptr);
  }
  simtsparseStatus_t ic() {
    std::size_t bytes = 0;
    CHECK_SPARSE(simtsparseDcsric02_bufferSizeExt(handle, a.order, nnz(), matrix, values.data(),
                                                  rows.data(), columns.data(), cholesky, &bytes));
    CHECK_GT(bytes, 0);
    CHECK_EQ(simtsparseDcsric02_bufferSizeExt(handle, a.order, nnz(), matrix, values.data(),
                                              rows.data(), columns.data(), cholesky, nullptr),
             SIMTSPARSE_STATUS_INVALID_VALUE);
    CHECK_SPARSE(simtsparseDcsric02_analysis(handle, a.order, nnz(), matrix, values.data(),
                                             rows.data(), columns.data(), cholesky, kPolicy, nullptr));
    return simtsparseDcsric02(handle, a.order, nnz(), matrix, values.data(), rows.data(),
                              columns.data(), cholesky, kPolicy, nullptr);
  }
  Stored<double> a;
  SparseHandle handle;
  LegacyMatrix matrix;
  Ilu lu;
  Ic cholesky;
  DeviceArray<int> rows, columns;
  DeviceArray<double> values;
};

}  // namespace

TEST_CASE("incomplete LU of a matrix without fill-in is its LU factorisation") {
  // L = [1; 2 1; 0 3 1], U = [2 1 0; 4 1; 5]
  OnDevice on(Stored<double>({{2, 1, 0}, {4, 6, 1}, {0, 12, 8}}));
  CHECK_SPARSE(on.ilu());
  CHECK_EQ(on.values.values(), std::vector<double>{2, 1, 2, 4, 1, 3, 5});
  int position = 9;
  CHECK_SPARSE(simtsparseXcsrilu02_zeroPivot(on.handle, on.lu, &position));
  CHECK_EQ(position, -1);
}

TEST_CASE("incomplete LU drops fill-in") {
  // The exact elimination of row 3 fills (3, 2), which the matrix lacks.
  OnDevice on(Stored<double>({{2, 4, 1}, {1, 5, 0}, {6, 0, 9}}));
  CHECK_SPARSE(on.ilu());
  CHECK_EQ(on.values.values(), std::vector<double>{2, 4, 1, 0.5, 3, 3, 6});
}

TEST_CASE("zero pivots, of the analysis and of the factorisation, and their replacement") {
  int position = 9;
  {
    OnDevice on(Stored<double>({{1, 2}, {3, 0}}));
    CHECK_SPARSE(on.ilu());
    CHECK_EQ(simtsparseXcsrilu02_zeroPivot(on.handle, on.lu, &position),
             SIMTSPARSE_STATUS_ZERO_PIVOT);
    CHECK_EQ(position, 2);
  }
  const Stored<double> singular({{1, 2}, {2, 4}});
  {
    OnDevice on(singular);
    CHECK_SPARSE(on.ilu());
    CHECK_EQ(simtsparseXcsrilu02_zeroPivot(on.handle, on.lu, &position),
             SIMTSPARSE_STATUS_ZERO_PIVOT);
    CHECK_EQ(position, 2);
  }
  OnDevice on(singular);
  double tolerance = 1e-9, value = 0.25;
  CHECK_SPARSE(simtsparseDcsrilu02_numericBoost(on.handle, on.lu, 1, &tolerance, &value));
  CHECK_SPARSE(on.ilu());
  CHECK_SPARSE(simtsparseXcsrilu02_zeroPivot(on.handle, on.lu, &position));
  CHECK_EQ(on.values.values(), std::vector<double>{1, 2, 2, 0.25});
}

TEST_CASE("incomplete Cholesky writes the lower triangle") {
  // L = [2; 1 3; 0 2 1]
  OnDevice on(Stored<double>({{4, 2, 0}, {2, 10, 6}, {0, 6, 5}}));
  CHECK_SPARSE(on.ic());
  CHECK_EQ(on.values.values(), std::vector<double>{2, 2, 1, 3, 6, 2, 1});
  int position = 9;
  CHECK_SPARSE(simtsparseXcsric02_zeroPivot(on.handle, on.cholesky, &position));
  CHECK_EQ(position, -1);
  OnDevice negative(Stored<double>({{1, 2}, {2, 1}}));
  CHECK_SPARSE(negative.ic());
  CHECK_EQ(simtsparseXcsric02_zeroPivot(negative.handle, negative.cholesky, &position),
           SIMTSPARSE_STATUS_ZERO_PIVOT);
  CHECK_EQ(position, 2);
}

TEST_CASE("incomplete factorisations of complex matrices") {
  using T = std::complex<float>;
  const Stored<T> a({{T(4), T(0, 2)}, {T(0, -2), T(10)}});
  const SparseHandle handle;
  LegacyMatrix matrix;
  CHECK_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  const DeviceArray<int> rows(a.rows), columns(a.columns);
  {
    const Ic info;
    const DeviceArray<T> values(a.values);
    CHECK_SPARSE(simtsparseCcsric02_analysis(handle, 2, 4, matrix, api(values.data()), rows.data(),
                                             columns.data(), info, kPolicy, nullptr));
    CHECK_SPARSE(simtsparseCcsric02(handle, 2, 4, matrix, api(values.data()), rows.data(),
                                    columns.data(), info, kPolicy, nullptr));
    CHECK_EQ(values.values(), std::vector<T>{T(2), T(0, 2), T(0, -1), T(3)});
  }
  const Ilu info;
  const DeviceArray<T> values(a.values);
  CHECK_SPARSE(simtsparseCcsrilu02_analysis(handle, 2, 4, matrix, api(values.data()), rows.data(),
                                            columns.data(), info, kPolicy, nullptr));
  CHECK_SPARSE(simtsparseCcsrilu02(handle, 2, 4, matrix, api(values.data()), rows.data(),
                                   columns.data(), info, kPolicy, nullptr));
  CHECK_EQ(values.values(), std::vector<T>{T(4), T(0, 2), T(0, -0.5f), T(9)});
}

TEST_CASE("an incomplete factorisation needs its analysis and its arguments") {
  OnDevice on(Stored<double>({{1, 2}, {3, 4}}));
  CHECK_EQ(on.ilu(false), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseDcsrilu02(nullptr, 2, 4, on.matrix, on.values.data(), on.rows.data(),
                               on.columns.data(), on.lu, kPolicy, nullptr),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseDcsrilu02(on.handle, 2, 4, on.matrix, on.values.data(), on.rows.data(),
                               on.columns.data(), nullptr, kPolicy, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}
