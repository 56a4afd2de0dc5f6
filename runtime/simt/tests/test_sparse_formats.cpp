// Matrices of blocks and slices: products compared with products of dense matrices, and conversions. cuSPARSE 12.4
// documentation, "cuSPARSE Storage Formats", and of cuSPARSE 12.6 and 13 for products with BSR.
#include "sparse_test.h"

#include <algorithm>

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;
using SpMat = simtsparseSpMatDescr_t;

using BsrMatrix = Described<SpMat, simtsparseCreateBsr, simtsparseDestroySpMat>;
using BlockedEllMatrix = Described<SpMat, simtsparseCreateBlockedEll, simtsparseDestroySpMat>;
using SlicedEllMatrix = Described<SpMat, simtsparseCreateSlicedEll, simtsparseDestroySpMat>;

/// True if a block of `x` has a number that is not 0.
bool has_block(const Dense& x, int block_rows, int block_columns, int row, int column) {
  for (int i = 0; i < block_rows; ++i) {
    for (int j = 0; j < block_columns; ++j) {
      if (x.at(row * block_rows + i, column * block_columns + j) != Wide(0)) return true;
    }
  }
  return false;
}

/// BSR form of a matrix whose sizes are multiples of those of the blocks.
template <class T>
struct BsrArrays {
  BsrArrays(const Dense& x, int block_rows, int block_columns, simtsparseOrder_t order, int base) {
    std::vector<int> begin{base}, column_of;
    std::vector<T> numbers;
    for (int row = 0; row < x.rows / block_rows; ++row) {
      for (int column = 0; column < x.columns / block_columns; ++column) {
        if (!has_block(x, block_rows, block_columns, row, column)) continue;
        column_of.push_back(column + base);
        for (int n = 0; n < block_rows * block_columns; ++n) {
          const bool by_row = order == SIMTSPARSE_ORDER_ROW;
          const int i = by_row ? n / block_columns : n % block_rows;
          const int j = by_row ? n % block_columns : n / block_rows;
          numbers.push_back(from_wide<T>(x.at(row * block_rows + i, column * block_columns + j)));
        }
      }
      begin.push_back(static_cast<int>(column_of.size()) + base);
    }
    offsets = std::make_unique<DeviceArray<int>>(begin);
    columns = std::make_unique<DeviceArray<int>>(column_of);
    values = std::make_unique<DeviceArray<T>>(numbers);
    matrix = std::make_unique<BsrMatrix>(
        x.rows / block_rows, x.columns / block_columns, static_cast<int>(column_of.size()),
        block_rows, block_columns, static_cast<void*>(offsets->data()),
        static_cast<void*>(columns->data()), static_cast<void*>(values->data()),
        SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I,
        base == 0 ? SIMTSPARSE_INDEX_BASE_ZERO : SIMTSPARSE_INDEX_BASE_ONE, kDataType<T>, order);
  }

  std::unique_ptr<DeviceArray<int>> offsets, columns;
  std::unique_ptr<DeviceArray<T>> values;
  std::unique_ptr<BsrMatrix> matrix;
};

/// Sliced ELL form of a matrix.
template <class T>
struct SlicedArrays {
  SlicedArrays(const Dense& x, int slice, int base) {
    std::vector<int> begin{base}, column_of;
    std::vector<T> numbers;
    int nnz = 0;
    for (int first = 0; first < x.rows; first += slice) {
      std::vector<std::vector<int>> places(slice);
      std::size_t width = 0;
      for (int i = 0; i < slice && first + i < x.rows; ++i) {
        for (int j = 0; j < x.columns; ++j) {
          if (x.at(first + i, j) != Wide(0)) places[i].push_back(j);
        }
        nnz += static_cast<int>(places[i].size());
        width = std::max(width, places[i].size());
      }
      for (std::size_t k = 0; k < width; ++k) {
        for (int i = 0; i < slice; ++i) {
          const bool is_entry = k < places[i].size();
          column_of.push_back(is_entry ? places[i][k] + base : -1);
          numbers.push_back(is_entry ? from_wide<T>(x.at(first + i, places[i][k])) : T());
        }
      }
      begin.push_back(static_cast<int>(column_of.size()) + base);
    }
    offsets = std::make_unique<DeviceArray<int>>(begin);
    columns = std::make_unique<DeviceArray<int>>(column_of);
    values = std::make_unique<DeviceArray<T>>(numbers);
    matrix = std::make_unique<SlicedEllMatrix>(
        x.rows, x.columns, nnz, static_cast<std::int64_t>(numbers.size()), slice,
        static_cast<void*>(offsets->data()), static_cast<void*>(columns->data()),
        static_cast<void*>(values->data()), SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I,
        base == 0 ? SIMTSPARSE_INDEX_BASE_ZERO : SIMTSPARSE_INDEX_BASE_ONE, kDataType<T>);
  }

  std::unique_ptr<DeviceArray<int>> offsets, columns;
  std::unique_ptr<DeviceArray<T>> values;
  std::unique_ptr<SlicedEllMatrix> matrix;
};

/// Compares alpha op(A) x + beta y with the product of the dense matrix.
template <class T>
void check_spmv(SpMat sparse, const Dense& a, simtsparseOperation_t op,
                simtsparseSpMVAlg_t algorithm) {
  const SparseHandle handle;
  const Dense x = random_dense<T>(op == kPlain ? a.columns : a.rows, 1, 7);
  const Dense y = random_dense<T>(op == kPlain ? a.rows : a.columns, 1, 8);
  const T alpha = number<T>(2, 1), beta = number<T>(-1, 0.5);
  const DenseArrays<T> in(x, SIMTSPARSE_ORDER_COL), out(y, SIMTSPARSE_ORDER_COL);
  const DenseVector from(x.rows, static_cast<void*>(in.data()), kDataType<T>);
  const DenseVector to(y.rows, static_cast<void*>(out.data()), kDataType<T>);
  CHECK_SPARSE(simtsparseSpMV(handle, op, &alpha, sparse, from, &beta, to, kDataType<T>, algorithm,
                              nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(distance(out.values(), combine(Wide(alpha), apply(op, a) * x, Wide(beta), y)), 0);
}

/// Compares alpha op(A) B + beta C with the product of the dense matrices.
template <class T>
void check_spmm(SpMat sparse, const Dense& a, simtsparseOperation_t op,
                simtsparseSpMMAlg_t algorithm) {
  const SparseHandle handle;
  const Dense b = random_dense<T>(op == kPlain ? a.columns : a.rows, 4, 2);
  const Dense c = random_dense<T>(op == kPlain ? a.rows : a.columns, 4, 3);
  const T alpha = number<T>(0.5, 1), beta = number<T>(2, -1);
  const DenseArrays<T> right(b, SIMTSPARSE_ORDER_ROW), result(c, SIMTSPARSE_ORDER_COL);
  std::size_t size = 0;
  CHECK_SPARSE(simtsparseSpMM_bufferSize(handle, op, kPlain, &alpha, sparse, right, &beta, result,
                                         kDataType<T>, algorithm, &size));
  CHECK_GT(size, 0);
  CHECK_SPARSE(simtsparseSpMM(handle, op, kPlain, &alpha, sparse, right, &beta, result,
                              kDataType<T>, algorithm, nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(distance(result.values(), combine(Wide(alpha), apply(op, a) * b, Wide(beta), c)), 0);
}

TEST_CASE_TEMPLATE("products with BSR matrices: blocks of any shape, in both orders", T,
                   BLAS_TYPES) {
  const Dense a = random_sparse<T>(6, 12, 1);
  for (const simtsparseOrder_t order : {SIMTSPARSE_ORDER_ROW, SIMTSPARSE_ORDER_COL}) {
    for (const int base : {0, 1}) {
      const BsrArrays<T> square(a, 2, 2, order, base), wide(a, 2, 3, order, base);
      for (const simtsparseOperation_t op : kSparseOperations) {
        check_spmv<T>(*square.matrix, a, op, SIMTSPARSE_SPMV_BSR_ALG1);
        check_spmv<T>(*wide.matrix, a, op, SIMTSPARSE_SPMV_ALG_DEFAULT);
        check_spmm<T>(*wide.matrix, a, op, SIMTSPARSE_SPMM_BSR_ALG1);
      }
    }
  }
}

TEST_CASE_TEMPLATE("products with sliced ELL matrices: the last slice has fewer rows", T,
                   BLAS_TYPES) {
  const Dense a = random_sparse<T>(7, 5, 3);
  for (const int slice : {1, 2, 4, 8}) {
    for (const int base : {0, 1}) {
      const SlicedArrays<T> arrays(a, slice, base);
      for (const simtsparseOperation_t op : kSparseOperations) {
        check_spmv<T>(*arrays.matrix, a, op, SIMTSPARSE_SPMV_SELL_ALG1);
      }
    }
  }
}

/// 4 x 6 matrix with blocks of 2 x 2: one in the first row of blocks, two in the second.
const Dense& blocks_of_two() {
  static const Dense x{4, 6, {0, 0, 1, 2, 0, 0,    //
                              0, 0, 3, 4, 0, 0,    //
                              5, 6, 0, 0, 7, 8,    //
                              9, 10, 0, 0, 11, 12}};
  return x;
}
const std::vector<float> kEllValues{1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 7, 8, 9, 10, 11, 12};

TEST_CASE("blocked ELL: conversions from and to a dense matrix, and products") {
  const SparseHandle handle;
  for (const int base : {0, 1}) {
    const DeviceArray<int> columns(std::vector<int>{1 + base, -1, base, 2 + base});
    const DeviceArray<float> values(16, -1.0f);
    const BlockedEllMatrix ell(4, 6, 2, 4, static_cast<void*>(columns.data()),
                               static_cast<void*>(values.data()), SIMTSPARSE_INDEX_32I,
                               base == 0 ? SIMTSPARSE_INDEX_BASE_ZERO : SIMTSPARSE_INDEX_BASE_ONE,
                               SIMT_R_32F);
    const DenseArrays<float> dense(blocks_of_two(), SIMTSPARSE_ORDER_ROW);
    CHECK_SPARSE(simtsparseDenseToSparse_analysis(handle, dense, ell,
                                                  SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    CHECK_SPARSE(simtsparseDenseToSparse_convert(handle, dense, ell,
                                                 SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    CHECK_EQ(values.values(), kEllValues);

    const DenseArrays<float> back(Dense{4, 6, std::vector<Wide>(24, Wide(-1))},
                                  SIMTSPARSE_ORDER_COL);
    CHECK_SPARSE(simtsparseSparseToDense(handle, ell, back, SIMTSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                         nullptr));
    CHECK_EQ(distance(back.values(), blocks_of_two()), 0);
    check_spmm<float>(ell, blocks_of_two(), kPlain, SIMTSPARSE_SPMM_BLOCKED_ELL_ALG1);
  }
}

TEST_CASE("a dense product at the places of a BSR matrix") {
  const SparseHandle handle;
  const Dense pattern = random_sparse<double>(4, 6, 5);
  const BsrArrays<double> c(pattern, 2, 3, SIMTSPARSE_ORDER_COL, 0);
  const Dense a = random_dense<double>(4, 5, 6), b = random_dense<double>(5, 6, 7);
  const DenseArrays<double> left(a, SIMTSPARSE_ORDER_ROW), right(b, SIMTSPARSE_ORDER_COL);
  const double one = 1, zero = 0;
  CHECK_SPARSE(simtsparseSDDMM(handle, kPlain, kPlain, &one, left, right, &zero, *c.matrix,
                               SIMT_R_64F, SIMTSPARSE_SDDMM_ALG_DEFAULT, nullptr));
  REQUIRE_FINISHED();
  Dense expected = a * b;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (!has_block(pattern, 2, 3, i / 2, j / 3)) expected.at(i, j) = 0;
    }
  }
  CHECK_EQ(c.values->values(),
           BsrArrays<double>(expected, 2, 3, SIMTSPARSE_ORDER_COL, 0).values->values());
}

TEST_CASE("a batch of BSR matrices with one structure") {
  const SparseHandle handle;
  const DeviceArray<int> offsets(std::vector<int>{0, 1}), columns(std::vector<int>{0});
  const DeviceArray<float> values(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  const DeviceArray<float> vector(std::vector<float>{1, 10}), products(4);
  const BsrMatrix a(1, 1, 1, 2, 2, static_cast<void*>(offsets.data()),
                    static_cast<void*>(columns.data()), static_cast<void*>(values.data()),
                    SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO,
                    SIMT_R_32F, SIMTSPARSE_ORDER_ROW);
  const DenseMatrix b(2, 1, 2, static_cast<void*>(vector.data()), SIMT_R_32F, SIMTSPARSE_ORDER_COL);
  const DenseMatrix c(2, 1, 2, static_cast<void*>(products.data()), SIMT_R_32F,
                      SIMTSPARSE_ORDER_COL);
  CHECK_SPARSE(simtsparseBsrSetStridedBatch(a, 2, 0, 0, 4));
  CHECK_SPARSE(simtsparseDnMatSetStridedBatch(c, 2, 2));
  int count = 0;
  CHECK_SPARSE(simtsparseSpMatGetStridedBatch(a, &count));
  CHECK_EQ(count, 2);
  const float one = 1, zero = 0;
  CHECK_SPARSE(simtsparseSpMM(handle, kPlain, kPlain, &one, a, b, &zero, c, SIMT_R_32F,
                              SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(products.values(), std::vector<float>{21, 43, 65, 87});
  CHECK_EQ(simtsparseBsrSetStridedBatch(a, 0, 0, 0, 4), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseBsrSetStridedBatch(a, 2, 0, 0, 3), SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("properties of matrices in any format") {
  const DeviceArray<int> columns(std::vector<int>{1, -1, 0, 2});
  const DeviceArray<float> values(kEllValues);
  const BlockedEllMatrix ell(4, 6, 2, 4, static_cast<void*>(columns.data()),
                             static_cast<void*>(values.data()), SIMTSPARSE_INDEX_32I,
                             SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_32F);
  std::int64_t rows = 0, all_columns = 0, block = 0, width = 0, nnz = 0;
  void *indices = nullptr, *numbers = nullptr;
  simtsparseIndexType_t index_type;
  simtsparseIndexBase_t base;
  simtDataType type;
  CHECK_SPARSE(simtsparseBlockedEllGet(ell, &rows, &all_columns, &block, &width, &indices, &numbers,
                                       &index_type, &base, &type));
  CHECK_EQ(std::vector<std::int64_t>{rows, all_columns, block, width},
           std::vector<std::int64_t>{4, 6, 2, 4});
  CHECK_EQ(indices, columns.data());
  CHECK_EQ(numbers, values.data());
  CHECK_EQ(index_type, SIMTSPARSE_INDEX_32I);
  CHECK_EQ(type, SIMT_R_32F);
  CHECK_SPARSE(simtsparseSpMatGetSize(ell, &rows, &all_columns, &nnz));
  CHECK_EQ(nnz, 16);

  const SparseArrays<float> arrays(blocks_of_two(), 1);
  const CsrOf<float, int> csr(arrays, 1);
  simtsparseFormat_t format;
  CHECK_SPARSE(simtsparseSpMatGetFormat(csr, &format));
  CHECK_EQ(format, SIMTSPARSE_FORMAT_CSR);
  CHECK_SPARSE(simtsparseSpMatGetFormat(ell, &format));
  CHECK_EQ(format, SIMTSPARSE_FORMAT_BLOCKED_ELL);
  CHECK_SPARSE(simtsparseSpMatGetIndexBase(csr, &base));
  CHECK_EQ(base, SIMTSPARSE_INDEX_BASE_ONE);
  CHECK_SPARSE(simtsparseSpMatSetValues(csr, values.data()));
  CHECK_SPARSE(simtsparseSpMatGetValues(csr, &numbers));
  CHECK_EQ(numbers, values.data());
  CHECK_EQ(simtsparseSpMatSetValues(csr, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSpMatGetFormat(nullptr, &format), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseBlockedEllGet(csr, &rows, &all_columns, &block, &width, &indices, &numbers,
                                   &index_type, &base, &type),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("arguments of blocked and sliced matrices: inconsistent sizes, missing arrays, products that do not exist") {
  const SparseHandle handle;
  const DeviceArray<int> indices(8);
  const DeviceArray<float> values(16);
  void* const i = indices.data();
  void* const v = values.data();
  SpMat made = nullptr;
  const auto ell = [&](std::int64_t rows, std::int64_t block, std::int64_t width, void* columns) {
    return simtsparseCreateBlockedEll(&made, rows, 6, block, width, columns, v,
                                      SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_32F);
  };
  CHECK_EQ(ell(5, 2, 4, i), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(ell(4, 2, 3, i), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(ell(4, 2, 8, i), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(ell(4, 2, 4, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  const auto bsr = [&](int nnz, int block, simtDataType type) {
    return simtsparseCreateBsr(&made, 2, 2, nnz, block, 2, i, i, v, SIMTSPARSE_INDEX_32I,
                               SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO, type,
                               SIMTSPARSE_ORDER_ROW);
  };
  CHECK_EQ(bsr(5, 2, SIMT_R_32F), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(bsr(1, 0, SIMT_R_32F), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(bsr(1, 2, SIMT_R_32U), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  const auto sliced = [&](int size, int slice) {
    return simtsparseCreateSlicedEll(&made, 4, 4, 8, size, slice, i, i, v, SIMTSPARSE_INDEX_32I,
                                     SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_32F);
  };
  CHECK_EQ(sliced(7, 2), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(sliced(8, 0), SIMTSPARSE_STATUS_INVALID_VALUE);

  const float one = 1;
  const Dense square = random_dense<float>(4, 4, 1);
  const DenseArrays<float> b(square, SIMTSPARSE_ORDER_COL), c(square, SIMTSPARSE_ORDER_COL);
  const DenseVector x(4, v, SIMT_R_32F);
  const auto spmm = [&](SpMat a, simtsparseOperation_t op) {
    return simtsparseSpMM(handle, op, kPlain, &one, a, b, &one, c, SIMT_R_32F,
                          SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr);
  };
  const BlockedEllMatrix blocks(4, 4, 2, 4, i, v, SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO,
                                SIMT_R_32F);
  CHECK_EQ(spmm(blocks, SIMTSPARSE_OPERATION_TRANSPOSE), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtsparseSpMV(handle, kPlain, &one, blocks, x, &one, x, SIMT_R_32F,
                          SIMTSPARSE_SPMV_ALG_DEFAULT, nullptr),
           SIMTSPARSE_STATUS_NOT_SUPPORTED);
  const SlicedArrays<float> slices(square, 2, 0);
  CHECK_EQ(spmm(*slices.matrix, kPlain), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtsparseSparseToDense(handle, *slices.matrix, b, SIMTSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                   nullptr),
           SIMTSPARSE_STATUS_NOT_SUPPORTED);
}

}  // namespace
