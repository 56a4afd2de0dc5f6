// cuSPARSE, generic functions: products with both index bases and transposes, conversions, status codes.
// nvcc: -lcusparse
#include <cusparse.h>

#include <limits>

#include "device_array.h"

using answers::Array;
using answers::Exact;
using answers::put;

const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE, T = CUSPARSE_OPERATION_TRANSPOSE;

int number = 0;

// 3 x 4 with an empty row: [1 0 2 0; 0 0 0 0; 0 3 4 5]
struct Matrix {
  Array<int> offsets, columns, rows;
  Array<float> values;
  cusparseSpMatDescr_t csr = nullptr, coo = nullptr;
  explicit Matrix(int base)
      : offsets(std::vector<int>{base, 2 + base, 2 + base, 5 + base}), columns(std::vector<int>{base, 2 + base, 1 + base, 2 + base, 3 + base}),
        rows(std::vector<int>{base, base, 2 + base, 2 + base, 2 + base}), values(std::vector<float>{1, 2, 3, 4, 5}) {
    const cusparseIndexBase_t b = static_cast<cusparseIndexBase_t>(base);
    Exact{("matrix_" + std::to_string(base) + "_" + std::to_string(number++)).c_str(), cusparseCreateCsr(&csr, 3, 4, 5, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, b, CUDA_R_32F),
          cusparseCreateCoo(&coo, 3, 4, 5, rows, columns, values, CUSPARSE_INDEX_32I, b, CUDA_R_32F)};
  }
};

void vector_products(cusparseHandle_t h, Matrix& m, const char* prefix) {
  const float two = 2, three = 3, zero = 0;
  for (bool coo : {false, true})
    for (cusparseOperation_t operation : {N, T}) {
      std::string name = std::string(prefix) + (coo ? "_coo" : "_csr") + (operation ? "_t" : "");
      Array<float> x({1, 2, 3, 4}), y({10, 20, 30, 40}), buffer(10000);
      cusparseDnVecDescr_t dx, dy;
      Exact{(name + "_vectors").c_str(), cusparseCreateDnVec(&dx, operation ? 3 : 4, x, CUDA_R_32F), cusparseCreateDnVec(&dy, operation ? 4 : 3, y, CUDA_R_32F)};
      size_t bytes = 0;
      cusparseSpMatDescr_t a = coo ? m.coo : m.csr;
      Exact{(name + "_status").c_str(), cusparseSpMV_bufferSize(h, operation, &two, a, dx, &three, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
            bytes <= 40000, cusparseSpMV(h, operation, &two, a, dx, &three, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer)};
      put(name.c_str(), y);
      Array<float> bad(4, std::numeric_limits<float>::quiet_NaN());
      Exact{(name + "_beta_zero_status").c_str(), cusparseDnVecSetValues(dy, bad), cusparseSpMV(h, operation, &two, a, dx, &zero, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer)};
      std::vector<float> host = bad.host();
      answers::near_array((name + "_beta_zero").c_str(), 1e-5, host.data(), operation ? 4 : 3);
      Exact{(name + "_destroyed").c_str(), cusparseDestroyDnVec(dx), cusparseDestroyDnVec(dy)};
    }
}

void matrix_products(cusparseHandle_t h, Matrix& m, const char* prefix) {
  const float one = 1, zero = 0;
  for (bool row : {false, true}) {
    std::string name = std::string(prefix) + (row ? "_spmm_row" : "_spmm_col");
    const cusparseOrder_t order = row ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    Array<float> b({1, 2, 3, 4, 5, 6, 7, 8}), c(6), buffer(10000);
    cusparseDnMatDescr_t db, dc;
    size_t bytes = 0;
    Exact{(name + "_matrices").c_str(), cusparseCreateDnMat(&db, 4, 2, row ? 2 : 4, b, CUDA_R_32F, order), cusparseCreateDnMat(&dc, 3, 2, row ? 2 : 3, c, CUDA_R_32F, order)};
    Exact{(name + "_status").c_str(), cusparseSpMM_bufferSize(h, N, N, &one, m.csr, db, &zero, dc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes),
          bytes <= 40000, cusparseSpMM(h, N, N, &one, m.csr, db, &zero, dc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer)};
    put(name.c_str(), c);
    Exact{(name + "_destroyed").c_str(), cusparseDestroyDnMat(db), cusparseDestroyDnMat(dc)};
  }
}

void sampled(cusparseHandle_t h) {
  Matrix m(0);
  const float one = 1, two = 2;
  Array<float> a({1, 2, 3, 4, 5, 6}), b({1, 2, 3, 4, 5, 6, 7, 8}), buffer(10000);
  cusparseDnMatDescr_t da, db;
  size_t bytes = 0;
  Exact{"sddmm_matrices", cusparseCreateDnMat(&da, 3, 2, 3, a, CUDA_R_32F, CUSPARSE_ORDER_COL), cusparseCreateDnMat(&db, 2, 4, 2, b, CUDA_R_32F, CUSPARSE_ORDER_COL)};
  Exact{"sddmm_status", cusparseSDDMM_bufferSize(h, N, N, &one, da, db, &two, m.csr, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, &bytes), bytes <= 40000,
        cusparseSDDMM(h, N, N, &one, da, db, &two, m.csr, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer)};
  put("sddmm", m.values);
  Exact{"wrong_sizes", cusparseSDDMM(h, N, T, &one, da, db, &two, m.csr, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer)};
}

void conversions(cusparseHandle_t h) {
  Array<int> rows({0, 0, 2, 2, 2}), offsets(4, -1), back(5, -1), columns({3, 1, 2, 0, 1});
  Exact{"coo2csr_status", cusparseXcoo2csr(h, rows, 5, 3, offsets, CUSPARSE_INDEX_BASE_ZERO)};
  put("coo2csr", offsets);
  Exact{"csr2coo_status", cusparseXcsr2coo(h, offsets, 5, 3, back, CUSPARSE_INDEX_BASE_ZERO)};
  put("csr2coo", back);
  Array<int> order({0, 1, 2, 3, 4}), unsorted({2, 0, 1, 2, 0}), c({1, 3, 0, 0, 2});
  Array<char> buffer(100000);
  size_t bytes = 0;
  Exact{"coosort_status", cusparseXcoosort_bufferSizeExt(h, 3, 4, 5, unsorted, c, &bytes), bytes <= 100000, cusparseXcoosortByRow(h, 3, 4, 5, unsorted, c, order, buffer)};
  put("coosort_rows", unsorted);
  put("coosort_columns", c);
  put("coosort_order", order);
}

void states(cusparseHandle_t h) {
  Array<int> offsets(4), columns(5);
  Array<float> values(5);
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t v;
  cusparseDnMatDescr_t d;
  auto csr = [&](long long rows, long long nnz) {
    return cusparseCreateCsr(&a, rows, 4, nnz, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  };
  Exact{"csr_sizes", csr(-1, 5), csr(3, -1), csr(3, 0), csr(3, 100)};
  Exact{"vector_sizes", cusparseCreateDnVec(&v, -1, values, CUDA_R_32F), cusparseCreateDnVec(&v, 0, values, CUDA_R_32F), cusparseCreateDnVec(&v, 3, nullptr, CUDA_R_32F)};
  Exact{"matrix_sizes", cusparseCreateDnMat(&d, 3, 2, 2, values, CUDA_R_32F, CUSPARSE_ORDER_COL), cusparseCreateDnMat(&d, 3, 2, 2, values, CUDA_R_32F, CUSPARSE_ORDER_ROW), cusparseCreateDnMat(&d, 3, -2, 3, values, CUDA_R_32F, CUSPARSE_ORDER_COL)};
  cusparsePointerMode_t mode;
  Exact{"pointer_mode", cusparseGetPointerMode(h, &mode), mode, cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE), cusparseGetPointerMode(h, &mode), mode, cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST)};
  Exact{"no_handle", cusparseDestroy(nullptr), cusparseSetStream(nullptr, nullptr)};
  for (int code = 0; code < 13; code++)
    Exact{("status_" + std::to_string(code)).c_str(), cusparseGetErrorName(static_cast<cusparseStatus_t>(code)), cusparseGetErrorString(static_cast<cusparseStatus_t>(code))};
}

int main() {
  cusparseHandle_t handle;
  Exact{"create", cusparseCreate(&handle)};
  Matrix zero(0), one(1);
  vector_products(handle, zero, "zero");
  vector_products(handle, one, "one");
  matrix_products(handle, zero, "zero");
  matrix_products(handle, one, "one");
  sampled(handle);
  conversions(handle);
  states(handle);
  Exact{"destroy", cusparseDestroy(handle), cudaGetLastError()};
  return 0;
}
