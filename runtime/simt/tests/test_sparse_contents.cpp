// CSC matrices, contents of descriptors, and descriptors of constant arrays. cuSPARSE 12.4 documentation, "cuSPARSE
// Generic API Reference".
#include "sparse_test.h"

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;
using CscMatrix =
    Described<simtsparseSpMatDescr_t, simtsparseCreateCsc, simtsparseDestroySpMat>;

/// CSC form of a matrix: the CSR arrays of the transposed matrix.
template <class T>
struct CscOf {
  explicit CscOf(const Dense& x, int base = 0)
      : arrays(apply(SIMTSPARSE_OPERATION_TRANSPOSE, x), base),
        matrix(x.rows, x.columns, arrays.nnz, static_cast<void*>(arrays.row_offsets->data()),
               static_cast<void*>(arrays.column_indices->data()),
               static_cast<void*>(arrays.values->data()), SIMTSPARSE_INDEX_32I,
               SIMTSPARSE_INDEX_32I,
               base == 0 ? SIMTSPARSE_INDEX_BASE_ZERO : SIMTSPARSE_INDEX_BASE_ONE, kDataType<T>) {}

  SparseArrays<T> arrays;
  CscMatrix matrix;
};

TEST_CASE_TEMPLATE("products with CSC matrices", T, BLAS_TYPES) {
  const SparseHandle handle;
  const Dense a = random_sparse<T>(6, 5, 1);
  const T alpha = number<T>(0.5, 1), beta = number<T>(2, -1);
  for (const int base : {0, 1}) {
    const CscOf<T> csc(a, base);
    for (const simtsparseOperation_t op : kSparseOperations) {
      const Dense b = random_dense<T>(op == kPlain ? 5 : 6, 4, 2);
      const Dense c = random_dense<T>(op == kPlain ? 6 : 5, 4, 3);
      const DenseArrays<T> right(b, SIMTSPARSE_ORDER_ROW), result(c, SIMTSPARSE_ORDER_COL);
      CHECK_SPARSE(simtsparseSpMM(handle, op, kPlain, &alpha, csc.matrix, right, &beta, result,
                                  kDataType<T>, SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr));
      REQUIRE_FINISHED();
      CHECK_EQ(distance(result.values(), combine(Wide(alpha), apply(op, a) * b, Wide(beta), c)), 0);
    }
  }
}

TEST_CASE("a CSC matrix from a dense one, and back") {
  const SparseHandle handle;
  const Dense x = random_sparse<float>(5, 7, 4);
  const CscOf<float> expected(x, 1);
  const int nnz = expected.arrays.nnz;
  for (const simtsparseOrder_t order : {SIMTSPARSE_ORDER_ROW, SIMTSPARSE_ORDER_COL}) {
    const DenseArrays<float> dense(x, order);
    const DeviceArray<int> offsets(8), rows(nnz);
    const DeviceArray<float> values(nnz);
    const CscMatrix csc(5, 7, 0, static_cast<void*>(offsets.data()), nullptr, nullptr,
                        SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ONE,
                        SIMT_R_32F);
    CHECK_SPARSE(simtsparseDenseToSparse_analysis(handle, dense, csc,
                                                  SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    std::int64_t all_rows = 0, all_columns = 0, count = 0;
    CHECK_SPARSE(simtsparseSpMatGetSize(csc, &all_rows, &all_columns, &count));
    CHECK_EQ(count, nnz);
    CHECK_EQ(all_columns, 7);
    CHECK_SPARSE(simtsparseCscSetPointers(csc, offsets.data(), rows.data(), values.data()));
    CHECK_SPARSE(simtsparseDenseToSparse_convert(handle, dense, csc,
                                                 SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    CHECK_EQ(offsets.values(), expected.arrays.row_offsets->values());
    CHECK_EQ(rows.values(), expected.arrays.column_indices->values());
    CHECK_EQ(values.values(), expected.arrays.values->values());

    const DenseArrays<float> back(Dense{5, 7, std::vector<Wide>(35, Wide(-1))}, order);
    CHECK_SPARSE(simtsparseSparseToDense(handle, csc, back, SIMTSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                         nullptr));
    CHECK_EQ(distance(back.values(), x), 0);
  }
}

/// Contents that a function for matrices stores.
struct Contents {
  std::int64_t rows = 0, columns = 0, nnz = 0;
  void *first = nullptr, *second = nullptr, *values = nullptr;
  simtsparseIndexType_t first_type, second_type;
  simtsparseIndexBase_t base;
  simtDataType type;
};

TEST_CASE("contents of sparse matrices, and of constant ones") {
  const Dense x = random_sparse<double>(4, 6, 5);
  const SparseArrays<double> arrays(x, 1);
  const int* const offsets = arrays.row_offsets->data();
  const int* const rows = arrays.row_indices->data();
  const int* const columns = arrays.column_indices->data();
  const double* const values = arrays.values->data();
  const CsrOf<double, int> csr(arrays, 1);
  Contents c;
  const auto get_csr = [&](simtsparseSpMatDescr_t matrix) {
    return simtsparseCsrGet(matrix, &c.rows, &c.columns, &c.nnz, &c.first, &c.second, &c.values,
                            &c.first_type, &c.second_type, &c.base, &c.type);
  };
  CHECK_SPARSE(get_csr(csr));
  CHECK_EQ(std::vector<std::int64_t>{c.rows, c.columns, c.nnz},
           std::vector<std::int64_t>{4, 6, arrays.nnz});
  CHECK_EQ(c.first, offsets);
  CHECK_EQ(c.second, columns);
  CHECK_EQ(c.values, values);
  CHECK_EQ(c.first_type, SIMTSPARSE_INDEX_32I);
  CHECK_EQ(c.base, SIMTSPARSE_INDEX_BASE_ONE);
  CHECK_EQ(c.type, SIMT_R_64F);
  CHECK_EQ(get_csr(nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);

  const CscOf<double> csc(x);
  CHECK_EQ(get_csr(csc.matrix), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_SPARSE(simtsparseCscGet(csc.matrix, &c.rows, &c.columns, &c.nnz, &c.first, &c.second,
                                &c.values, &c.first_type, &c.second_type, &c.base, &c.type));
  CHECK_EQ(c.rows, 4);
  CHECK_EQ(c.first, csc.arrays.row_offsets->data());
  simtsparseFormat_t format;
  CHECK_SPARSE(simtsparseSpMatGetFormat(csc.matrix, &format));
  CHECK_EQ(format, SIMTSPARSE_FORMAT_CSC);

  simtsparseConstSpMatDescr_t coo = nullptr;
  CHECK_SPARSE(simtsparseCreateConstCoo(&coo, 4, 6, arrays.nnz, rows, columns, values,
                                        SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ONE,
                                        SIMT_R_64F));
  const void *first = nullptr, *second = nullptr, *numbers = nullptr;
  CHECK_SPARSE(simtsparseConstCooGet(coo, &c.rows, &c.columns, &c.nnz, &first, &second, &numbers,
                                     &c.first_type, &c.base, &c.type));
  CHECK_EQ(first, rows);
  CHECK_EQ(second, columns);
  CHECK_EQ(numbers, values);
  CHECK_SPARSE(simtsparseDestroySpMat(coo));
  simtsparseConstSpMatDescr_t constant = nullptr;
  CHECK_SPARSE(simtsparseCreateConstCsr(&constant, 4, 6, arrays.nnz, offsets, columns, values,
                                        SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I,
                                        SIMTSPARSE_INDEX_BASE_ONE, SIMT_R_64F));
  CHECK_SPARSE(simtsparseConstCsrGet(constant, &c.rows, &c.columns, &c.nnz, &first, &second,
                                     &numbers, &c.first_type, &c.second_type, &c.base, &c.type));
  CHECK_EQ(first, offsets);
  CHECK_SPARSE(simtsparseDestroySpMat(constant));
  CHECK_EQ(simtsparseCreateConstCsc(&constant, 4, 6, -1, offsets, columns, values,
                                    SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I,
                                    SIMTSPARSE_INDEX_BASE_ONE, SIMT_R_64F),
           SIMTSPARSE_STATUS_INVALID_VALUE);

  auto fill = SIMTSPARSE_FILL_MODE_UPPER;
  CHECK_SPARSE(simtsparseSpMatSetAttribute(csr, SIMTSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  fill = SIMTSPARSE_FILL_MODE_LOWER;
  CHECK_SPARSE(simtsparseSpMatGetAttribute(csr, SIMTSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  CHECK_EQ(fill, SIMTSPARSE_FILL_MODE_UPPER);
  CHECK_EQ(simtsparseSpMatGetAttribute(csr, SIMTSPARSE_SPMAT_FILL_MODE, &fill, 1),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("contents of dense matrices and vectors") {
  const DeviceArray<float> data(12), other(12);
  std::int64_t rows = 0, columns = 0, ld = 0, stride = 0;
  int count = 0;
  void* values = nullptr;
  const void* constant = nullptr;
  simtDataType type;
  simtsparseOrder_t order;
  const DenseMatrix matrix(2, 3, 4, static_cast<void*>(data.data()), SIMT_R_32F,
                           SIMTSPARSE_ORDER_ROW);
  CHECK_SPARSE(simtsparseDnMatSetStridedBatch(matrix, 2, 6));
  CHECK_SPARSE(simtsparseDnMatGet(matrix, &rows, &columns, &ld, &values, &type, &order));
  CHECK_EQ(std::vector<std::int64_t>{rows, columns, ld}, std::vector<std::int64_t>{2, 3, 4});
  CHECK_EQ(values, data.data());
  CHECK_EQ(order, SIMTSPARSE_ORDER_ROW);
  CHECK_SPARSE(simtsparseDnMatGetStridedBatch(matrix, &count, &stride));
  CHECK_EQ(count, 2);
  CHECK_EQ(stride, 6);
  CHECK_SPARSE(simtsparseDnMatSetValues(matrix, other.data()));
  CHECK_SPARSE(simtsparseDnMatGetValues(matrix, &values));
  CHECK_EQ(values, other.data());
  CHECK_SPARSE(simtsparseConstDnMatGetValues(matrix, &constant));
  CHECK_EQ(constant, other.data());
  CHECK_EQ(simtsparseDnMatSetValues(matrix, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseDnMatGet(matrix, nullptr, &columns, &ld, &values, &type, &order),
           SIMTSPARSE_STATUS_INVALID_VALUE);

  simtsparseConstDnVecDescr_t vector = nullptr;
  CHECK_SPARSE(simtsparseCreateConstDnVec(&vector, 12, data.data(), SIMT_R_32F));
  CHECK_SPARSE(simtsparseConstDnVecGet(vector, &rows, &constant, &type));
  CHECK_EQ(rows, 12);
  CHECK_EQ(constant, data.data());
  CHECK_SPARSE(simtsparseConstDnVecGetValues(vector, &constant));
  CHECK_SPARSE(simtsparseDestroyDnVec(vector));
  simtsparseConstDnMatDescr_t dense = nullptr;
  CHECK_SPARSE(simtsparseCreateConstDnMat(&dense, 3, 4, 3, data.data(), SIMT_R_32F,
                                          SIMTSPARSE_ORDER_COL));
  CHECK_SPARSE(simtsparseConstDnMatGet(dense, &rows, &columns, &ld, &constant, &type, &order));
  CHECK_EQ(ld, 3);
  CHECK_SPARSE(simtsparseDestroyDnMat(dense));
  const DenseVector plain(12, static_cast<void*>(data.data()), SIMT_R_32F);
  CHECK_SPARSE(simtsparseDnVecGet(plain, &rows, &values, &type));
  CHECK_SPARSE(simtsparseDnVecGetValues(plain, &values));
  CHECK_EQ(values, data.data());
  CHECK_EQ(simtsparseDnVecGet(nullptr, &rows, &values, &type), SIMTSPARSE_STATUS_INVALID_VALUE);

  const DeviceArray<int> indices(std::vector<int>{1, 3});
  simtsparseSpVecDescr_t sparse = nullptr;
  simtsparseIndexBase_t base;
  REQUIRE_SPARSE(simtsparseCreateSpVec(&sparse, 12, 2, indices.data(), data.data(),
                                       SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ONE, SIMT_R_32F));
  CHECK_SPARSE(simtsparseSpVecGetIndexBase(sparse, &base));
  CHECK_EQ(base, SIMTSPARSE_INDEX_BASE_ONE);
  CHECK_SPARSE(simtsparseDestroySpVec(sparse));
}

TEST_CASE("contents of a sparse vector of constant arrays") {
  const DeviceArray<std::int64_t> indices(std::vector<std::int64_t>{1, 3});
  const DeviceArray<double> data(2);
  const std::int64_t* const places = indices.data();
  const double* const numbers = data.data();
  simtsparseConstSpVecDescr_t vector = nullptr;
  CHECK_EQ(simtsparseCreateConstSpVec(&vector, 1, 2, places, numbers, SIMTSPARSE_INDEX_64I,
                                      SIMTSPARSE_INDEX_BASE_ONE, SIMT_R_64F),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  REQUIRE_SPARSE(simtsparseCreateConstSpVec(&vector, 12, 2, places, numbers, SIMTSPARSE_INDEX_64I,
                                            SIMTSPARSE_INDEX_BASE_ONE, SIMT_R_64F));
  std::int64_t size = 0, nnz = 0;
  const void *found_indices = nullptr, *found_values = nullptr;
  simtsparseIndexType_t index_type;
  simtsparseIndexBase_t base;
  simtDataType type;
  CHECK_SPARSE(simtsparseConstSpVecGet(vector, &size, &nnz, &found_indices, &found_values,
                                       &index_type, &base, &type));
  CHECK_EQ(size, 12);
  CHECK_EQ(nnz, 2);
  CHECK_EQ(found_indices, places);
  CHECK_EQ(found_values, numbers);
  CHECK_EQ(index_type, SIMTSPARSE_INDEX_64I);
  CHECK_EQ(base, SIMTSPARSE_INDEX_BASE_ONE);
  CHECK_EQ(type, SIMT_R_64F);
  found_values = nullptr;
  CHECK_SPARSE(simtsparseConstSpVecGetValues(vector, &found_values));
  CHECK_EQ(found_values, numbers);
  CHECK_EQ(simtsparseConstSpVecGetValues(nullptr, &found_values), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseConstSpVecGet(vector, &size, nullptr, &found_indices, &found_values,
                                   &index_type, &base, &type),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_SPARSE(simtsparseDestroySpVec(vector));
}

}  // namespace
