// Conversion of matrices of blocks to columns of blocks. cuSPARSE 12.4 documentation, "cusparse<t>gebsr2gebsc".
#include "sparse_test.h"

namespace {

TEST_CASE("rows of blocks become columns of blocks") {
  const SparseHandle handle;
  // 2 x 3 blocks of 1 x 2 numbers, from the index base 1: (1 2) . (3 4) / (5 6) (7 8) .
  const DeviceArray<int> offsets(std::vector<int>{1, 3, 5}), columns(std::vector<int>{1, 3, 1, 2});
  const DeviceArray<int> found_offsets(4), found_rows(4, 9);
  for (const auto action : {SIMTSPARSE_ACTION_SYMBOLIC, SIMTSPARSE_ACTION_NUMERIC}) {
    const DeviceArray<double> values(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}), found(8, 0.0);
    int size = 0;
    std::size_t bytes = 0;
    CHECK_SPARSE(simtsparseDgebsr2gebsc_bufferSize(handle, 2, 3, 4, values.data(), offsets.data(), columns.data(), 1, 2,
                                                   &size));
    CHECK_SPARSE(simtsparseDgebsr2gebsc_bufferSizeExt(handle, 2, 3, 4, values.data(), offsets.data(), columns.data(), 1, 2,
                                                      &bytes));
    CHECK_GT(size, 0);
    CHECK_EQ(bytes, size);
    CHECK_SPARSE(simtsparseDgebsr2gebsc(handle, 2, 3, 4, values.data(), offsets.data(), columns.data(), 1, 2, found.data(),
                                        found_rows.data(), found_offsets.data(), action, SIMTSPARSE_INDEX_BASE_ONE,
                                        nullptr));
    CHECK_EQ(found_offsets.values(), std::vector<int>{1, 3, 4, 5});
    CHECK_EQ(found_rows.values(), std::vector<int>{1, 2, 2, 1});
    CHECK_EQ(found.values(), action == SIMTSPARSE_ACTION_NUMERIC ? std::vector<double>{1, 2, 5, 6, 7, 8, 3, 4}
                                                                 : std::vector<double>(8));
  }
}

TEST_CASE("columns of blocks of complex numbers, and rejected arguments") {
  const SparseHandle handle;
  const DeviceArray<int> offsets(std::vector<int>{0, 1, 2}), columns(std::vector<int>{1, 0}), found_offsets(3), rows(2);
  const DeviceArray<simtComplex> values(std::vector<simtComplex>{{1, 2}, {3, 4}}), found(2);
  const auto call = [&](simtsparseHandle_t own, int mb, int rows_of_block, int* row_indices, simtsparseAction_t action) {
    return simtsparseCgebsr2gebsc(own, mb, 2, 2, values.data(), offsets.data(), columns.data(), rows_of_block, 1,
                                  found.data(), row_indices, found_offsets.data(), action, SIMTSPARSE_INDEX_BASE_ZERO,
                                  nullptr);
  };
  const auto numeric = SIMTSPARSE_ACTION_NUMERIC;
  CHECK_SPARSE(call(handle, 2, 1, rows.data(), numeric));
  CHECK_EQ(rows.values(), std::vector<int>{1, 0});
  CHECK_EQ(found.values()[0].x, 3);
  CHECK_EQ(found.values()[1].y, 2);
  CHECK_EQ(call(nullptr, 2, 1, rows.data(), numeric), SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(call(handle, -1, 1, rows.data(), numeric), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 2, 0, rows.data(), numeric), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 2, 1, nullptr, numeric), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(call(handle, 2, 1, rows.data(), static_cast<simtsparseAction_t>(7)), SIMTSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
