// Analysis, factorisation and solution in separate calls: Cholesky and QR on the device, LU on the host.
#include "grid.h"

#include <cusolverSp_LOWLEVEL_PREVIEW.h>

/// Device memory of a query of buffer sizes.
void* buffer_of(size_t size) {
  void* buffer = nullptr;
  CHECK(cudaMalloc(&buffer, size));
  return buffer;
}

int main() {
  Grid a(30, 1);
  for (double& value : a.values) {
    if (value != 4) value = -1;  // symmetric
  }
  cusolverSpHandle_t handle = nullptr;
  CHECK(cusolverSpCreate(&handle));
  const cusparseMatDescr_t matrix = describe(a);
  const std::vector<double> right(a.n, 1.0);
  std::vector<double> x(a.n);
  int* offsets = to_device(a.offsets);
  int* columns = to_device(a.columns);
  double* values = to_device(a.values);
  double* device_b = to_device(right);
  double* device_x = to_device(x);
  size_t internal = 0, size = 0;
  int position = 0;
  double worst = 0;
  const auto compare = [&] {
    CHECK(cudaMemcpy(x.data(), device_x, a.n * sizeof(double), cudaMemcpyDeviceToHost));
    worst = std::fmax(worst, residual(a, right, x));
  };

  csrcholInfo_t cholesky = nullptr;
  CHECK(cusolverSpCreateCsrcholInfo(&cholesky));
  CHECK(cusolverSpXcsrcholAnalysis(handle, a.n, a.nnz, matrix, offsets, columns, cholesky));
  CHECK(cusolverSpDcsrcholBufferInfo(handle, a.n, a.nnz, matrix, values, offsets, columns, cholesky, &internal, &size));
  void* buffer = buffer_of(size);
  CHECK(cusolverSpDcsrcholFactor(handle, a.n, a.nnz, matrix, values, offsets, columns, cholesky, buffer));
  CHECK(cusolverSpDcsrcholZeroPivot(handle, cholesky, 1e-14, &position));
  if (position >= 0) return 1;
  CHECK(cusolverSpDcsrcholSolve(handle, a.n, device_b, device_x, cholesky, buffer));
  compare();
  CHECK(cudaFree(buffer));
  CHECK(cusolverSpDestroyCsrcholInfo(cholesky));

  csrqrInfo_t qr = nullptr;
  CHECK(cusolverSpCreateCsrqrInfo(&qr));
  CHECK(cusolverSpXcsrqrAnalysis(handle, a.n, a.n, a.nnz, matrix, offsets, columns, qr));
  CHECK(cusolverSpDcsrqrBufferInfo(handle, a.n, a.n, a.nnz, matrix, values, offsets, columns, qr, &internal, &size));
  buffer = buffer_of(size);
  CHECK(cusolverSpDcsrqrSetup(handle, a.n, a.n, a.nnz, matrix, values, offsets, columns, 0.0, qr));
  CHECK(cusolverSpDcsrqrFactor(handle, a.n, a.n, a.nnz, nullptr, nullptr, qr, buffer));
  CHECK(cusolverSpDcsrqrZeroPivot(handle, qr, 1e-14, &position));
  if (position >= 0) return 1;
  CHECK(cusolverSpDcsrqrSolve(handle, a.n, a.n, device_b, device_x, qr, buffer));
  compare();
  CHECK(cudaFree(buffer));
  CHECK(cusolverSpDestroyCsrqrInfo(qr));

  csrluInfoHost_t lu = nullptr;
  CHECK(cusolverSpCreateCsrluInfoHost(&lu));
  CHECK(cusolverSpXcsrluAnalysisHost(handle, a.n, a.nnz, matrix, a.offsets.data(), a.columns.data(), lu));
  CHECK(cusolverSpDcsrluFactorHost(handle, a.n, a.nnz, matrix, a.values.data(), a.offsets.data(),
                                   a.columns.data(), lu, 1.0, nullptr));
  CHECK(cusolverSpDcsrluZeroPivotHost(handle, lu, 1e-14, &position));
  if (position >= 0) return 1;
  CHECK(cusolverSpDcsrluSolveHost(handle, a.n, right.data(), x.data(), lu, nullptr));
  worst = std::fmax(worst, residual(a, right, x));
  CHECK(cusolverSpDestroyCsrluInfoHost(lu));

  CHECK(cusparseDestroyMatDescr(matrix));
  CHECK(cusolverSpDestroy(handle));
  return report("low_level", worst);
}
