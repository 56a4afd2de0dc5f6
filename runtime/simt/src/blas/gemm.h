// Matrix product by the host's BLAS on the runtime's workers. As in CUDA, operands with a factor of
// 0 are not read.
#pragma once

#include <algorithm>
#include <cstddef>

#include "blas/batch.h"
#include "blas/context.h"

namespace simtrt {

/// C *= beta. For beta 0, C is not read.
template <class T>
void scale_matrix(int m, int n, T beta, T* c, int ldc) {
  if (beta == T(1)) {
    return;
  }
  for (int j = 0; j < n; ++j) {
    T* const column = c + static_cast<std::ptrdiff_t>(j) * ldc;
    if (beta == T()) {
      std::fill(column, column + m, T());
    } else {
      for (int i = 0; i < m; ++i) {
        column[i] *= beta;
      }
    }
  }
}

inline double gemm_work(int m, int n, int k) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

/// Blocks of C in a product; each block is computed by one worker.
struct GemmBlocks {
  int rows;
  int columns;
};

/// Blocks of C for the given sizes. Blocks of 256 x 256 cost a few percent of time, because the
/// BLAS packs parts of A and B once for each block. Smaller blocks, down to 128 x 128, are used
/// only if some workers would otherwise be idle.
inline GemmBlocks gemm_blocks(int m, int n, int k) {
  GemmBlocks blocks{m, n};
  const int wanted = worker_parts();
  int parts = 1;
  for (;;) {
    const int larger = std::max(blocks.rows, blocks.columns);
    const double work = gemm_work(blocks.rows, blocks.columns, k);
    const bool divides = parts < wanted ? larger > 128 && work > 8 * kHandOverWork
                                        : larger > 256 && work > 16 * kHandOverWork;
    if (!divides || wanted == 1) {
      return blocks;
    }
    (blocks.rows > blocks.columns ? blocks.rows : blocks.columns) = (larger + 1) / 2;
    parts *= 2;
  }
}

/// C = alpha op(A) op(B) + beta C. Precondition: alpha and all sizes are not 0.
template <class T>
void gemm_on_workers(simtblasOperation_t transa, simtblasOperation_t transb, int m, int n, int k,
                     T alpha, const T* a, std::ptrdiff_t lda, const T* b, std::ptrdiff_t ldb,
                     T beta, T* c, std::ptrdiff_t ldc) {
  const auto [rows, columns] = gemm_blocks(m, n, k);
  const int of_rows = (m - 1) / rows + 1;
  const int of_columns = (n - 1) / columns + 1;
  const auto one = [&, rows = rows, columns = columns](int index) {
    const int row = index % of_rows * rows;
    const int column = index / of_rows * columns;
    const int height = std::min(rows, m - row);
    const int width = std::min(columns, n - column);
    T* const block = c + row + column * ldc;
    if (beta == T() && (height == 1 || width == 1)) {
      // This case is computed without OpenBLAS: OpenBLAS would call gemv, and its releases differ
      // in the result of 0 * NaN.
      scale_matrix(height, width, beta, block, static_cast<int>(ldc));
    }
    host_blas::gemm(native(transa), native(transb), height, width, k, alpha,
                    a + row * (transa == SIMTBLAS_OP_N ? 1 : lda), static_cast<int>(lda),
                    b + column * (transb == SIMTBLAS_OP_N ? ldb : 1), static_cast<int>(ldb), beta,
                    block, static_cast<int>(ldc));
  };
  const int count = of_rows * of_columns;
  if (count == 1) {
    return one(0);
  }
  parallel_for(static_cast<std::size_t>(count), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t index = begin; index < end; ++index) {
      one(static_cast<int>(index));
    }
  });
}

/// C = alpha op(A) op(B) + beta C. A and B are not read if alpha or k is 0; C is not read if beta
/// is 0.
template <class T>
void gemm_on_host(simtblasOperation_t transa, simtblasOperation_t transb, int m, int n, int k,
                  T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc) {
  if (k == 0 || alpha == T()) {
    scale_matrix(m, n, beta, c, ldc);
    return;
  }
  gemm_on_workers(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// True if cuBLAS accepts these sizes and operations.
inline bool valid_gemm(simtblasOperation_t transa, simtblasOperation_t transb, int m, int n, int k,
                       int lda, int ldb, int ldc) {
  return valid(transa) && valid(transb) && m >= 0 && n >= 0 && k >= 0 &&
         valid_ld(lda, transa == SIMTBLAS_OP_N ? m : k) &&
         valid_ld(ldb, transb == SIMTBLAS_OP_N ? k : n) && valid_ld(ldc, m);
}

}  // namespace simtrt
