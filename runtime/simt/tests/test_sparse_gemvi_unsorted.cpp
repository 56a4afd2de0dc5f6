// Products of a dense matrix and a sparse vector, and sorts that can be reverted. cuSPARSE 12.4 documentation,
// "cusparse<t>gemvi" and "cusparseXcsru2csr".
#include "sparse_test.h"

namespace {

template <class T>
struct Functions;
#define CALLS(S, T, Type)                                                   \
  template <>                                                               \
  struct Functions<T> {                                                       \
    using Number = Type;                                                    \
    static constexpr auto gemvi = simtsparse##S##gemvi;                     \
    static constexpr auto gemvi_size = simtsparse##S##gemvi_bufferSize;     \
    static constexpr auto sort = simtsparse##S##csru2csr;                   \
    static constexpr auto sort_size = simtsparse##S##csru2csr_bufferSizeExt; \
    static constexpr auto restore = simtsparse##S##csr2csru;                \
  };
CALLS(S, float, float)
CALLS(D, double, double)
CALLS(C, std::complex<float>, simtComplex)
CALLS(Z, std::complex<double>, simtDoubleComplex)
#undef CALLS

template <class T>
auto api(const T* numbers) {
  return reinterpret_cast<typename Functions<T>::Number*>(const_cast<T*>(numbers));
}

TEST_CASE_TEMPLATE("a dense matrix and a sparse vector", T, BLAS_TYPES) {
  const SparseHandle handle;
  const Dense a = random_dense<T>(5, 7, 1);
  const T alpha = number<T>(2, 1), beta = number<T>(-1, 0.5);
  for (const simtsparseOperation_t op : kSparseOperations) {
    const int rows = op == SIMTSPARSE_OPERATION_NON_TRANSPOSE ? 5 : 7;
    const int size = 12 - rows;
    Dense x{size, 1, std::vector<Wide>(static_cast<std::size_t>(size))};
    const Dense entries = random_dense<T>(2, 1, 2), y = random_dense<T>(rows, 1, 3);
    x.at(1, 0) = entries.at(0, 0);
    x.at(4, 0) = entries.at(1, 0);
    const DenseArrays<T> matrix(a, SIMTSPARSE_ORDER_COL), result(y, SIMTSPARSE_ORDER_COL);
    const DeviceArray<T> values(std::vector<T>{from_wide<T>(entries.at(0, 0)), from_wide<T>(entries.at(1, 0))});
    const DeviceArray<int> indices(std::vector<int>{2, 5});
    int bytes = 0;
    CHECK_SPARSE(Functions<T>::gemvi_size(handle, op, 5, 7, 2, &bytes));
    CHECK_GT(bytes, 0);
    CHECK_SPARSE(Functions<T>::gemvi(handle, op, 5, 7, api(&alpha), api(matrix.data()), matrix.ld(), 2, api(values.data()),
                                   indices.data(), api(&beta), api(result.data()), SIMTSPARSE_INDEX_BASE_ONE, nullptr));
    REQUIRE_FINISHED();
    CHECK_EQ(distance(result.values(), combine(Wide(alpha), apply(op, a) * x, Wide(beta), y)), 0);
  }
}

TEST_CASE("rejected arguments of gemvi") {
  const SparseHandle handle;
  const DeviceArray<float> a(4);
  const DeviceArray<int> i(2);
  const float one = 1;
  int size = 0;
  const auto call = [&](simtsparseHandle_t own, int m, int lda, const float* alpha, const int* indices) {
    return simtsparseSgemvi(own, SIMTSPARSE_OPERATION_NON_TRANSPOSE, m, 2, alpha, a.data(), lda, 1, a.data(), indices, &one,
                            a.data(), SIMTSPARSE_INDEX_BASE_ZERO, nullptr);
  };
  CHECK_EQ(call(nullptr, 2, 2, &one, i.data()), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(call(handle, -1, 2, &one, i.data()), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 2, 1, &one, i.data()), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 2, 2, nullptr, i.data()), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 2, 2, &one, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSgemvi_bufferSize(handle, SIMTSPARSE_OPERATION_NON_TRANSPOSE, 2, 2, -1, &size),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSgemvi_bufferSize(handle, SIMTSPARSE_OPERATION_NON_TRANSPOSE, 2, 2, 1, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("a sort of the entries, and back", T, BLAS_TYPES) {
  using Info = Described<csru2csrInfo_t, simtsparseCreateCsru2csrInfo, simtsparseDestroyCsru2csrInfo>;
  const SparseHandle handle;
  const Info info;
  const LegacyMatrix matrix;
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  const Dense x = random_sparse<T>(6, 9, 5);
  const SparseArrays<T> unsorted(x, 1, true), sorted(x, 1);
  const auto values = api(unsorted.values->data());
  int* const columns = unsorted.column_indices->data();
  const int* const rows = unsorted.row_offsets->data();
  const std::vector<T> old_values = unsorted.values->values();
  const std::vector<int> old_columns = unsorted.column_indices->values();
  std::size_t size = 0;
  CHECK_SPARSE(Functions<T>::sort_size(handle, 6, 9, unsorted.nnz, values, rows, columns, info, &size));
  CHECK_GT(size, 0);
  CHECK_EQ(Functions<T>::restore(handle, 6, 9, unsorted.nnz, matrix, values, rows, columns, info, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);  // not sorted yet
  CHECK_SPARSE(Functions<T>::sort(handle, 6, 9, unsorted.nnz, matrix, values, rows, columns, info, nullptr));
  CHECK_EQ(unsorted.column_indices->values(), sorted.column_indices->values());
  CHECK_EQ(unsorted.values->values(), sorted.values->values());
  CHECK_SPARSE(Functions<T>::restore(handle, 6, 9, unsorted.nnz, matrix, values, rows, columns, info, nullptr));
  CHECK_EQ(unsorted.column_indices->values(), old_columns);
  CHECK_EQ(unsorted.values->values(), old_values);
  CHECK_EQ(Functions<T>::sort(nullptr, 6, 9, unsorted.nnz, matrix, values, rows, columns, info, nullptr),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(Functions<T>::sort(handle, 6, 9, unsorted.nnz, matrix, values, rows, columns, nullptr, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(Functions<T>::sort(handle, 6, 9, unsorted.nnz, nullptr, values, rows, columns, info, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
