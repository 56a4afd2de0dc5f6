// Conversions between CSR matrices and matrices of blocks. cuSPARSE 12.4 documentation, "cuSPARSE Format Conversion
// Reference": csr2bsr, bsr2csr, csr2gebsr, gebsr2csr.
#include "sparse_test.h"

namespace {

/// Functions and type of the API for numbers of type T.
template <class T>
struct Conversions;
#define CONVERSIONS(letter, T, Api)                                        \
  template <>                                                              \
  struct Conversions<T> {                                                  \
    using type = Api;                                                      \
    static constexpr auto to_bsr = simtsparse##letter##csr2bsr;            \
    static constexpr auto from_bsr = simtsparse##letter##bsr2csr;          \
    static constexpr auto size = simtsparse##letter##csr2gebsr_bufferSize; \
    static constexpr auto size_ext = simtsparse##letter##csr2gebsr_bufferSizeExt; \
    static constexpr auto to_gebsr = simtsparse##letter##csr2gebsr;        \
    static constexpr auto from_gebsr = simtsparse##letter##gebsr2csr;      \
  }
CONVERSIONS(S, float, float);
CONVERSIONS(D, double, double);
CONVERSIONS(C, std::complex<float>, simtComplex);
CONVERSIONS(Z, std::complex<double>, simtDoubleComplex);
#undef CONVERSIONS

template <class T>
auto* of(const DeviceArray<T>& array) {
  return reinterpret_cast<typename Conversions<T>::type*>(array.data());
}

/// Dense form of a CSR matrix with entries in ascending order; counts the entries.
template <class T>
Dense dense_of(int rows, int columns, int base, const std::vector<int>& offsets,
               const std::vector<int>& column_of, const std::vector<T>& values) {
  Dense x{rows, columns, std::vector<Wide>(static_cast<std::size_t>(rows) * columns)};
  for (int i = 0; i < rows; ++i) {
    for (int e = offsets[i] - base; e < offsets[i + 1] - base; ++e) {
      if (e > offsets[i] - base) CHECK_LT(column_of[e - 1], column_of[e]);
      x.at(i, column_of[e] - base) = to_wide(values[e]);
    }
  }
  return x;
}

TEST_CASE("csr2bsr: blocks with an entry, filled with zeros, in both orders of numbers") {
  const SparseHandle handle;
  const LegacyMatrix from, to;
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(to, SIMTSPARSE_INDEX_BASE_ONE));
  // The last row of blocks has one row of the matrix only.
  const SparseArrays<float> csr(Dense{3, 4, {0, 0, 1, 2, 0, 0, 0, 3, 4, 0, 0, 0}});
  const DeviceArray<int> offsets(3), columns(2);
  const DeviceArray<float> blocks(8, -1.0f);
  for (const auto direction : {SIMTSPARSE_DIRECTION_ROW, SIMTSPARSE_DIRECTION_COLUMN}) {
    int count = 0;
    CHECK_SPARSE(simtsparseXcsr2bsrNnz(handle, direction, 3, 4, from, csr.row_offsets->data(),
                                       csr.column_indices->data(), 2, to, offsets.data(), &count));
    CHECK_EQ(count, 2);
    CHECK_SPARSE(simtsparseScsr2bsr(handle, direction, 3, 4, from, csr.values->data(),
                                    csr.row_offsets->data(), csr.column_indices->data(), 2, to,
                                    blocks.data(), offsets.data(), columns.data()));
    CHECK_EQ(offsets.values(), std::vector<int>{1, 2, 3});
    CHECK_EQ(columns.values(), std::vector<int>{2, 1});
    CHECK_EQ(blocks.values(), direction == SIMTSPARSE_DIRECTION_ROW
                                  ? std::vector<float>{1, 2, 0, 3, 4, 0, 0, 0}
                                  : std::vector<float>{1, 0, 2, 3, 4, 0, 0, 0});
  }
}

TEST_CASE_TEMPLATE("csr2gebsr and gebsr2csr: there and back", T, BLAS_TYPES) {
  using Functions = Conversions<T>;
  const SparseHandle handle;
  const LegacyMatrix from, to;
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(from, SIMTSPARSE_INDEX_BASE_ONE));
  const Dense x = random_sparse<T>(6, 12, 9);
  const SparseArrays<T> csr(x, 1, true);
  const DeviceArray<int> offsets(7), total(1);
  const auto direction = SIMTSPARSE_DIRECTION_COLUMN;
  for (const int rows : {1, 2, 3}) {
    for (const int columns : {2, 3}) {
      std::size_t size_ext = 0;
      int size = 0, count = 0;
      CHECK_SPARSE(Functions::size(handle, direction, 6, 12, from, of(*csr.values),
                                   csr.row_offsets->data(), csr.column_indices->data(), rows,
                                   columns, &size));
      CHECK_SPARSE(Functions::size_ext(handle, direction, 6, 12, from, of(*csr.values),
                                       csr.row_offsets->data(), csr.column_indices->data(), rows,
                                       columns, &size_ext));
      CHECK_GT(size, 0);
      CHECK_GT(size_ext, 0);
      REQUIRE_SPARSE(simtsparseSetPointerMode(handle, SIMTSPARSE_POINTER_MODE_DEVICE));
      CHECK_SPARSE(simtsparseXcsr2gebsrNnz(handle, direction, 6, 12, from, csr.row_offsets->data(),
                                           csr.column_indices->data(), to, offsets.data(), rows,
                                           columns, total.data(), nullptr));
      count = total.values()[0];
      REQUIRE_SPARSE(simtsparseSetPointerMode(handle, SIMTSPARSE_POINTER_MODE_HOST));
      CHECK_EQ(count, offsets.values()[6 / rows]);

      const DeviceArray<int> block_columns(count);
      const DeviceArray<T> blocks(static_cast<std::size_t>(count * rows * columns));
      CHECK_SPARSE(Functions::to_gebsr(handle, direction, 6, 12, from, of(*csr.values),
                                       csr.row_offsets->data(), csr.column_indices->data(), to,
                                       of(blocks), offsets.data(), block_columns.data(), rows,
                                       columns, nullptr));
      const DeviceArray<int> back_offsets(7);
      const DeviceArray<int> back_columns(static_cast<std::size_t>(count * rows * columns));
      const DeviceArray<T> back(static_cast<std::size_t>(count * rows * columns));
      CHECK_SPARSE(Functions::from_gebsr(handle, direction, 6 / rows, 12 / columns, to, of(blocks),
                                         offsets.data(), block_columns.data(), rows, columns, from,
                                         of(back), back_offsets.data(), back_columns.data()));
      const Dense result =
          dense_of(6, 12, 1, back_offsets.values(), back_columns.values(), back.values());
      CHECK_EQ(distance(result, x), 0);
      CHECK_EQ(back_offsets.values()[6], count * rows * columns + 1);

      const DeviceArray<int> pattern_columns(static_cast<std::size_t>(count * rows * columns));
      CHECK_SPARSE(simtsparseXgebsr2csr(handle, direction, 6 / rows, 12 / columns, to,
                                        offsets.data(), block_columns.data(), rows, columns, from,
                                        back_offsets.data(), pattern_columns.data()));
      CHECK_EQ(pattern_columns.values(), back_columns.values());
    }
  }
}

TEST_CASE_TEMPLATE("csr2bsr and bsr2csr: there and back, also captured", T, BLAS_TYPES) {
  using Functions = Conversions<T>;
  const SparseHandle handle;
  const TestStream stream;
  REQUIRE_SPARSE(simtsparseSetStream(handle, stream));
  const LegacyMatrix matrix;
  const Dense x = random_sparse<T>(6, 6, 4);
  const SparseArrays<T> csr(x);
  const DeviceArray<int> offsets(3), block_columns(4), back_offsets(7), back_columns(36);
  const DeviceArray<T> blocks(36), back(36);
  int count = 0;
  CHECK_SPARSE(simtsparseXcsr2bsrNnz(handle, SIMTSPARSE_DIRECTION_ROW, 6, 6, matrix,
                                     csr.row_offsets->data(), csr.column_indices->data(), 3, matrix,
                                     offsets.data(), &count));
  simtGraph_t graph;
  simtGraphExec_t launchable;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeThreadLocal));
  CHECK_SPARSE(Functions::to_bsr(handle, SIMTSPARSE_DIRECTION_ROW, 6, 6, matrix, of(*csr.values),
                                 csr.row_offsets->data(), csr.column_indices->data(), 3, matrix,
                                 of(blocks), offsets.data(), block_columns.data()));
  CHECK_SPARSE(Functions::from_bsr(handle, SIMTSPARSE_DIRECTION_ROW, 2, 2, matrix, of(blocks),
                                   offsets.data(), block_columns.data(), 3, matrix, of(back),
                                   back_offsets.data(), back_columns.data()));
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphInstantiate(&launchable, graph, 0));
  REQUIRE_OK(simtGraphLaunch(launchable, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(back_offsets.values()[6], count * 9);
  CHECK_EQ(distance(dense_of(6, 6, 0, back_offsets.values(), back_columns.values(), back.values()),
                    x),
           0);
  REQUIRE_OK(simtGraphExecDestroy(launchable));
  REQUIRE_OK(simtGraphDestroy(graph));
}

TEST_CASE("conversions of blocks: bad arguments") {
  const SparseHandle handle;
  const LegacyMatrix general, symmetric;
  REQUIRE_SPARSE(simtsparseSetMatType(symmetric, SIMTSPARSE_MATRIX_TYPE_SYMMETRIC));
  const DeviceArray<int> numbers(8);
  int* const i = numbers.data();
  int count = 0;
  const auto nnz = [&](simtsparseHandle_t own, int m, int block, simtsparseMatDescr_t from,
                       int* total) {
    return simtsparseXcsr2bsrNnz(own, SIMTSPARSE_DIRECTION_ROW, m, 2, from, i, i, block, general, i,
                                 total);
  };
  CHECK_EQ(nnz(nullptr, 2, 2, general, &count), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(nnz(handle, -1, 2, general, &count), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(nnz(handle, 2, 0, general, &count), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(nnz(handle, 2, 2, nullptr, &count), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(nnz(handle, 2, 2, general, nullptr), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(nnz(handle, 2, 2, symmetric, &count), SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  CHECK_EQ(simtsparseSbsr2csr(handle, SIMTSPARSE_DIRECTION_ROW, 1, 1, general, nullptr, nullptr, i,
                              2, general, nullptr, i, i),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
