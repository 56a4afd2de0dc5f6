// Contents of the descriptors of simtsparse. A call reads them; submitted work has copies.
//
// Ownership: the program owns descriptors and their arrays.
// Threads: the thread that makes the call reads them.
// Memory ordering: there are no atomics.
#pragma once

#include <simtsparse.h>

#include <algorithm>
#include <cstdint>
#include <complex>
#include <memory>
#include <vector>

struct simtsparseMatDescr {
  simtsparseMatrixType_t type = SIMTSPARSE_MATRIX_TYPE_GENERAL;
  simtsparseFillMode_t fill = SIMTSPARSE_FILL_MODE_LOWER;
  simtsparseDiagType_t diagonal = SIMTSPARSE_DIAG_TYPE_NON_UNIT;
  simtsparseIndexBase_t base = SIMTSPARSE_INDEX_BASE_ZERO;
};

enum class SparseFormat { kCoo, kCsr, kCsc, kBsr, kBlockedEll, kSlicedEll };

struct simtsparseSpMatDescr {
  SparseFormat format;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t nnz;
  // Row of each entry (COO), or offsets of the rows (CSR), of the columns (CSC), of the rows of blocks (BSR) or of the
  // slices (sliced ELL).
  void* row_indices;
  void* column_indices;  // of entries, or of blocks (BSR, blocked ELL); rows of entries (CSC)
  void* values;
  simtsparseIndexType_t row_index_type;
  simtsparseIndexType_t column_index_type;
  simtsparseIndexBase_t base;
  simtDataType type;
  int batch = 1;
  std::int64_t offsets_stride = 0;
  std::int64_t entries_stride = 0;
  std::int64_t values_stride = 0;
  // Rows of a block (BSR, blocked ELL) or of a slice (sliced ELL), and columns of a block.
  std::int64_t block_rows = 1;
  std::int64_t block_columns = 1;
  simtsparseOrder_t block_order = SIMTSPARSE_ORDER_ROW;  // of the numbers of a block (BSR)
  std::int64_t width = 0;                                // numbers that each row has (blocked ELL)
  simtsparseFillMode_t fill = SIMTSPARSE_FILL_MODE_LOWER;
  simtsparseDiagType_t diagonal = SIMTSPARSE_DIAG_TYPE_NON_UNIT;
};

struct simtsparseDnMatDescr {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t ld;
  void* values;
  simtDataType type;
  simtsparseOrder_t order;
  int batch = 1;
  std::int64_t stride = 0;
};

struct simtsparseDnVecDescr {
  std::int64_t size;
  void* values;
  simtDataType type;
};

struct simtsparseSpVecDescr {
  std::int64_t size;
  std::int64_t nnz;
  void* indices;
  void* values;
  simtsparseIndexType_t index_type;
  simtsparseIndexBase_t base;
  simtDataType type;
};

namespace simtrt {

/// CSR matrix with 32-bit indices from 0: intermediate result between the call that computes it and the call that
/// copies it.
struct SparseResult {
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> column_indices;
  std::vector<unsigned char> values;
};

/// Returns a vector as a matrix with one column.
inline simtsparseDnMatDescr as_matrix(const simtsparseDnVecDescr& vector) {
  return {vector.size,   1,           std::max<std::int64_t>(vector.size, 1),
          vector.values, vector.type, SIMTSPARSE_ORDER_COL};
}

}  // namespace simtrt

struct simtsparseSpGEMMDescr {
  std::shared_ptr<simtrt::SparseResult> result;  // null before the second compute call
  std::int64_t products = -1;                    // of entries of the operands; -1 before workEstimation
};

namespace simtrt {

/// Result of the analysis of a triangular matrix, and values that replace those of its array.
struct TriangularState {
  bool analysed = false;
  simtsparseSpMatDescr matrix{};
  std::shared_ptr<std::vector<unsigned char>> values;  // null without an update; written in stream order
};

}  // namespace simtrt

struct simtsparseSpSVDescr : simtrt::TriangularState {};
struct simtsparseSpSMDescr : simtrt::TriangularState {};

namespace simtrt {

/// Result of a solve or a factorisation: first row, or row of blocks, with a zero pivot, or -1. Written in stream order.
struct PivotState {
  bool analysed = false;
  std::shared_ptr<int> zero_pivot = std::make_shared<int>(-1);
};

/// Waits for the stream and reports the zero pivot. Errors: SIMTSPARSE_STATUS_ZERO_PIVOT if there is one.
simtsparseStatus_t report_pivot(simtsparseHandle_t handle, const PivotState* state, int* place);

}  // namespace simtrt

struct bsrsv2Info : simtrt::PivotState {};
struct bsrsm2Info : simtrt::PivotState {};
/// Number that replaces small pivots of an incomplete LU factorisation.
struct csrilu02Info : simtrt::PivotState {
  bool is_boosted = false;
  double tolerance = 0;
  std::complex<double> boost;
};
struct csric02Info : simtrt::PivotState {};
/// Every function computes the threshold that it needs from the matrix.
struct pruneInfo {};
/// Places before the sort of the entries of a CSR matrix; null before csru2csr. Written in stream order.
struct csru2csrInfo {
  std::shared_ptr<std::vector<int>> places;
};
