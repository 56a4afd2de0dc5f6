// LU factors from the host, and refactorisation of matrices with other values on the device.
#include "grid.h"

#include <cusolverRf.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

int main() {
  Grid a(25, 0);
  cusolverSpHandle_t handle = nullptr;
  csrluInfoHost_t lu = nullptr;
  CHECK(cusolverSpCreate(&handle));
  CHECK(cusolverSpCreateCsrluInfoHost(&lu));
  const cusparseMatDescr_t matrix = describe(a);
  CHECK(cusolverSpXcsrluAnalysisHost(handle, a.n, a.nnz, matrix, a.offsets.data(), a.columns.data(), lu));
  CHECK(cusolverSpDcsrluFactorHost(handle, a.n, a.nnz, matrix, a.values.data(), a.offsets.data(),
                                   a.columns.data(), lu, 1.0, nullptr));
  int nnz_l = 0, nnz_u = 0;
  CHECK(cusolverSpXcsrluNnzHost(handle, &nnz_l, &nnz_u, lu));
  std::vector<int> p(a.n), q(a.n), offsets_l(a.n + 1), columns_l(nnz_l), offsets_u(a.n + 1), columns_u(nnz_u);
  std::vector<double> values_l(nnz_l), values_u(nnz_u);
  CHECK(cusolverSpDcsrluExtractHost(handle, p.data(), q.data(), matrix, values_l.data(), offsets_l.data(),
                                    columns_l.data(), matrix, values_u.data(), offsets_u.data(),
                                    columns_u.data(), lu, nullptr));

  cusolverRfHandle_t rf = nullptr;
  CHECK(cusolverRfCreate(&rf));
  CHECK(cusolverRfSetNumericProperties(rf, 0.0, 0.0));
  CHECK(cusolverRfSetAlgs(rf, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
  CHECK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  CHECK(cusolverRfSetResetValuesFastMode(rf, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON));
  CHECK(cusolverRfSetupHost(a.n, a.nnz, a.offsets.data(), a.columns.data(), a.values.data(), nnz_l,
                            offsets_l.data(), columns_l.data(), values_l.data(), nnz_u, offsets_u.data(),
                            columns_u.data(), values_u.data(), p.data(), q.data(), rf));
  CHECK(cusolverRfAnalyze(rf));

  int* offsets = to_device(a.offsets);
  int* columns = to_device(a.columns);
  int* device_p = to_device(p);
  int* device_q = to_device(q);
  double worst = 0;
  for (const double change : {0.0, 0.1, 0.2}) {
    for (int i = 0; i < a.nnz; ++i) a.values[i] += change * (i % 2) * a.values[i];
    const std::vector<double> right(a.n, 1.0);
    double* values = to_device(a.values);
    double* device_x = to_device(right);
    double* temp = to_device(right);
    CHECK(cusolverRfResetValues(a.n, a.nnz, offsets, columns, values, device_p, device_q, rf));
    CHECK(cusolverRfRefactor(rf));
    CHECK(cusolverRfSolve(rf, device_p, device_q, 1, temp, a.n, device_x, a.n));
    std::vector<double> x(a.n);
    CHECK(cudaMemcpy(x.data(), device_x, a.n * sizeof(double), cudaMemcpyDeviceToHost));
    worst = std::fmax(worst, residual(a, right, x));
  }
  CHECK(cusolverRfDestroy(rf));
  CHECK(cusolverSpDestroyCsrluInfoHost(lu));
  CHECK(cusparseDestroyMatDescr(matrix));
  CHECK(cusolverSpDestroy(handle));
  return report("refactorisation", worst);
}
