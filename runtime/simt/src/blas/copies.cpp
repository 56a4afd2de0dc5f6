// Copies strided vectors and matrices between host and device.
#include "blas/context.h"

namespace simtrt {
namespace {

struct Stream {
  bool asynchronous;
  simtStream_t stream;
};

/// Copies `columns` runs of `run` bytes each. Runs begin `from_step` bytes apart in the source and
/// `to_step` bytes apart in the destination.
simtblasStatus_t copy(std::size_t run, std::size_t columns, const void* from, std::size_t from_step,
                      void* to, std::size_t to_step, simtMemcpyKind kind, const Stream& stream) {
  const simtError_t error =
      stream.asynchronous
          ? simtMemcpy2DAsync(to, to_step, from, from_step, run, columns, kind, stream.stream)
          : simtMemcpy2D(to, to_step, from, from_step, run, columns, kind);
  return error == simtSuccess ? SIMTBLAS_STATUS_SUCCESS : SIMTBLAS_STATUS_MAPPING_ERROR;
}

simtblasStatus_t copy_vector(int n, int element, const void* x, int incx, void* y, int incy,
                             simtMemcpyKind kind, const Stream& stream) {
  if (element <= 0 || incx <= 0 || incy <= 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  // cuBLAS leaves this to the copy, which fails.
  if (n < 0) {
    return SIMTBLAS_STATUS_MAPPING_ERROR;
  }
  if (n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const auto size = static_cast<std::size_t>(element);
  const auto count = static_cast<std::size_t>(n);
  if (incx == 1 && incy == 1) {
    return copy(size * count, 1, x, size * count, y, size * count, kind, stream);
  }
  return copy(size, count, x, size * static_cast<std::size_t>(incx), y,
              size * static_cast<std::size_t>(incy), kind, stream);
}

simtblasStatus_t copy_matrix(int rows, int columns, int element, const void* a, int lda, void* b,
                             int ldb, simtMemcpyKind kind, const Stream& stream) {
  if (rows < 0 || columns < 0 || element <= 0 || lda <= 0 || ldb <= 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (lda < rows || ldb < rows) {
    return SIMTBLAS_STATUS_MAPPING_ERROR;
  }
  if (rows == 0 || columns == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  const auto size = static_cast<std::size_t>(element);
  return copy(size * static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), a,
              size * static_cast<std::size_t>(lda), b, size * static_cast<std::size_t>(ldb), kind,
              stream);
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

#define DEFINE_COPIES(direction, kind)                                                            \
  simtblasStatus_t simtblas##direction##Vector(int n, int elemSize, const void* x, int incx,      \
                                               void* y, int incy) {                               \
    return copy_vector(n, elemSize, x, incx, y, incy, kind, {false, nullptr});                    \
  }                                                                                               \
  simtblasStatus_t simtblas##direction##VectorAsync(int n, int elemSize, const void* x, int incx, \
                                                    void* y, int incy, simtStream_t stream) {     \
    return copy_vector(n, elemSize, x, incx, y, incy, kind, {true, stream});                      \
  }                                                                                               \
  simtblasStatus_t simtblas##direction##Matrix(int rows, int cols, int elemSize, const void* A,   \
                                               int lda, void* B, int ldb) {                       \
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, kind, {false, nullptr});             \
  }                                                                                               \
  simtblasStatus_t simtblas##direction##MatrixAsync(int rows, int cols, int elemSize,             \
                                                    const void* A, int lda, void* B, int ldb,     \
                                                    simtStream_t stream) {                        \
    return copy_matrix(rows, cols, elemSize, A, lda, B, ldb, kind, {true, stream});               \
  }
DEFINE_COPIES(Set, simtMemcpyHostToDevice)
DEFINE_COPIES(Get, simtMemcpyDeviceToHost)

}  // extern "C"
