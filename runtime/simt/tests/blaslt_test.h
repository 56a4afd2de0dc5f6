// Code shared by the tests of simtblasLt: handles, layouts, descriptors of products.
#pragma once

#include "blas_test.h"

#include <simtblasLt.h>

class LtHandle {
 public:
  LtHandle() { REQUIRE_BLAS(simtblasLtCreate(&handle_)); }
  ~LtHandle() { simtblasLtDestroy(handle_); }
  operator simtblasLtHandle_t() const { return handle_; }

 private:
  simtblasLtHandle_t handle_ = nullptr;
};

class Layout {
 public:
  Layout(simtDataType type, int rows, int columns, int ld) {
    REQUIRE_BLAS(simtblasLtMatrixLayoutInit(&layout_, type, rows, columns, ld));
  }
  template <class Value>
  Layout& set(simtblasLtMatrixLayoutAttribute_t attribute, Value value) {
    REQUIRE_BLAS(simtblasLtMatrixLayoutSetAttribute(&layout_, attribute, &value, sizeof value));
    return *this;
  }
  operator simtblasLtMatrixLayout_t() const { return &layout_; }

 private:
  mutable simtblasLtMatrixLayoutOpaque_t layout_;
};

class Operation {
 public:
  Operation(simtblasComputeType_t compute, simtDataType scale) {
    REQUIRE_BLAS(simtblasLtMatmulDescInit(&operation_, compute, scale));
  }
  template <class Value>
  Operation& set(simtblasLtMatmulDescAttributes_t attribute, Value value) {
    REQUIRE_BLAS(simtblasLtMatmulDescSetAttribute(&operation_, attribute, &value, sizeof value));
    return *this;
  }
  operator simtblasLtMatmulDesc_t() const { return &operation_; }

 private:
  mutable simtblasLtMatmulDescOpaque_t operation_;
};

inline simtblasStatus_t matmul(simtblasLtMatmulDesc_t operation, const void* alpha, const void* a,
                        simtblasLtMatrixLayout_t a_layout, const void* b,
                        simtblasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                        simtblasLtMatrixLayout_t c_layout, void* d,
                        simtblasLtMatrixLayout_t d_layout) {
  return simtblasLtMatmul(LtHandle(), operation, alpha, a, a_layout, b, b_layout, beta, c, c_layout,
                          d, d_layout, nullptr, nullptr, 0, nullptr);
}
