// Matrices without their small numbers. cuSPARSE 12.4 documentation, "cusparse<t>pruneDense2csr",
// "cusparse<t>pruneDense2csrByPercentage", "cusparse<t>pruneCsr2csr" and "cusparse<t>csr2csr_compress".
#include "sparse_test.h"

#include <algorithm>
#include <cmath>

namespace {

using PruneInfo = Described<pruneInfo_t, simtsparseCreatePruneInfo, simtsparseDestroyPruneInfo>;

template <class T>
struct Prune;
#define PRUNE(S, T)                                                                                  \
  template <>                                                                                        \
  struct Prune<T> {                                                                                  \
    static constexpr auto dense_size = simtsparse##S##pruneDense2csr_bufferSizeExt;                  \
    static constexpr auto dense_nnz = simtsparse##S##pruneDense2csrNnz;                              \
    static constexpr auto dense = simtsparse##S##pruneDense2csr;                                     \
    static constexpr auto csr_size = simtsparse##S##pruneCsr2csr_bufferSizeExt;                      \
    static constexpr auto csr_nnz = simtsparse##S##pruneCsr2csrNnz;                                  \
    static constexpr auto csr = simtsparse##S##pruneCsr2csr;                                         \
    static constexpr auto dense_part_size = simtsparse##S##pruneDense2csrByPercentage_bufferSizeExt; \
    static constexpr auto dense_part_nnz = simtsparse##S##pruneDense2csrNnzByPercentage;             \
    static constexpr auto dense_part = simtsparse##S##pruneDense2csrByPercentage;                    \
    static constexpr auto csr_part_size = simtsparse##S##pruneCsr2csrByPercentage_bufferSizeExt;     \
    static constexpr auto csr_part_nnz = simtsparse##S##pruneCsr2csrNnzByPercentage;                 \
    static constexpr auto csr_part = simtsparse##S##pruneCsr2csrByPercentage;                        \
  };
PRUNE(H, __half)
PRUNE(S, float)
PRUNE(D, double)
#undef PRUNE

/// Output of a call: a CSR matrix with the index base 1.
template <class T>
struct Output {
  Output(int rows, int columns)
      : rows(rows), columns(columns), offsets(static_cast<std::size_t>(rows) + 1, 0),
        indices(static_cast<std::size_t>(rows * columns)), values(static_cast<std::size_t>(rows * columns)) {
    REQUIRE_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  }
  Dense dense() const {
    Dense result{rows, columns, std::vector<Wide>(static_cast<std::size_t>(rows * columns))};
    const std::vector<int> begin = offsets.values(), column = indices.values();
    const std::vector<T> numbers = values.values();
    for (int i = 0; i < rows; ++i) {
      for (int e = begin[i] - 1; e < begin[i + 1] - 1; ++e) result.at(i, column[e] - 1) = to_wide(numbers[e]);
    }
    return result;
  }
  int rows, columns;
  LegacyMatrix matrix;
  DeviceArray<int> offsets, indices;
  DeviceArray<T> values;
  int total = -1;
};

/// The numbers of `x` with an absolute value above the limit.
Dense above(const Dense& x, double limit) {
  Dense result = x;
  for (Wide& value : result.values) value = std::abs(value) > limit ? value : 0;
  return result;
}
int count(const Dense& x) {
  return static_cast<int>(std::count_if(x.values.begin(), x.values.end(), [](Wide value) { return value != Wide(0); }));
}

template <class T>
void check(const Output<T>& found, const Dense& expected) {
  CHECK_EQ(found.total, count(expected));
  CHECK_EQ(found.offsets.values().back(), count(expected) + 1);
  CHECK_EQ(distance(found.dense(), expected), 0);
}

TEST_CASE_TEMPLATE("numbers above a threshold", T, __half, float, double) {
  const SparseHandle handle;
  const Dense x = random_sparse<T>(5, 7, 3);
  // A number of the matrix, which is not above itself.
  const double limit = std::abs(*std::find_if(x.values.begin(), x.values.end(), [](Wide v) { return v != Wide(0); }));
  const DenseArrays<T> dense(x, SIMTSPARSE_ORDER_COL);
  const T threshold = from_wide<T>(-limit);  // its absolute value counts
  std::size_t size = 0;
  {
    Output<T> c(5, 7);
    CHECK_SPARSE(Prune<T>::dense_size(handle, 5, 7, dense.data(), dense.ld(), &threshold, c.matrix, nullptr, nullptr,
                                      nullptr, &size));
    CHECK_GT(size, 0);
    CHECK_SPARSE(Prune<T>::dense_nnz(handle, 5, 7, dense.data(), dense.ld(), &threshold, c.matrix, c.offsets.data(),
                                     &c.total, nullptr));
    CHECK_SPARSE(Prune<T>::dense(handle, 5, 7, dense.data(), dense.ld(), &threshold, c.matrix, c.values.data(),
                                 c.offsets.data(), c.indices.data(), nullptr));
    check(c, above(x, limit));
  }
  const SparseArrays<T> a(x);
  const LegacyMatrix matrix;
  Output<T> c(5, 7);
  const auto rows = a.row_offsets->data(), columns = a.column_indices->data();
  CHECK_SPARSE(Prune<T>::csr_size(handle, 5, 7, a.nnz, matrix, a.values->data(), rows, columns, &threshold, c.matrix,
                                  nullptr, nullptr, nullptr, &size));
  // Threshold and total on the device.
  const DeviceArray<T> device_threshold(std::vector<T>{threshold});
  const DeviceArray<int> total(1);
  REQUIRE_SPARSE(simtsparseSetPointerMode(handle, SIMTSPARSE_POINTER_MODE_DEVICE));
  CHECK_SPARSE(Prune<T>::csr_nnz(handle, 5, 7, a.nnz, matrix, a.values->data(), rows, columns, device_threshold.data(),
                                 c.matrix, c.offsets.data(), total.data(), nullptr));
  CHECK_SPARSE(Prune<T>::csr(handle, 5, 7, a.nnz, matrix, a.values->data(), rows, columns, device_threshold.data(),
                             c.matrix, c.values.data(), c.offsets.data(), c.indices.data(), nullptr));
  c.total = total.values()[0];
  check(c, above(x, limit));
}

TEST_CASE_TEMPLATE("the largest numbers, by percentage", T, __half, float, double) {
  const SparseHandle handle;
  const PruneInfo info;
  const LegacyMatrix matrix;
  // Absolute values 0, 0.25, ... 4.75, in another order.
  Dense x{4, 5, {}};
  for (int i = 0; i < 20; ++i) x.values.emplace_back((i * 7 % 20) * (i % 2 == 0 ? 0.25 : -0.25));
  const DenseArrays<T> dense(x, SIMTSPARSE_ORDER_COL);
  const SparseArrays<T> a(x);  // without the 0
  REQUIRE_EQ(a.nnz, 19);
  const auto rows = a.row_offsets->data(), columns = a.column_indices->data();
  std::size_t size = 0;
  // Of 20 numbers, 30 % are at most 1.25; of 19, ceil(5.7) = 6 are at most 1.5. At least one is dropped.
  const double dense_limits[] = {0, 1.25, 4.75}, csr_limits[] = {0.25, 1.5, 4.75};
  const float percentages[] = {0, 30, 100};
  for (int i = 0; i < 3; ++i) {
    Output<T> c(4, 5), d(4, 5);
    CHECK_SPARSE(Prune<T>::dense_part_size(handle, 4, 5, dense.data(), dense.ld(), percentages[i], c.matrix, nullptr,
                                           nullptr, nullptr, info, &size));
    CHECK_GT(size, 0);
    CHECK_SPARSE(Prune<T>::dense_part_nnz(handle, 4, 5, dense.data(), dense.ld(), percentages[i], c.matrix,
                                          c.offsets.data(), &c.total, info, nullptr));
    CHECK_SPARSE(Prune<T>::dense_part(handle, 4, 5, dense.data(), dense.ld(), percentages[i], c.matrix, c.values.data(),
                                      c.offsets.data(), c.indices.data(), info, nullptr));
    check(c, above(x, dense_limits[i]));
    CHECK_SPARSE(Prune<T>::csr_part_size(handle, 4, 5, a.nnz, matrix, a.values->data(), rows, columns, percentages[i],
                                         d.matrix, nullptr, nullptr, nullptr, info, &size));
    CHECK_SPARSE(Prune<T>::csr_part_nnz(handle, 4, 5, a.nnz, matrix, a.values->data(), rows, columns, percentages[i],
                                        d.matrix, d.offsets.data(), &d.total, info, nullptr));
    CHECK_SPARSE(Prune<T>::csr_part(handle, 4, 5, a.nnz, matrix, a.values->data(), rows, columns, percentages[i],
                                    d.matrix, d.values.data(), d.offsets.data(), d.indices.data(), info, nullptr));
    check(d, above(x, csr_limits[i]));
  }
}

/// Functions of compression, and type of the API.
template <class T>
struct Compress;
#define COMPRESS(S, T, Type)                                            \
  template <>                                                           \
  struct Compress<T> {                                                  \
    using Number = Type;                                                \
    static constexpr auto count = simtsparse##S##nnz_compress;          \
    static constexpr auto compress = simtsparse##S##csr2csr_compress;   \
  };
COMPRESS(S, float, float)
COMPRESS(D, double, double)
COMPRESS(C, std::complex<float>, simtComplex)
COMPRESS(Z, std::complex<double>, simtDoubleComplex)
#undef COMPRESS

TEST_CASE_TEMPLATE("compression of a CSR matrix", T, BLAS_TYPES) {
  using Number = typename Compress<T>::Number;
  const SparseHandle handle;
  const Dense x = random_sparse<T>(6, 5, 8);
  const SparseArrays<T> a(x, 1);
  const T limit = T(0.5);
  Output<T> c(6, 5);
  const DeviceArray<int> each(6);
  const auto number = *reinterpret_cast<const Number*>(&limit);
  const auto values = reinterpret_cast<const Number*>(a.values->data());
  CHECK_SPARSE(Compress<T>::count(handle, 6, c.matrix, values, a.row_offsets->data(), each.data(), &c.total, number));
  CHECK_SPARSE(Compress<T>::compress(handle, 6, 5, c.matrix, values, a.column_indices->data(), a.row_offsets->data(),
                                     a.nnz, each.data(), reinterpret_cast<Number*>(c.values.data()), c.indices.data(),
                                     c.offsets.data(), number));
  check(c, above(x, 0.5));
  CHECK_LT(c.total, a.nnz);
  CHECK_EQ(each.values()[1], 0);
}

TEST_CASE("rejected arguments of pruning and compression") {
  const SparseHandle handle;
  const PruneInfo info;
  const LegacyMatrix general, symmetric;
  REQUIRE_SPARSE(simtsparseSetMatType(symmetric, SIMTSPARSE_MATRIX_TYPE_SYMMETRIC));
  const DeviceArray<float> a(4);
  const DeviceArray<int> i(4);
  const float limit = 1;
  int total = 0;
  std::size_t size = 0;
  const auto invalid = SIMTSPARSE_STATUS_INVALID_VALUE;
  const auto nnz = [&](simtsparseHandle_t own, int m, int lda, const float* threshold, simtsparseMatDescr_t c) {
    return simtsparseSpruneDense2csrNnz(own, m, 2, a.data(), lda, threshold, c, i.data(), &total, nullptr);
  };
  CHECK_EQ(nnz(nullptr, 2, 2, &limit, general), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(nnz(handle, -1, 2, &limit, general), invalid);
  CHECK_EQ(nnz(handle, 2, 1, &limit, general), invalid);
  CHECK_EQ(nnz(handle, 2, 2, nullptr, general), invalid);
  CHECK_EQ(nnz(handle, 2, 2, &limit, nullptr), invalid);
  CHECK_EQ(nnz(handle, 2, 2, &limit, symmetric), SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  CHECK_EQ(simtsparseSpruneCsr2csrNnz(handle, 2, 2, 2, symmetric, a.data(), i.data(), i.data(), &limit, general, i.data(),
                                      &total, nullptr),
           SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  for (const float percentage : {-1.0F, 101.0F, NAN}) {
    CHECK_EQ(simtsparseSpruneDense2csrByPercentage_bufferSizeExt(handle, 2, 2, a.data(), 2, percentage, general, nullptr,
                                                                 nullptr, nullptr, info, &size),
             invalid);
  }
  CHECK_EQ(simtsparseSpruneDense2csrNnzByPercentage(handle, 2, 2, a.data(), 2, 50, general, i.data(), &total, nullptr,
                                                    nullptr),
           invalid);  // no info
  CHECK_EQ(simtsparseSnnz_compress(nullptr, 2, general, a.data(), i.data(), i.data(), &total, 0),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseSnnz_compress(handle, 2, general, a.data(), i.data(), i.data(), &total, -1), invalid);
  CHECK_EQ(simtsparseSnnz_compress(handle, 2, general, a.data(), i.data(), i.data(), nullptr, 0), invalid);
  CHECK_EQ(simtsparseScsr2csr_compress(handle, 2, 2, general, a.data(), i.data(), i.data(), 2, nullptr, a.data(),
                                       i.data(), i.data(), 0),
           invalid);
}

}  // namespace
