// Sparse vectors, and conversions between dense and sparse matrices. cuSPARSE 12.4 documentation,
// "cuSPARSE Generic API": Axpby, Gather, Scatter, Rot, SpVV, DenseToSparse, SparseToDense.
#include "sparse_test.h"

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto kBase0 = SIMTSPARSE_INDEX_BASE_ZERO;

/// Sparse vector x = (0, 2, 0, 4) and dense vector y = (1, 2, 3, 4) of T.
template <class T>
struct Vectors {
  DeviceArray<int> indices{std::vector<int>{2, 4}};  // from 1
  DeviceArray<T> x_values{std::vector<T>{from_wide<T>(2), from_wide<T>(4)}};
  DeviceArray<T> y_values{
      std::vector<T>{from_wide<T>(1), from_wide<T>(2), from_wide<T>(3), from_wide<T>(4)}};
  simtsparseSpVecDescr_t x = nullptr;
  simtsparseDnVecDescr_t y = nullptr;

  Vectors() {
    REQUIRE_SPARSE(simtsparseCreateSpVec(&x, 4, 2, indices.data(), x_values.data(),
                                         SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ONE,
                                         kDataType<T>));
    REQUIRE_SPARSE(simtsparseCreateDnVec(&y, 4, y_values.data(), kDataType<T>));
  }
  ~Vectors() {
    simtsparseDestroySpVec(x);
    simtsparseDestroyDnVec(y);
  }
};

template <class T>
void check_values(const DeviceArray<T>& array, const std::vector<double>& expected) {
  const std::vector<T> values = array.values();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK_EQ(to_wide(values[i]), Wide(expected[i]));
  }
}

TEST_CASE_TEMPLATE("operations of a sparse and a dense vector", T, float, double,
                   std::complex<float>, __half, __nv_bfloat16) {
  using Scalar = std::conditional_t<sizeof(T) == 2, float, T>;
  const SparseHandle handle;
  const Scalar two(2);
  const Scalar three(3);
  {
    const Vectors<T> vectors;
    CHECK_SPARSE(simtsparseAxpby(handle, &two, vectors.x, &three, vectors.y));
    check_values(vectors.y_values, {3, 10, 9, 20});
  }
  {
    const Vectors<T> vectors;
    CHECK_SPARSE(simtsparseGather(handle, vectors.y, vectors.x));
    check_values(vectors.x_values, {2, 4});
    CHECK_SPARSE(simtsparseRot(handle, &two, &three, vectors.x, vectors.y));
    check_values(vectors.x_values, {10, 20});
    check_values(vectors.y_values, {1, -2, 3, -4});
    CHECK_SPARSE(simtsparseScatter(handle, vectors.x, vectors.y));
    check_values(vectors.y_values, {1, 10, 3, 20});
  }
  const Vectors<T> vectors;
  Scalar result{};
  size_t size = 0;
  const auto type = kDataType<Scalar>;
  CHECK_SPARSE(
      simtsparseSpVV_bufferSize(handle, kPlain, vectors.x, vectors.y, &result, type, &size));
  CHECK_SPARSE(simtsparseSpVV(handle, kPlain, vectors.x, vectors.y, &result, type, nullptr));
  CHECK_EQ(result, Scalar(20));
}

TEST_CASE("a dense matrix becomes a sparse one, and dense again") {
  const SparseHandle handle;
  // Row by row: 1 0 2 / 0 0 0 / 3 4 0.
  const DeviceArray<float> values(std::vector<float>{1, 0, 2, 0, 0, 0, 3, 4, 0});
  const DeviceArray<float> back(9);
  const DenseMatrix dense(3, 3, 3, values.data(), SIMT_R_32F, SIMTSPARSE_ORDER_ROW);
  const DenseMatrix result(3, 3, 3, back.data(), SIMT_R_32F, SIMTSPARSE_ORDER_ROW);
  const DeviceArray<int> offsets(4);
  const CsrMatrix csr(3, 3, 0, offsets.data(), nullptr, nullptr, SIMTSPARSE_INDEX_32I,
                      SIMTSPARSE_INDEX_32I, kBase0, SIMT_R_32F);
  const CooMatrix coo(3, 3, 0, nullptr, nullptr, nullptr, SIMTSPARSE_INDEX_64I, kBase0, SIMT_R_32F);
  const auto algorithm = SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  for (const simtsparseSpMatDescr_t sparse : {+csr, +coo}) {
    std::int64_t rows, columns, nnz;
    CHECK_SPARSE(simtsparseDenseToSparse_analysis(handle, dense, sparse, algorithm, nullptr));
    CHECK_SPARSE(simtsparseSpMatGetSize(sparse, &rows, &columns, &nnz));
    CHECK_EQ(nnz, 4);
  }
  const DeviceArray<int> columns(4);
  const DeviceArray<std::int64_t> coo_rows(4), coo_columns(4);
  const DeviceArray<float> entries(4);
  CHECK_SPARSE(simtsparseCsrSetPointers(csr, offsets.data(), columns.data(), entries.data()));
  CHECK_SPARSE(
      simtsparseCooSetPointers(coo, coo_rows.data(), coo_columns.data(), entries.data()));
  for (const simtsparseSpMatDescr_t sparse : {+csr, +coo}) {
    CHECK_SPARSE(simtsparseDenseToSparse_convert(handle, dense, sparse, algorithm, nullptr));
    CHECK_SPARSE(simtsparseSparseToDense(handle, sparse, result,
                                         SIMTSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    check_values(back, {1, 0, 2, 0, 0, 0, 3, 4, 0});
    CHECK_OK(simtMemset(back.data(), 1, 36));
  }
  check_values(offsets, {0, 2, 2, 4});
  check_values(columns, {0, 2, 0, 1});
  check_values(coo_rows, {0, 0, 2, 2});
  check_values(entries, {1, 2, 3, 4});

  const LegacyMatrix matrix;
  const DeviceArray<int> each(3);
  int total = 0;
  CHECK_SPARSE(simtsparseSnnz(handle, SIMTSPARSE_DIRECTION_COLUMN, 3, 3, matrix, values.data(), 3,
                              each.data(), &total));
  check_values(each, {2, 0, 2});
  CHECK_EQ(total, 4);
}

TEST_CASE("sparse vectors reject wrong arguments") {
  const SparseHandle handle;
  const Vectors<float> vectors;
  const float one = 1;
  simtsparseSpVecDescr_t other = nullptr;
  CHECK_EQ(simtsparseCreateSpVec(&other, 1, 2, vectors.indices.data(), vectors.x_values.data(),
                                 SIMTSPARSE_INDEX_32I, kBase0, SIMT_R_32F),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseAxpby(nullptr, &one, vectors.x, &one, vectors.y),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseAxpby(handle, nullptr, vectors.x, &one, vectors.y),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseGather(handle, vectors.y, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
