// cuBLASLt: descriptors and their attributes, epilogues, orders, batches, heuristics, status codes.
// nvcc: -lcublasLt
#include <cublasLt.h>

#include "device_array.h"

using answers::Array;
using answers::Exact;
using answers::put;

int multiply(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const float* alpha, const float* beta, cublasLtMatrixLayout_t la, const void* a,
             cublasLtMatrixLayout_t lb, const void* b, cublasLtMatrixLayout_t lc, void* c) {
  return cublasLtMatmul(h, d, alpha, a, la, b, lb, beta, c, lc, c, lc, nullptr, nullptr, 0, nullptr);
}

void epilogues(cublasLtHandle_t h) {
  const float one = 1, zero = 0;
  cublasLtMatrixLayout_t la, lb, lc;
  Exact{"layouts", cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, 4, 4, 4), cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, 4, 4, 4), cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, 4, 4, 4)};
  std::vector<float> first(16), second(16);
  for (int i = 0; i < 16; i++) first[i] = static_cast<float>(i % 5 - 2), second[i] = static_cast<float>(i % 3 - 1);
  Array<float> a(first), b(second), bias({0.5f, -1, 2, -3});
  struct {
    const char* name;
    cublasLtEpilogue_t value;
    bool bias;
  } cases[] = {{"default", CUBLASLT_EPILOGUE_DEFAULT, false}, {"relu", CUBLASLT_EPILOGUE_RELU, false}, {"bias", CUBLASLT_EPILOGUE_BIAS, true},
               {"relu_bias", CUBLASLT_EPILOGUE_RELU_BIAS, true}, {"gelu", CUBLASLT_EPILOGUE_GELU, false}, {"gelu_bias", CUBLASLT_EPILOGUE_GELU_BIAS, true}};
  for (const auto& value : cases) {
    cublasLtMatmulDesc_t d;
    Array<float> c(16);
    std::string name = value.name;
    void* pointer = bias.data;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    Exact{(name + "_desc").c_str(), cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F), cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
          cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &value.value, sizeof value.value), cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &pointer, sizeof pointer)};
    Exact{(name + "_status").c_str(), multiply(h, d, &one, &zero, la, a, lb, b, lc, c), cublasLtMatmulDescDestroy(d)};
    answers::near_array(name.c_str(), 1e-3, c.host().data(), 16);
  }
}

void layouts(cublasLtHandle_t h) {
  const float one = 1, zero = 0, two = 2;
  cublasLtMatmulDesc_t d;
  cublasLtMatrixLayout_t la, lb, lc;
  Exact{"row_created", cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F), cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, 2, 3, 3), cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, 3, 2, 2),
        cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, 2, 2, 2)};
  const cublasLtOrder_t row = CUBLASLT_ORDER_ROW;
  Exact{"row_order", cublasLtMatrixLayoutSetAttribute(la, CUBLASLT_MATRIX_LAYOUT_ORDER, &row, sizeof row), cublasLtMatrixLayoutSetAttribute(lb, CUBLASLT_MATRIX_LAYOUT_ORDER, &row, sizeof row),
        cublasLtMatrixLayoutSetAttribute(lc, CUBLASLT_MATRIX_LAYOUT_ORDER, &row, sizeof row)};
  Array<float> a({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), b({1, 0, 2, 1, 0, 3, 1, 1, 1, 2, 2, 2}), c(8, 1.0f);
  Exact{"row_status", multiply(h, d, &one, &two, la, a, lb, b, lc, c)};
  put("row", c);
  const int batch = 2;
  const long long stride = 6, out = 4;
  for (cublasLtMatrixLayout_t layout : {la, lb, lc}) cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch);
  cublasLtMatrixLayoutSetAttribute(la, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride);
  cublasLtMatrixLayoutSetAttribute(lb, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride);
  cublasLtMatrixLayoutSetAttribute(lc, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &out, sizeof out);
  Exact{"batch_status", multiply(h, d, &one, &zero, la, a, lb, b, lc, c)};
  put("batch", c);
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t results[4];
  int found = 0;
  size_t limit = 1 << 20;
  Exact{"heuristic", cublasLtMatmulPreferenceCreate(&preference), cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit, sizeof limit),
        cublasLtMatmulAlgoGetHeuristic(h, d, la, lb, lc, lc, preference, 4, results, &found), found > 0, results[0].state};
  Exact{"heuristic_none", cublasLtMatmulAlgoGetHeuristic(h, d, la, lb, lc, lc, preference, 0, results, &found)};
  Exact{"row_destroyed", cublasLtMatmulPreferenceDestroy(preference), cublasLtMatmulDescDestroy(d), cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb), cublasLtMatrixLayoutDestroy(lc)};
}

void states(cublasLtHandle_t h) {
  const float one = 1, zero = 0;
  cublasLtMatmulDesc_t d;
  cublasLtMatrixLayout_t la, lb, lc;
  Array<float> a(16), c(16);
  Exact{"created", cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F), cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, 4, 2, 4), cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, 3, 4, 3),
        cublasLtMatrixLayoutCreate(&lc, CUDA_R_64F, 4, 4, 4)};
  Exact{"sizes_differ", multiply(h, d, &one, &zero, la, a, lb, a, la, c)};
  Exact{"types_differ", multiply(h, d, &one, &zero, la, a, la, a, lc, c)};
  Exact{"no_handle", multiply(nullptr, d, &one, &zero, la, a, la, a, la, c)};
}

int main() {
  cublasLtHandle_t handle;
  Exact{"create", cublasLtCreate(&handle)};
  epilogues(handle);
  layouts(handle);
  states(handle);
  return cublasLtDestroy(handle);
}
