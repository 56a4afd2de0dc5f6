// Handles and descriptors of simtsparse, sums, BSR products and conversions. cuSPARSE 12.4
// documentation, "cuSPARSE Management", "cusparse<t>csrgeam2", "cusparse<t>bsrmv", "<t>bsrmm",
// "cuSPARSE Format Conversion".
#include "sparse_test.h"

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;

TEST_CASE("a handle of simtsparse stores its settings") {
  const SparseHandle handle;
  simtStream_t stream;
  simtsparsePointerMode_t mode;
  int version = 0;
  CHECK_SPARSE(simtsparseGetStream(handle, &stream));
  CHECK_SPARSE(simtsparseGetPointerMode(handle, &mode));
  CHECK_SPARSE(simtsparseGetVersion(handle, &version));
  CHECK_EQ(stream, nullptr);
  CHECK_EQ(mode, SIMTSPARSE_POINTER_MODE_HOST);
  CHECK_EQ(version, 12301);

  const TestStream own;
  CHECK_SPARSE(simtsparseSetStream(handle, own));
  CHECK_SPARSE(simtsparseSetPointerMode(handle, SIMTSPARSE_POINTER_MODE_DEVICE));
  CHECK_SPARSE(simtsparseGetStream(handle, &stream));
  CHECK_SPARSE(simtsparseGetPointerMode(handle, &mode));
  CHECK_EQ(stream, static_cast<simtStream_t>(own));
  CHECK_EQ(mode, SIMTSPARSE_POINTER_MODE_DEVICE);

  CHECK_EQ(simtsparseSetPointerMode(handle, static_cast<simtsparsePointerMode_t>(2)),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseCreate(nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseDestroy(nullptr), SIMTSPARSE_STATUS_SUCCESS);
  CHECK_EQ(simtsparseSetStream(nullptr, own), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(std::string(simtsparseGetErrorName(SIMTSPARSE_STATUS_ZERO_PIVOT)),
           "SIMTSPARSE_STATUS_ZERO_PIVOT");
  CHECK_NE(std::string(simtsparseGetErrorString(SIMTSPARSE_STATUS_ZERO_PIVOT)),
           std::string(simtsparseGetErrorString(SIMTSPARSE_STATUS_SUCCESS)));
}

TEST_CASE("descriptors reject invalid matrices") {
  const DeviceArray<float> memory(16);
  void* const p = memory.data();
  simtsparseSpMatDescr_t sparse = nullptr;
  const auto csr = [&](std::int64_t rows, std::int64_t nnz, void* columns,
                       simtsparseIndexType_t index, simtDataType type) {
    return simtsparseCreateCsr(&sparse, rows, 4, nnz, p, columns, p, index, index,
                               SIMTSPARSE_INDEX_BASE_ZERO, type);
  };
  CHECK_EQ(csr(-1, 4, p, SIMTSPARSE_INDEX_32I, SIMT_R_32F), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(csr(4, -1, p, SIMTSPARSE_INDEX_32I, SIMT_R_32F), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(csr(4, 4, nullptr, SIMTSPARSE_INDEX_32I, SIMT_R_32F), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(csr(4, 4, p, SIMTSPARSE_INDEX_16U, SIMT_R_32F), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(csr(4, 4, p, SIMTSPARSE_INDEX_32I, SIMT_R_8I), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  REQUIRE_SPARSE(csr(4, 0, nullptr, SIMTSPARSE_INDEX_32I, SIMT_R_32F));  // no entries
  std::int64_t rows = 0, columns = 0, nnz = -1;
  CHECK_SPARSE(simtsparseSpMatGetSize(sparse, &rows, &columns, &nnz));
  CHECK_EQ(rows, 4);
  CHECK_EQ(columns, 4);
  CHECK_EQ(nnz, 0);
  const int fill = 7;
  CHECK_EQ(simtsparseSpMatSetAttribute(sparse, SIMTSPARSE_SPMAT_FILL_MODE, const_cast<int*>(&fill),
                                       sizeof fill),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_SPARSE(simtsparseDestroySpMat(sparse));
  CHECK_EQ(simtsparseDestroySpMat(nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);

  simtsparseDnMatDescr_t dense = nullptr;
  CHECK_EQ(simtsparseCreateDnMat(&dense, 4, 2, 3, p, SIMT_R_32F, SIMTSPARSE_ORDER_COL),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseCreateDnMat(&dense, 2, 4, 3, p, SIMT_R_32F, SIMTSPARSE_ORDER_ROW),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseCreateDnMat(&dense, 2, 2, 2, nullptr, SIMT_R_32F, SIMTSPARSE_ORDER_ROW),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_SPARSE(simtsparseCreateDnMat(&dense, 4, 2, 4, p, SIMT_R_32F, SIMTSPARSE_ORDER_COL));
  CHECK_EQ(simtsparseDnMatSetStridedBatch(dense, 0, 8), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_SPARSE(simtsparseDestroyDnMat(dense));
}

/// Functions for numbers of T.
template <class T>
struct SumCalls;
#define SUM_CALLS(T, S)                                                 \
  template <>                                                           \
  struct SumCalls<T> {                                                  \
    static constexpr auto size = simtsparse##S##csrgeam2_bufferSizeExt; \
    static constexpr auto sum = simtsparse##S##csrgeam2;                \
    static constexpr auto bsrmv = simtsparse##S##bsrmv;                 \
    static constexpr auto bsrmm = simtsparse##S##bsrmm;                 \
  };
SUM_CALLS(float, S)
SUM_CALLS(double, D)
SUM_CALLS(std::complex<float>, C)
SUM_CALLS(std::complex<double>, Z)
#undef SUM_CALLS

TEST_CASE_TEMPLATE("the sum of two CSR matrices", T, BLAS_TYPES) {
  const SparseHandle handle;
  const Dense a = random_sparse<T>(7, 9, 1);
  const Dense b = random_sparse<T>(7, 9, 2);
  const SparseArrays<T> from_zero(a);
  const SparseArrays<T> from_one(b, 1);
  const LegacyMatrix zero_based, one_based;
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(one_based, SIMTSPARSE_INDEX_BASE_ONE));
  const T alpha = number<T>(2, 1);
  const T beta = number<T>(-0.5, 1);
  const DeviceArray<int> offsets(8);
  std::size_t size = 0;
  CHECK_SPARSE(SumCalls<T>::size(
      handle, 7, 9, api(&alpha), zero_based, from_zero.nnz, api(from_zero.values->data()),
      from_zero.row_offsets->data(), from_zero.column_indices->data(), api(&beta), one_based,
      from_one.nnz, api(from_one.values->data()), from_one.row_offsets->data(),
      from_one.column_indices->data(), one_based, nullptr, nullptr, nullptr, &size));
  CHECK_GT(size, 0);
  int nnz = 0;
  CHECK_SPARSE(simtsparseXcsrgeam2Nnz(
      handle, 7, 9, zero_based, from_zero.nnz, from_zero.row_offsets->data(),
      from_zero.column_indices->data(), one_based, from_one.nnz, from_one.row_offsets->data(),
      from_one.column_indices->data(), one_based, offsets.data(), &nnz, nullptr));
  int expected_nnz = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    expected_nnz += a.values[i] != Wide(0) || b.values[i] != Wide(0);
  }
  REQUIRE_EQ(nnz, expected_nnz);
  const DeviceArray<int> columns(static_cast<std::size_t>(nnz));
  const DeviceArray<T> values(static_cast<std::size_t>(nnz));
  CHECK_SPARSE(SumCalls<T>::sum(
      handle, 7, 9, api(&alpha), zero_based, from_zero.nnz, api(from_zero.values->data()),
      from_zero.row_offsets->data(), from_zero.column_indices->data(), api(&beta), one_based,
      from_one.nnz, api(from_one.values->data()), from_one.row_offsets->data(),
      from_one.column_indices->data(), one_based, api(values.data()), offsets.data(),
      columns.data(), nullptr));
  Dense sum{7, 9, std::vector<Wide>(63)};
  const std::vector<int> begin = offsets.values();
  const std::vector<int> column_of = columns.values();
  const std::vector<T> numbers = values.values();
  CHECK_EQ(begin[0], 1);
  for (int i = 0; i < 7; ++i) {
    for (int e = begin[i] - 1; e < begin[i + 1] - 1; ++e) {
      CHECK((e == begin[i] - 1 || column_of[e - 1] < column_of[e]));
      sum.at(i, column_of[e] - 1) = to_wide(numbers[e]);
    }
  }
  CHECK_EQ(distance(sum, combine(Wide(alpha), a, Wide(beta), b)), 0);

  REQUIRE_SPARSE(simtsparseSetMatType(one_based, SIMTSPARSE_MATRIX_TYPE_SYMMETRIC));
  CHECK_EQ(
      simtsparseXcsrgeam2Nnz(handle, 7, 9, zero_based, from_zero.nnz, from_zero.row_offsets->data(),
                             from_zero.column_indices->data(), one_based, from_one.nnz,
                             from_one.row_offsets->data(), from_one.column_indices->data(),
                             one_based, offsets.data(), &nnz, nullptr),
      SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

TEST_CASE_TEMPLATE("products of a BSR matrix", T, BLAS_TYPES) {
  const SparseHandle handle;
  // 2 x 3 blocks of 3 x 3 numbers; only the blocks (0, 2), (1, 0) and (1, 1) exist.
  Dense a = random_dense<T>(6, 9, 3);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 9; ++j) {
      if (i < 3 ? j < 6 : j >= 6) a.at(i, j) = 0;
    }
  }
  const DeviceArray<int> offsets(std::vector<int>{1, 2, 4});
  const DeviceArray<int> columns(std::vector<int>{3, 1, 2});
  const LegacyMatrix matrix;
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  const T alpha = number<T>(2, 1);
  const T beta = number<T>(0.5, -1);
  for (const auto direction : {SIMTSPARSE_DIRECTION_ROW, SIMTSPARSE_DIRECTION_COLUMN}) {
    const bool by_row = direction == SIMTSPARSE_DIRECTION_ROW;
    std::vector<T> numbers;
    const int places[][2] = {{0, 2}, {1, 0}, {1, 1}};
    for (const auto& place : places) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          numbers.push_back(
              from_wide<T>(a.at(3 * place[0] + (by_row ? i : j), 3 * place[1] + (by_row ? j : i))));
        }
      }
    }
    const DeviceArray<T> values(numbers);
    const Dense x = random_dense<T>(9, 1, 4);
    const Dense y = random_dense<T>(6, 1, 5);
    const DenseArrays<T> in(x, SIMTSPARSE_ORDER_COL);
    const DenseArrays<T> out(y, SIMTSPARSE_ORDER_COL);
    CHECK_SPARSE(SumCalls<T>::bsrmv(handle, direction, kPlain, 2, 3, 3, api(&alpha), matrix,
                                    api(values.data()), offsets.data(), columns.data(), 3,
                                    api(in.data()), api(&beta), api(out.data())));
    REQUIRE_FINISHED();
    CHECK_EQ(distance(out.values(), combine(Wide(alpha), a * x, Wide(beta), y)), 0);

    for (const auto op_b : {kPlain, SIMTSPARSE_OPERATION_TRANSPOSE}) {
      const Dense b = op_b == kPlain ? random_dense<T>(9, 4, 6) : random_dense<T>(4, 9, 6);
      const Dense c = random_dense<T>(6, 4, 7);
      const DenseArrays<T> right(b, SIMTSPARSE_ORDER_COL);
      const DenseArrays<T> result(c, SIMTSPARSE_ORDER_COL);
      CHECK_SPARSE(SumCalls<T>::bsrmm(handle, direction, kPlain, op_b, 2, 4, 3, 3, api(&alpha),
                                      matrix, api(values.data()), offsets.data(), columns.data(), 3,
                                      api(right.data()), right.ld(), api(&beta), api(result.data()),
                                      result.ld()));
      REQUIRE_FINISHED();
      CHECK_EQ(distance(result.values(), combine(Wide(alpha), a * apply(op_b, b), Wide(beta), c)),
               0);
    }
    CHECK_EQ(SumCalls<T>::bsrmv(handle, direction, SIMTSPARSE_OPERATION_TRANSPOSE, 2, 3, 3,
                                api(&alpha), matrix, api(values.data()), offsets.data(),
                                columns.data(), 3, api(in.data()), api(&beta), api(out.data())),
             SIMTSPARSE_STATUS_NOT_SUPPORTED);
  }
}

TEST_CASE("row indices become offsets") {
  const SparseHandle handle;
  const DeviceArray<int> rows(std::vector<int>{1, 1, 3, 3, 3});
  const DeviceArray<int> offsets(6);
  CHECK_SPARSE(
      simtsparseXcoo2csr(handle, rows.data(), 5, 5, offsets.data(), SIMTSPARSE_INDEX_BASE_ZERO));
  CHECK_EQ(offsets.values(), std::vector<int>{0, 0, 2, 2, 5, 5});
  CHECK_SPARSE(
      simtsparseXcoo2csr(handle, rows.data(), 5, 3, offsets.data(), SIMTSPARSE_INDEX_BASE_ONE));
  CHECK_EQ(offsets.values(), std::vector<int>{1, 3, 3, 6, 5, 5});
  CHECK_EQ(simtsparseXcoo2csr(handle, nullptr, 5, 5, offsets.data(), SIMTSPARSE_INDEX_BASE_ZERO),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("entries are sorted, and a permutation goes with them") {
  const SparseHandle handle;
  const DeviceArray<int> permutation(6);
  std::size_t size = 0;
  CHECK_SPARSE(simtsparseCreateIdentityPermutation(handle, 6, permutation.data()));
  CHECK_EQ(permutation.values(), std::vector<int>{0, 1, 2, 3, 4, 5});

  const DeviceArray<int> rows(std::vector<int>{2, 0, 2, 1, 0, 2});
  const DeviceArray<int> columns(std::vector<int>{1, 3, 0, 2, 0, 1});
  CHECK_SPARSE(
      simtsparseXcoosort_bufferSizeExt(handle, 3, 4, 6, rows.data(), columns.data(), &size));
  CHECK_GT(size, 0);
  CHECK_SPARSE(simtsparseXcoosortByRow(handle, 3, 4, 6, rows.data(), columns.data(),
                                       permutation.data(), nullptr));
  CHECK_EQ(rows.values(), std::vector<int>{0, 0, 1, 2, 2, 2});
  CHECK_EQ(columns.values(), std::vector<int>{0, 3, 2, 0, 1, 1});
  CHECK_EQ(permutation.values(), std::vector<int>{4, 1, 3, 2, 0, 5});

  // Three rows, with the columns (3, 1), none, and (2, 0, 1).
  const LegacyMatrix matrix;
  const DeviceArray<int> offsets(std::vector<int>{0, 2, 2, 5});
  const DeviceArray<int> indices(std::vector<int>{3, 1, 2, 0, 1});
  CHECK_SPARSE(simtsparseCreateIdentityPermutation(handle, 5, permutation.data()));
  CHECK_SPARSE(
      simtsparseXcsrsort_bufferSizeExt(handle, 3, 4, 5, offsets.data(), indices.data(), &size));
  CHECK_SPARSE(simtsparseXcsrsort(handle, 3, 4, 5, matrix, offsets.data(), indices.data(),
                                  permutation.data(), nullptr));
  CHECK_EQ(indices.values(), std::vector<int>{1, 3, 0, 1, 2});
  CHECK_EQ(permutation.values(), std::vector<int>{1, 0, 3, 4, 2, 5});
}

TEST_CASE("entries are sorted by column") {
  const SparseHandle handle;
  const LegacyMatrix matrix;
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  const DeviceArray<int> rows(std::vector<int>{2, 0, 2, 1, 0, 2});
  const DeviceArray<int> columns(std::vector<int>{1, 3, 0, 2, 0, 1});
  const DeviceArray<int> permutation(std::vector<int>{0, 1, 2, 3, 4, 5});
  CHECK_SPARSE(simtsparseXcoosortByColumn(handle, 3, 4, 6, rows.data(), columns.data(),
                                          permutation.data(), nullptr));
  CHECK_EQ(columns.values(), std::vector<int>{0, 0, 1, 1, 2, 3});
  CHECK_EQ(rows.values(), std::vector<int>{0, 2, 2, 2, 1, 0});
  CHECK_EQ(permutation.values(), std::vector<int>{4, 2, 0, 5, 3, 1});
  CHECK_EQ(simtsparseXcoosortByColumn(handle, 3, 4, 6, nullptr, columns.data(), nullptr, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);

  // Three rows and two columns, with the rows (3, 1) and (2, 1, 3), from 1.
  const DeviceArray<int> offsets(std::vector<int>{1, 3, 6});
  const DeviceArray<int> indices(std::vector<int>{3, 1, 2, 1, 3});
  const DeviceArray<int> places(std::vector<int>{0, 1, 2, 3, 4});
  std::size_t size = 0;
  CHECK_SPARSE(
      simtsparseXcscsort_bufferSizeExt(handle, 3, 2, 5, offsets.data(), indices.data(), &size));
  CHECK_GT(size, 0);
  CHECK_SPARSE(simtsparseXcscsort(handle, 3, 2, 5, matrix, offsets.data(), indices.data(),
                                  places.data(), nullptr));
  CHECK_EQ(indices.values(), std::vector<int>{1, 3, 1, 2, 3});
  CHECK_EQ(places.values(), std::vector<int>{1, 0, 3, 2, 4});
  CHECK_EQ(simtsparseXcscsort(nullptr, 3, 2, 5, matrix, offsets.data(), indices.data(), nullptr,
                              nullptr),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseXcscsort(handle, 3, 2, 5, nullptr, offsets.data(), indices.data(), nullptr,
                              nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseXcscsort_bufferSizeExt(handle, 3, -2, 5, offsets.data(), indices.data(), &size),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("parts of the version") {
  int version = 0, major = 0, minor = 0, patch = 0;
  const SparseHandle handle;
  CHECK_SPARSE(simtsparseGetVersion(handle, &version));
  CHECK_SPARSE(simtsparseGetProperty(MAJOR_VERSION, &major));
  CHECK_SPARSE(simtsparseGetProperty(MINOR_VERSION, &minor));
  CHECK_SPARSE(simtsparseGetProperty(PATCH_LEVEL, &patch));
  CHECK_EQ(major * 1000 + minor * 100 + patch, version);
  CHECK_EQ(simtsparseGetProperty(MAJOR_VERSION, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseGetProperty(static_cast<libraryPropertyType>(9), &major),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("a matrix in CSR format is converted to CSC") {
  // 0 5 7
  // 6 0 0
  // 0 8 0   with indices that begin at 1; the entries of row 0 are not sorted
  const SparseHandle handle;
  const DeviceArray<int> offsets(std::vector<int>{1, 3, 4, 5});
  const DeviceArray<int> indices(std::vector<int>{3, 2, 1, 2});
  const DeviceArray<double> values(std::vector<double>{7, 5, 6, 8});
  const DeviceArray<int> columns(4), rows(4);
  const DeviceArray<double> moved(std::vector<double>(4, -1));
  std::size_t size = 0;
  const auto convert = [&](simtsparseAction_t action, simtDataType type, int nnz, int* to) {
    return simtsparseCsr2cscEx2(handle, 3, 3, nnz, values.data(), offsets.data(), indices.data(),
                                moved.data(), to, rows.data(), type, action,
                                SIMTSPARSE_INDEX_BASE_ONE, SIMTSPARSE_CSR2CSC_ALG1, nullptr);
  };
  CHECK_SPARSE(simtsparseCsr2cscEx2_bufferSize(
      handle, 3, 3, 4, values.data(), offsets.data(), indices.data(), moved.data(), columns.data(),
      rows.data(), SIMT_R_64F, SIMTSPARSE_ACTION_NUMERIC, SIMTSPARSE_INDEX_BASE_ONE,
      SIMTSPARSE_CSR2CSC_ALG_DEFAULT, &size));
  CHECK_GT(size, 0);
  CHECK_SPARSE(convert(SIMTSPARSE_ACTION_SYMBOLIC, SIMT_R_64F, 4, columns.data()));
  CHECK_EQ(columns.values(), std::vector<int>{1, 2, 4, 5});
  CHECK_EQ(rows.values(), std::vector<int>{2, 1, 3, 1});
  CHECK_EQ(moved.values(), std::vector<double>(4, -1));
  CHECK_SPARSE(convert(SIMTSPARSE_ACTION_NUMERIC, SIMT_R_64F, 4, columns.data()));
  CHECK_EQ(moved.values(), std::vector<double>{6, 5, 8, 7});

  CHECK_EQ(convert(SIMTSPARSE_ACTION_NUMERIC, SIMT_R_64F, -1, columns.data()),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(convert(SIMTSPARSE_ACTION_NUMERIC, SIMT_R_64F, 4, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(convert(SIMTSPARSE_ACTION_NUMERIC, SIMT_R_32I, 4, columns.data()),
           SIMTSPARSE_STATUS_NOT_SUPPORTED);
}

}  // namespace
