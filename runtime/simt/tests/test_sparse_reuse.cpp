// SpGEMMreuse and batches of COO matrices. cuSPARSE 12.4 documentation, "cusparseSpGEMMreuse",
// "cusparseCooSetStridedBatch".
#include "sparse_test.h"

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto kAlgorithm = SIMTSPARSE_SPGEMM_DEFAULT;
using State = Described<simtsparseSpGEMMDescr_t, simtsparseSpGEMM_createDescr, simtsparseSpGEMM_destroyDescr>;

/// C as arrays on the device, after the structure has been computed.
template <class T>
struct Structure {
  explicit Structure(int rows, std::int64_t nnz)
      : offsets(static_cast<std::size_t>(rows) + 1), columns(static_cast<std::size_t>(nnz)), values(static_cast<std::size_t>(nnz), T(0)) {}
  Dense dense(int width) const {
    const std::vector<int> begin = offsets.values(), column = columns.values();
    const std::vector<T> numbers = values.values();
    const int rows = static_cast<int>(begin.size()) - 1;
    Dense result{rows, width, std::vector<Wide>(static_cast<std::size_t>(rows) * width)};
    for (int i = 0; i < rows; ++i) {
      for (int e = begin[i]; e < begin[i + 1]; ++e) result.at(i, column[e]) = to_wide(numbers[e]);
    }
    return result;
  }
  DeviceArray<int> offsets, columns;
  DeviceArray<T> values;
};

TEST_CASE_TEMPLATE("several products with one structure", T, BLAS_TYPES) {
  const SparseHandle handle;
  const State state;
  const Dense a = random_sparse<T>(50, 30, 12), b = random_sparse<T>(30, 40, 13);
  const SparseArrays<T> arrays_a(a), arrays_b(b), arrays_c(random_sparse<T>(50, 40, 14));
  const CsrOf<T, int> left(arrays_a), right(arrays_b), result(arrays_c);
  std::size_t size = 0, size3 = 0, size4 = 0;
  REQUIRE_SPARSE(simtsparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, left, right, result, kAlgorithm, state,
                                                      &size, nullptr));
  REQUIRE_GT(size, 0);
  const DeviceArray<char> buffer(size);
  REQUIRE_SPARSE(simtsparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, left, right, result, kAlgorithm, state,
                                                      &size, buffer.data()));
  REQUIRE_SPARSE(simtsparseSpGEMMreuse_nnz(handle, kPlain, kPlain, left, right, result, kAlgorithm, state, &size, nullptr,
                                           &size3, nullptr, &size4, nullptr));
  CHECK_GT(size3 * size4, 0);
  CHECK_EQ(simtsparseSpGEMMreuse_copy(handle, kPlain, kPlain, left, right, result, kAlgorithm, state, &size,
                                      buffer.data()),
           SIMTSPARSE_STATUS_INVALID_VALUE);  // the structure is not computed yet
  REQUIRE_SPARSE(simtsparseSpGEMMreuse_nnz(handle, kPlain, kPlain, left, right, result, kAlgorithm, state, &size,
                                           buffer.data(), &size3, buffer.data(), &size4, buffer.data()));
  std::int64_t rows = 0, columns = 0, nnz = 0;
  REQUIRE_SPARSE(simtsparseSpMatGetSize(result, &rows, &columns, &nnz));
  std::int64_t meeting = 0;
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 40; ++j) {
      bool meets = false;
      for (int k = 0; k < 30; ++k) meets = meets || (a.at(i, k) != Wide(0) && b.at(k, j) != Wide(0));
      meeting += meets;
    }
  }
  CHECK_EQ(nnz, meeting);
  const Structure<T> c(50, nnz);
  REQUIRE_SPARSE(simtsparseCsrSetPointers(result, c.offsets.data(), c.columns.data(), c.values.data()));
  REQUIRE_SPARSE(simtsparseSpGEMMreuse_copy(handle, kPlain, kPlain, left, right, result, kAlgorithm, state, &size,
                                            nullptr));
  REQUIRE_SPARSE(simtsparseSpGEMMreuse_copy(handle, kPlain, kPlain, left, right, result, kAlgorithm, state, &size,
                                            buffer.data()));
  const T two = number<T>(2), zero = number<T>(0), three = number<T>(3, 1);
  const auto multiply = [&](const T& alpha, const T& beta) {
    return simtsparseSpGEMMreuse_compute(handle, kPlain, kPlain, &alpha, left, right, &beta, result, kDataType<T>,
                                         kAlgorithm, state);
  };
  const Dense product = a * b;
  REQUIRE_SPARSE(multiply(two, zero));
  REQUIRE_FINISHED();
  CHECK_EQ(distance(c.dense(40), combine(2, product, 0, product)), 0);
  // Other values, the same structure: A becomes 2 A.
  std::vector<T> doubled = arrays_a.values->values();
  for (T& value : doubled) value = value * two;
  REQUIRE_OK(simtMemcpy(arrays_a.values->data(), doubled.data(), doubled.size() * sizeof(T), simtMemcpyHostToDevice));
  REQUIRE_SPARSE(multiply(three, two));
  REQUIRE_FINISHED();
  CHECK_EQ(distance(c.dense(40), combine(Wide(three) * 2.0 + 4.0, product, 0, product)), 0);
}

TEST_CASE("rejected arguments of SpGEMMreuse") {
  const SparseHandle handle;
  const State state;
  const SparseArrays<float> arrays(random_sparse<float>(4, 4, 1)), other(random_sparse<float>(5, 4, 2));
  const CsrOf<float, int> a(arrays), wrong(other), c(arrays);
  const float one = 1;
  std::size_t size = 0;
  const auto invalid = SIMTSPARSE_STATUS_INVALID_VALUE;
  CHECK_EQ(simtsparseSpGEMMreuse_workEstimation(nullptr, kPlain, kPlain, a, a, c, kAlgorithm, state, &size, nullptr),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, a, a, c, kAlgorithm, state, nullptr, nullptr),
           invalid);
  CHECK_EQ(simtsparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, a, wrong, c, kAlgorithm, state, &size, nullptr),
           invalid);
  CHECK_EQ(simtsparseSpGEMMreuse_workEstimation(handle, SIMTSPARSE_OPERATION_TRANSPOSE, kPlain, a, a, c, kAlgorithm,
                                                state, &size, nullptr),
           SIMTSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(simtsparseSpGEMMreuse_nnz(handle, kPlain, kPlain, a, a, c, kAlgorithm, state, &size, nullptr, nullptr, nullptr,
                                     &size, nullptr),
           invalid);
  CHECK_EQ(simtsparseSpGEMMreuse_compute(handle, kPlain, kPlain, &one, a, a, &one, c, SIMT_R_32F, kAlgorithm, state),
           invalid);  // no structure
  CHECK_EQ(simtsparseSpGEMMreuse_compute(handle, kPlain, kPlain, nullptr, a, a, &one, c, SIMT_R_32F, kAlgorithm, state),
           invalid);
}

TEST_CASE("batches of COO matrices") {
  const SparseHandle handle;
  const float one = 1, zero = 0;
  // [[1 2] [0 3]] and [[0 4] [5 6]]
  const DeviceArray<int> rows(std::vector<int>{0, 0, 1, 0, 1, 1}), columns(std::vector<int>{0, 1, 1, 1, 0, 1});
  const DeviceArray<float> values(std::vector<float>{1, 2, 3, 4, 5, 6});
  const DeviceArray<float> vectors(std::vector<float>{1, 10, 100, 1000}), products(4);
  const CooMatrix a(2, 2, 3, static_cast<void*>(rows.data()), static_cast<void*>(columns.data()),
                    static_cast<void*>(values.data()), SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_32F);
  const DenseMatrix b(2, 1, 2, static_cast<void*>(vectors.data()), SIMT_R_32F, SIMTSPARSE_ORDER_COL);
  const DenseMatrix c(2, 1, 2, static_cast<void*>(products.data()), SIMT_R_32F, SIMTSPARSE_ORDER_COL);
  CHECK_SPARSE(simtsparseDnMatSetStridedBatch(b, 2, 2));
  CHECK_SPARSE(simtsparseDnMatSetStridedBatch(c, 2, 2));
  const auto multiply = [&] {
    return simtsparseSpMM(handle, kPlain, kPlain, &one, a, b, &zero, c, SIMT_R_32F, SIMTSPARSE_SPMM_ALG_DEFAULT, nullptr);
  };
  CHECK_SPARSE(simtsparseCooSetStridedBatch(a, 2, 0));
  CHECK_SPARSE(multiply());
  CHECK_EQ(products.values(), std::vector<float>{21, 30, 2100, 3000});
  CHECK_SPARSE(simtsparseCooSetStridedBatch(a, 2, 3));
  CHECK_SPARSE(multiply());
  CHECK_EQ(products.values(), std::vector<float>{21, 30, 4000, 6500});
  CHECK_EQ(simtsparseCooSetStridedBatch(a, 2, 2), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseCooSetStridedBatch(a, 0, 3), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseCooSetStridedBatch(nullptr, 2, 3), SIMTSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
