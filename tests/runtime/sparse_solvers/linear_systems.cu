// Reordering of a matrix, and solutions by LU on the host and by QR on the device.
#include "grid.h"

int main() {
  double worst = 0;
  for (const int base : {0, 1}) {
    const Grid a(40, base);
    cusolverSpHandle_t handle = nullptr;
    cudaStream_t stream = nullptr;
    CHECK(cusolverSpCreate(&handle));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cusolverSpSetStream(handle, stream));
    const cusparseMatDescr_t matrix = describe(a);
    int is_symmetric = 0;
    CHECK(cusolverSpXcsrissymHost(handle, a.n, a.nnz, matrix, a.offsets.data(), a.offsets.data() + 1,
                                  a.columns.data(), &is_symmetric));
    if (!is_symmetric) return 1;

    // B = A(q, q)
    std::vector<int> q(a.n), map(a.nnz);
    CHECK(cusolverSpXcsrsymrcmHost(handle, a.n, a.nnz, matrix, a.offsets.data(), a.columns.data(), q.data()));
    for (int i = 0; i < a.nnz; ++i) map[i] = i;
    Grid b = a;
    size_t size = 0;
    CHECK(cusolverSpXcsrperm_bufferSizeHost(handle, a.n, a.n, a.nnz, matrix, b.offsets.data(),
                                            b.columns.data(), q.data(), q.data(), &size));
    std::vector<char> buffer(size);
    CHECK(cusolverSpXcsrpermHost(handle, a.n, a.n, a.nnz, matrix, b.offsets.data(), b.columns.data(),
                                 q.data(), q.data(), map.data(), buffer.data()));
    for (int i = 0; i < a.nnz; ++i) b.values[i] = a.values[map[i]];

    std::vector<double> right(a.n), permuted(a.n), y(a.n), x(a.n);
    for (int i = 0; i < a.n; ++i) right[i] = 1 + static_cast<double>(i) / a.n;
    for (int i = 0; i < a.n; ++i) permuted[i] = right[q[i]];
    int singularity = 0;
    CHECK(cusolverSpDcsrlsvluHost(handle, a.n, a.nnz, matrix, b.values.data(), b.offsets.data(),
                                  b.columns.data(), permuted.data(), 1e-12, 0, y.data(), &singularity));
    if (singularity >= 0) return 1;
    for (int i = 0; i < a.n; ++i) x[q[i]] = y[i];
    worst = std::fmax(worst, residual(a, right, x));

    int* offsets = to_device(a.offsets);
    int* columns = to_device(a.columns);
    double* values = to_device(a.values);
    double* device_b = to_device(right);
    double* device_x = to_device(std::vector<double>(a.n));
    CHECK(cusolverSpDcsrlsvqr(handle, a.n, a.nnz, matrix, values, offsets, columns, device_b, 1e-12, 2,
                              device_x, &singularity));
    if (singularity >= 0) return 1;
    CHECK(cudaMemcpy(x.data(), device_x, a.n * sizeof(double), cudaMemcpyDeviceToHost));
    worst = std::fmax(worst, residual(a, right, x));

    CHECK(cusparseDestroyMatDescr(matrix));
    CHECK(cusolverSpDestroy(handle));
    CHECK(cudaStreamDestroy(stream));
  }
  return report("linear_systems", worst);
}
