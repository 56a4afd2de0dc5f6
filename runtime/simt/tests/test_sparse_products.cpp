// Products of simtsparse, compared with products of dense matrices. cuSPARSE 12.4 documentation,
// "cusparseSpMV", "cusparseSpMM", "cusparseSDDMM", "cusparseSpGEMM".
#include "sparse_test.h"

namespace {

constexpr simtsparseOrder_t kOrders[] = {SIMTSPARSE_ORDER_COL, SIMTSPARSE_ORDER_ROW};
constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;

/// Type in which products of matrices of T are computed.
template <class T>
using Compute = std::conditional_t<sizeof(T) == 2, float, T>;

/// op(A) op(B) for a sparse A of 6 x 5 and matrices in the given orders.
template <class T>
void check_spmm(simtsparseOperation_t op_a, simtsparseOperation_t op_b, simtsparseOrder_t order_b,
                simtsparseOrder_t order_c, bool as_coo) {
  const SparseHandle handle;
  const Dense a = random_sparse<T>(6, 5, 1);
  const bool plain_a = op_a == kPlain;
  const Dense b = op_b == kPlain ? random_dense<T>(plain_a ? 5 : 6, 4, 2)
                                 : random_dense<T>(4, plain_a ? 5 : 6, 2);
  const Dense c = random_dense<T>(plain_a ? 6 : 5, 4, 3);
  const auto alpha = from_wide<Compute<T>>({0.5, kIsComplex<T> ? 1 : 0});
  const auto beta = from_wide<Compute<T>>({2, kIsComplex<T> ? -1 : 0});

  const SparseArrays<T> arrays(a);
  const CsrOf<T, int> csr(arrays);
  const CooMatrix coo(
      arrays.rows, arrays.columns, arrays.nnz, static_cast<void*>(arrays.row_indices->data()),
      static_cast<void*>(arrays.column_indices->data()), static_cast<void*>(arrays.values->data()),
      SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO, kDataType<T>);
  const simtsparseSpMatDescr_t left = as_coo ? coo : static_cast<simtsparseSpMatDescr_t>(csr);
  const DenseArrays<T> right(b, order_b);
  const DenseArrays<T> result(c, order_c);
  std::size_t size = 0;
  CHECK_SPARSE(simtsparseSpMM_bufferSize(handle, op_a, op_b, &alpha, left, right, &beta, result,
                                         kDataType<Compute<T>>, SIMTSPARSE_SPMM_ALG_DEFAULT,
                                         &size));
  CHECK_GT(size, 0);
  CHECK_SPARSE(simtsparseSpMM(handle, op_a, op_b, &alpha, left, right, &beta, result,
                              kDataType<Compute<T>>, SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr));
  REQUIRE_FINISHED();
  Dense expected = combine(Wide(alpha), apply(op_a, a) * apply(op_b, b), Wide(beta), c);
  for (Wide& x : expected.values) {
    x = to_wide(from_wide<T>(x));  // rounded once
  }
  CHECK_EQ(distance(result.values(), expected), 0);
}

TEST_CASE_TEMPLATE("a sparse matrix times a dense one", T, float, double, std::complex<float>,
                   std::complex<double>, __half, __nv_bfloat16) {
  for (const simtsparseOperation_t op_a : kSparseOperations) {
    for (const simtsparseOperation_t op_b : kSparseOperations) {
      for (const bool as_coo : {false, true}) {
        check_spmm<T>(op_a, op_b, SIMTSPARSE_ORDER_COL, SIMTSPARSE_ORDER_COL, as_coo);
      }
    }
  }
  for (const simtsparseOrder_t order_b : kOrders) {
    for (const simtsparseOrder_t order_c : kOrders) {
      check_spmm<T>(kPlain, kPlain, order_b, order_c, false);
      check_spmm<T>(kPlain, SIMTSPARSE_OPERATION_TRANSPOSE, order_b, order_c, true);
    }
  }
}

TEST_CASE("indices of 64 bits, from 1, in any order, and large enough for several workers") {
  const SparseHandle handle;
  const Dense a = random_sparse<float>(300, 200, 4);
  const Dense b = random_dense<float>(200, 40, 5);
  const SparseArrays<float, std::int64_t> arrays(a, 1, true);
  const CsrOf<float, std::int64_t> left(arrays, 1);
  const DenseArrays<float> right(b, SIMTSPARSE_ORDER_ROW);
  // If beta is zero, the old result is not read.
  Dense undefined{300, 40, std::vector<Wide>(300 * 40, Wide(NAN))};
  const DenseArrays<float> result(undefined, SIMTSPARSE_ORDER_ROW);
  const float one = 1;
  const float zero = 0;
  CHECK_SPARSE(simtsparseSpMM(handle, kPlain, kPlain, &one, left, right, &zero, result, SIMT_R_32F,
                              SIMTSPARSE_SPMM_CSR_ALG2, nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(distance(result.values(), a * b), 0);
}

TEST_CASE("a batch of products with one sparse matrix, or with one each") {
  const SparseHandle handle;
  const float one = 1;
  const float zero = 0;
  // [1 2; 0 3] and [4 0; 5 6], each with three entries.
  const DeviceArray<int> offsets(std::vector<int>{0, 2, 3, 0, 1, 3});
  const DeviceArray<int> columns(std::vector<int>{0, 1, 1, 0, 0, 1});
  const DeviceArray<float> values(std::vector<float>{1, 2, 3, 4, 5, 6});
  // Columns (1, 10) and (100, 1000).
  const DeviceArray<float> vectors(std::vector<float>{1, 10, 100, 1000});
  const DeviceArray<float> products(4);
  const CsrMatrix a(2, 2, 3, static_cast<void*>(offsets.data()), static_cast<void*>(columns.data()),
                    static_cast<void*>(values.data()), SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I,
                    SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_32F);
  const DenseMatrix b(2, 1, 2, static_cast<void*>(vectors.data()), SIMT_R_32F,
                      SIMTSPARSE_ORDER_COL);
  const DenseMatrix c(2, 1, 2, static_cast<void*>(products.data()), SIMT_R_32F,
                      SIMTSPARSE_ORDER_COL);
  CHECK_SPARSE(simtsparseDnMatSetStridedBatch(b, 2, 2));
  CHECK_SPARSE(simtsparseDnMatSetStridedBatch(c, 2, 2));
  const auto multiply = [&] {
    return simtsparseSpMM(handle, kPlain, kPlain, &one, a, b, &zero, c, SIMT_R_32F,
                          SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr);
  };
  CHECK_SPARSE(simtsparseCsrSetStridedBatch(a, 2, 0, 0));
  CHECK_SPARSE(multiply());
  CHECK_EQ(products.values(), std::vector<float>{21, 30, 2100, 3000});
  CHECK_SPARSE(simtsparseCsrSetStridedBatch(a, 2, 3, 3));
  CHECK_SPARSE(multiply());
  CHECK_EQ(products.values(), std::vector<float>{21, 30, 400, 6500});
  CHECK_SPARSE(simtsparseCsrSetStridedBatch(a, 3, 3, 3));
  CHECK_EQ(multiply(), SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("a sparse matrix times a vector", T, BLAS_TYPES) {
  const SparseHandle handle;
  const Dense a = random_sparse<T>(7, 4, 6);
  const SparseArrays<T> arrays(a);
  const CsrOf<T, int> matrix(arrays);
  const T alpha = number<T>(2, 1);
  const T beta = number<T>(-1, 0.5);
  for (const simtsparseOperation_t op : kSparseOperations) {
    const Dense x = random_dense<T>(op == kPlain ? 4 : 7, 1, 7);
    const Dense y = random_dense<T>(op == kPlain ? 7 : 4, 1, 8);
    std::vector<T> numbers_x, numbers_y;
    for (const Wide value : x.values) numbers_x.push_back(from_wide<T>(value));
    for (const Wide value : y.values) numbers_y.push_back(from_wide<T>(value));
    const DeviceArray<T> device_x(numbers_x);
    const DeviceArray<T> device_y(numbers_y);
    const DenseVector in(static_cast<std::int64_t>(x.rows), static_cast<void*>(device_x.data()),
                         kDataType<T>);
    const DenseVector out(static_cast<std::int64_t>(y.rows), static_cast<void*>(device_y.data()),
                          kDataType<T>);
    std::size_t size = 0;
    CHECK_SPARSE(simtsparseSpMV_bufferSize(handle, op, &alpha, matrix, in, &beta, out, kDataType<T>,
                                           SIMTSPARSE_SPMV_ALG_DEFAULT, &size));
    CHECK_GT(size, 0);
    CHECK_SPARSE(simtsparseSpMV(handle, op, &alpha, matrix, in, &beta, out, kDataType<T>,
                                SIMTSPARSE_SPMV_CSR_ALG2, nullptr));
    Dense result{y.rows, 1, {}};
    for (const T value : device_y.values()) result.values.push_back(to_wide(value));
    CHECK_EQ(distance(result, combine(Wide(alpha), apply(op, a) * x, Wide(beta), y)), 0);
  }
}

TEST_CASE("a preparation checks the arguments and computes nothing") {
  const SparseHandle handle;
  const SparseArrays<float> arrays(Dense{2, 2, {1, 2, 3, 4}});
  const CsrOf<float, int> a(arrays);
  const DeviceArray<float> x(std::vector<float>{1, 10}), y(std::vector<float>{5, 7});
  const DenseVector in(2, static_cast<void*>(x.data()), SIMT_R_32F);
  const DenseVector out(2, static_cast<void*>(y.data()), SIMT_R_32F);
  const float one = 1;
  const auto prepare = [&](simtsparseHandle_t own, const float* alpha) {
    return simtsparseSpMV_preprocess(own, kPlain, alpha, a, in, &one, out, SIMT_R_32F, SIMTSPARSE_SPMV_ALG_DEFAULT,
                                     nullptr);
  };
  CHECK_SPARSE(prepare(handle, &one));
  CHECK_EQ(prepare(nullptr, &one), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(prepare(handle, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSpMM_preprocess(handle, kPlain, kPlain, &one, a, nullptr, &one, nullptr, SIMT_R_32F,
                                     SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  REQUIRE_FINISHED();
  CHECK_EQ(y.values(), std::vector<float>{5, 7});
}

TEST_CASE("scalars on the device, and products in the order of a stream") {
  const SparseHandle handle;
  const TestStream stream;
  REQUIRE_SPARSE(simtsparseSetStream(handle, stream));
  REQUIRE_SPARSE(simtsparseSetPointerMode(handle, SIMTSPARSE_POINTER_MODE_DEVICE));
  const DeviceArray<float> scalars(std::vector<float>{0, 0});
  const SparseArrays<float> arrays(Dense{2, 2, {1, 2, 3, 4}});
  const CsrOf<float, int> a(arrays);
  const DeviceArray<float> x(std::vector<float>{1, 10});
  const DeviceArray<float> y(std::vector<float>{5, 7});
  const DenseVector in(2, static_cast<void*>(x.data()), SIMT_R_32F);
  const DenseVector out(2, static_cast<void*>(y.data()), SIMT_R_32F);
  Gate gate;
  gate.hold(stream);
  CHECK_SPARSE(simtsparseSpMV(handle, kPlain, scalars.data(), a, in, scalars.data() + 1, out,
                              SIMT_R_32F, SIMTSPARSE_SPMV_ALG_DEFAULT, nullptr));
  const float factors[] = {2, 3};
  REQUIRE_OK(simtMemcpy(scalars.data(), factors, sizeof factors, simtMemcpyHostToDevice));
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(y.values(), std::vector<float>{2 * 21 + 15, 2 * 43 + 21});
}

TEST_CASE_TEMPLATE("a dense product at the places of a sparse matrix", T, float, double,
                   std::complex<float>, std::complex<double>, __half) {
  const SparseHandle handle;
  const auto alpha = from_wide<Compute<T>>({2, kIsComplex<T> ? 1 : 0});
  const auto beta = from_wide<Compute<T>>({0.5, 0});
  const Dense c = random_sparse<T>(6, 5, 9);
  for (const simtsparseOperation_t op_a : kSparseOperations) {
    for (const simtsparseOperation_t op_b : kSparseOperations) {
      const Dense a = op_a == kPlain ? random_dense<T>(6, 3, 10) : random_dense<T>(3, 6, 10);
      const Dense b = op_b == kPlain ? random_dense<T>(3, 5, 11) : random_dense<T>(5, 3, 11);
      const SparseArrays<T, std::int64_t> arrays(c);
      const CsrOf<T, std::int64_t> result(arrays);
      const DenseArrays<T> left(a, SIMTSPARSE_ORDER_ROW);
      const DenseArrays<T> right(b, SIMTSPARSE_ORDER_COL);
      std::size_t size = 0;
      CHECK_SPARSE(simtsparseSDDMM_bufferSize(handle, op_a, op_b, &alpha, left, right, &beta,
                                              result, kDataType<Compute<T>>,
                                              SIMTSPARSE_SDDMM_ALG_DEFAULT, &size));
      CHECK_GT(size, 0);
      CHECK_SPARSE(simtsparseSDDMM_preprocess(handle, op_a, op_b, &alpha, left, right, &beta,
                                              result, kDataType<Compute<T>>,
                                              SIMTSPARSE_SDDMM_ALG_DEFAULT, nullptr));
      CHECK_SPARSE(simtsparseSDDMM(handle, op_a, op_b, &alpha, left, right, &beta, result,
                                   kDataType<Compute<T>>, SIMTSPARSE_SDDMM_ALG_DEFAULT, nullptr));
      const Dense all = combine(Wide(alpha), apply(op_a, a) * apply(op_b, b), Wide(beta), c);
      const std::vector<T> values = arrays.values->values();
      std::size_t entry = 0;
      for (int i = 0; i < c.rows; ++i) {
        for (int j = 0; j < c.columns; ++j) {
          if (c.at(i, j) != Wide(0)) {
            CHECK_EQ(to_wide(values[entry++]), to_wide(from_wide<T>(all.at(i, j))));
          }
        }
      }
      CHECK_EQ(entry, values.size());
    }
  }
}

/// Computes alpha A B + beta C by the sequence of calls in cuSPARSE's documentation. Returns the
/// result as a dense matrix; `nnz` receives its number of entries.
template <class T>
Dense multiply_sparse(const Dense& a, const Dense& b, const Dense& c, Compute<T> alpha,
                      Compute<T> beta, std::int64_t& nnz) {
  const SparseHandle handle;
  const SparseArrays<T> arrays_a(a), arrays_b(b), arrays_c(c);
  const CsrOf<T, int> left(arrays_a), right(arrays_b), result(arrays_c);
  const Described<simtsparseSpGEMMDescr_t, simtsparseSpGEMM_createDescr,
                  simtsparseSpGEMM_destroyDescr>
      state;
  constexpr simtDataType type = kDataType<Compute<T>>;
  constexpr auto algorithm = SIMTSPARSE_SPGEMM_DEFAULT;
  std::size_t size = 0;
  REQUIRE_SPARSE(simtsparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, left, right, &beta,
                                                 result, type, algorithm, state, &size, nullptr));
  REQUIRE_GT(size, 0);
  const DeviceArray<char> buffer(size);
  REQUIRE_SPARSE(simtsparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, left, right, &beta,
                                                 result, type, algorithm, state, &size,
                                                 buffer.data()));
  REQUIRE_SPARSE(simtsparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, left, right, &beta,
                                          result, type, algorithm, state, &size, nullptr));
  REQUIRE_EQ(simtsparseSpGEMM_copy(handle, kPlain, kPlain, &alpha, left, right, &beta, result, type,
                                   algorithm, state),
             SIMTSPARSE_STATUS_INVALID_VALUE);  // not computed yet
  REQUIRE_SPARSE(simtsparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, left, right, &beta,
                                          result, type, algorithm, state, &size, buffer.data()));
  std::int64_t rows = 0, columns = 0;
  REQUIRE_SPARSE(simtsparseSpMatGetSize(result, &rows, &columns, &nnz));
  REQUIRE_EQ(rows, a.rows);
  REQUIRE_EQ(columns, b.columns);
  const DeviceArray<int> offsets(static_cast<std::size_t>(rows) + 1);
  const DeviceArray<int> indices(static_cast<std::size_t>(nnz));
  const DeviceArray<T> values(static_cast<std::size_t>(nnz));
  REQUIRE_SPARSE(simtsparseCsrSetPointers(result, offsets.data(), indices.data(), values.data()));
  REQUIRE_SPARSE(simtsparseSpGEMM_copy(handle, kPlain, kPlain, &alpha, left, right, &beta, result,
                                       type, algorithm, state));
  Dense product{a.rows, b.columns, std::vector<Wide>(static_cast<std::size_t>(a.rows) * b.columns)};
  const std::vector<int> begin = offsets.values();
  const std::vector<int> column_of = indices.values();
  const std::vector<T> numbers = values.values();
  for (int i = 0; i < a.rows; ++i) {
    for (int e = begin[i]; e < begin[i + 1]; ++e) {
      CHECK((e == begin[i] || column_of[e - 1] < column_of[e]));
      product.at(i, column_of[e]) = to_wide(numbers[e]);
    }
  }
  return product;
}

TEST_CASE_TEMPLATE("a sparse matrix times a sparse one", T, float, double, std::complex<float>,
                   std::complex<double>, __half) {
  const Dense a = random_sparse<T>(50, 30, 12);
  const Dense b = random_sparse<T>(30, 40, 13);
  const Dense c = random_sparse<T>(50, 40, 14);
  const auto two = from_wide<Compute<T>>({2, 0});
  const auto zero = from_wide<Compute<T>>({0, 0});
  std::int64_t nnz = 0;
  Dense product = multiply_sparse<T>(a, b, c, two, zero, nnz);
  Dense expected = combine(2, a * b, 0, c);
  for (Wide& x : expected.values) x = to_wide(from_wide<T>(x));
  CHECK_EQ(distance(product, expected), 0);

  // The product has an entry for each position at which terms occur, even if their sum is zero.
  std::int64_t meeting = 0, with_own = 0;
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 40; ++j) {
      bool meets = false;
      for (int k = 0; k < 30; ++k) {
        meets = meets || (a.at(i, k) != Wide(0) && b.at(k, j) != Wide(0));
      }
      meeting += meets;
      with_own += meets || c.at(i, j) != Wide(0);
    }
  }
  CHECK_EQ(nnz, meeting);

  product = multiply_sparse<T>(a, b, c, two, from_wide<Compute<T>>({-1, 0}), nnz);
  expected = combine(2, a * b, -1, c);
  for (Wide& x : expected.values) x = to_wide(from_wide<T>(x));
  CHECK_EQ(distance(product, expected), 0);
  CHECK_EQ(nnz, with_own);
}

TEST_CASE("invalid combinations of operands are rejected") {
  const SparseHandle handle;
  const float one = 1;
  const SparseArrays<float> arrays(random_sparse<float>(6, 5, 15));
  const CsrOf<float, int> a(arrays);
  const DenseArrays<float> b(random_dense<float>(5, 4, 16), SIMTSPARSE_ORDER_COL);
  const DenseArrays<float> c(random_dense<float>(6, 4, 17), SIMTSPARSE_ORDER_COL);
  const DenseArrays<double> wide(random_dense<double>(5, 4, 18), SIMTSPARSE_ORDER_COL);
  const auto spmm = [&](simtsparseOperation_t op_a, const void* alpha, simtsparseDnMatDescr_t right,
                        simtsparseDnMatDescr_t result, simtDataType type) {
    return simtsparseSpMM(handle, op_a, kPlain, alpha, a, right, &one, result, type,
                          SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr);
  };
  CHECK_EQ(spmm(kPlain, &one, c, b, SIMT_R_32F), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(spmm(SIMTSPARSE_OPERATION_TRANSPOSE, &one, b, c, SIMT_R_32F),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(spmm(kPlain, nullptr, b, c, SIMT_R_32F), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(spmm(kPlain, &one, wide, c, SIMT_R_32F), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(spmm(kPlain, &one, b, c, SIMT_R_64F), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtsparseSpMM(nullptr, kPlain, kPlain, &one, a, b, &one, c, SIMT_R_32F,
                          SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_SPARSE(spmm(kPlain, &one, b, c, SIMT_R_32F));
  REQUIRE_FINISHED();
}

}  // namespace
