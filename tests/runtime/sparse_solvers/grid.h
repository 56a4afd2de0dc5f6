// Code shared by the programs of this folder: checked calls, a sparse matrix, and residuals by cuSPARSE.
#pragma once

#include <cuda_runtime.h>
#include <cusolverSp.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class Status>
void check(Status status, const char* call) {
  if (status != static_cast<Status>(0)) {
    std::fprintf(stderr, "%s: status %d\n", call, static_cast<int>(status));
    std::exit(1);
  }
}
#define CHECK(call) check(call, #call)

/// Five-point stencil on a square grid with `side` * `side` points, in CSR with indices from `base`.
struct Grid {
  int n, nnz, base;
  std::vector<int> offsets, columns;
  std::vector<double> values;

  Grid(int side, int base_) : n(side * side), base(base_), offsets(1, base_) {
    for (int i = 0; i < n; ++i) {
      if (i >= side) add(i - side, -1);
      if (i % side > 0) add(i - 1, -1.25);
      add(i, 4);
      if (i % side < side - 1) add(i + 1, -0.75);
      if (i < n - side) add(i + side, -1);
      offsets.push_back(static_cast<int>(columns.size()) + base);
    }
    nnz = static_cast<int>(columns.size());
  }
  void add(int column, double value) {
    columns.push_back(column + base);
    values.push_back(value);
  }
};

/// Host data in device memory.
template <class T>
T* to_device(const std::vector<T>& values) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

/// Largest element of |b - A x|, computed by cuSPARSE.
inline double residual(const Grid& a, const std::vector<double>& b, const std::vector<double>& x) {
  cusparseHandle_t handle = nullptr;
  CHECK(cusparseCreate(&handle));
  int* offsets = to_device(a.offsets);
  int* columns = to_device(a.columns);
  double* values = to_device(a.values);
  double* device_x = to_device(x);
  double* device_r = to_device(b);
  cusparseSpMatDescr_t matrix = nullptr;
  CHECK(cusparseCreateCsr(&matrix, a.n, a.n, a.nnz, offsets, columns, values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I,
                          a.base == 1 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  cusparseDnVecDescr_t vector_x = nullptr, vector_r = nullptr;
  CHECK(cusparseCreateDnVec(&vector_x, a.n, device_x, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&vector_r, a.n, device_r, CUDA_R_64F));
  const double minus_one = -1, one = 1;
  size_t size = 0;
  CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &minus_one, matrix,
                                vector_x, &one, vector_r, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  void* buffer = nullptr;
  CHECK(cudaMalloc(&buffer, size));
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &minus_one, matrix, vector_x, &one,
                     vector_r, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  std::vector<double> r(b.size());
  CHECK(cudaMemcpy(r.data(), device_r, r.size() * sizeof(double), cudaMemcpyDeviceToHost));
  for (void* pointer : {static_cast<void*>(offsets), static_cast<void*>(columns), static_cast<void*>(values),
                        static_cast<void*>(device_x), static_cast<void*>(device_r), buffer}) {
    CHECK(cudaFree(pointer));
  }
  CHECK(cusparseDestroyDnVec(vector_x));
  CHECK(cusparseDestroyDnVec(vector_r));
  CHECK(cusparseDestroySpMat(matrix));
  CHECK(cusparseDestroy(handle));
  double worst = 0;
  for (const double value : r) {
    worst = std::fmax(worst, std::fabs(value));
  }
  return worst;
}

inline cusparseMatDescr_t describe(const Grid& a) {
  cusparseMatDescr_t matrix = nullptr;
  CHECK(cusparseCreateMatDescr(&matrix));
  CHECK(cusparseSetMatType(matrix, CUSPARSE_MATRIX_TYPE_GENERAL));
  CHECK(cusparseSetMatIndexBase(matrix, a.base == 1 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  return matrix;
}

/// Prints the result and returns the exit code.
inline int report(const char* name, double worst) {
  std::printf("%s: %s (residual %.1e)\n", name, worst < 1e-10 ? "ok" : "wrong", worst);
  return worst < 1e-10 ? 0 : 1;
}
