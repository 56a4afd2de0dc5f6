// Products of sparse matrices with an estimation of the memory. cuSPARSE 12.4 documentation, "cusparseSpGEMM".
#include "sparse_test.h"

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;
using State = Described<simtsparseSpGEMMDescr_t, simtsparseSpGEMM_createDescr, simtsparseSpGEMM_destroyDescr>;

/// A, B and C with C = A B, and the calls of a program that limits the memory.
struct Product {
  Dense left = random_sparse<double>(9, 7, 3), right = random_sparse<double>(7, 8, 4);
  SparseArrays<double> left_arrays{left, 1}, right_arrays{right};
  CsrOf<double, int> a{left_arrays, 1}, b{right_arrays};
  DeviceArray<int> offsets{10};
  CsrMatrix c{9, 8, 0, static_cast<void*>(offsets.data()), nullptr, nullptr, SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I,
              SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_64F};
  DeviceArray<char> buffer{64};
  SparseHandle handle;
  State state;
  double one = 1, zero = 0;

  simtsparseStatus_t begin(simtsparseSpGEMMAlg_t algorithm, std::size_t* size, void* memory) {
    return simtsparseSpGEMM_workEstimation(handle, kPlain, kPlain, &one, a, b, &zero, c, SIMT_R_64F, algorithm, state,
                                           size, memory);
  }
  simtsparseStatus_t estimate(simtsparseSpGEMMAlg_t algorithm, float fraction, std::size_t* size3, void* memory,
                              std::size_t* size2) {
    return simtsparseSpGEMM_estimateMemory(handle, kPlain, kPlain, &one, a, b, &zero, c, SIMT_R_64F, algorithm, state,
                                           fraction, size3, memory, size2);
  }
  /// Products of a number of A and a number of B that are not 0.
  std::int64_t count() const {
    std::int64_t result = 0;
    for (int i = 0; i < 9; ++i) {
      for (int k = 0; k < 7; ++k) {
        for (int j = 0; j < 8; ++j) result += left.at(i, k) != Wide(0) && right.at(k, j) != Wide(0) ? 1 : 0;
      }
    }
    return result;
  }
};

TEST_CASE("a product with an estimation of the memory") {
  for (const auto algorithm : {SIMTSPARSE_SPGEMM_ALG2, SIMTSPARSE_SPGEMM_ALG3}) {
    Product p;
    std::size_t size = 0, size2 = 0, size3 = 0;
    std::int64_t products = -1, rows = 0, columns = 0, nnz = 0;
    CHECK_EQ(simtsparseSpGEMM_getNumProducts(p.state, &products), SIMTSPARSE_STATUS_INVALID_VALUE);
    CHECK_SPARSE(p.begin(algorithm, &size, nullptr));
    CHECK_GT(size, 0);
    CHECK_SPARSE(p.begin(algorithm, &size, p.buffer.data()));
    CHECK_SPARSE(simtsparseSpGEMM_getNumProducts(p.state, &products));
    CHECK_EQ(products, p.count());
    CHECK_SPARSE(p.estimate(algorithm, 0.5F, &size3, nullptr, nullptr));
    CHECK_GT(size3, 0);
    CHECK_SPARSE(p.estimate(algorithm, 0.5F, &size3, p.buffer.data(), &size2));
    CHECK_GT(size2, 0);
    REQUIRE_SPARSE(simtsparseSpGEMM_compute(p.handle, kPlain, kPlain, &p.one, p.a, p.b, &p.zero, p.c, SIMT_R_64F,
                                            algorithm, p.state, &size2, p.buffer.data()));
    REQUIRE_SPARSE(simtsparseSpMatGetSize(p.c, &rows, &columns, &nnz));
    const DeviceArray<int> found(static_cast<std::size_t>(nnz));
    const DeviceArray<double> values(static_cast<std::size_t>(nnz));
    REQUIRE_SPARSE(simtsparseCsrSetPointers(p.c, p.offsets.data(), found.data(), values.data()));
    REQUIRE_SPARSE(simtsparseSpGEMM_copy(p.handle, kPlain, kPlain, &p.one, p.a, p.b, &p.zero, p.c, SIMT_R_64F, algorithm,
                                         p.state));
    Dense result{9, 8, std::vector<Wide>(72)};
    const std::vector<int> begin = p.offsets.values(), column = found.values();
    const std::vector<double> numbers = values.values();
    for (int i = 0; i < 9; ++i) {
      for (int e = begin[i]; e < begin[i + 1]; ++e) result.at(i, column[e]) = numbers[e];
    }
    CHECK_EQ(distance(result, p.left * p.right), 0);
  }
}

TEST_CASE("rejected arguments of estimations of the memory") {
  Product p;
  std::size_t size = 0, size2 = 0;
  const auto invalid = SIMTSPARSE_STATUS_INVALID_VALUE;
  const auto algorithm = SIMTSPARSE_SPGEMM_ALG3;
  CHECK_EQ(p.estimate(algorithm, 1, &size, nullptr, nullptr), invalid);  // before workEstimation
  CHECK_SPARSE(p.begin(algorithm, &size, p.buffer.data()));
  CHECK_EQ(p.estimate(SIMTSPARSE_SPGEMM_ALG1, 1, &size, nullptr, nullptr), SIMTSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(p.estimate(algorithm, 0, &size, nullptr, nullptr), invalid);
  CHECK_EQ(p.estimate(algorithm, 1.5F, &size, nullptr, nullptr), invalid);
  CHECK_EQ(p.estimate(algorithm, 1, nullptr, nullptr, &size2), invalid);
  CHECK_EQ(p.estimate(algorithm, 1, &size, p.buffer.data(), nullptr), invalid);
  CHECK_EQ(simtsparseSpGEMM_getNumProducts(p.state, nullptr), invalid);
  CHECK_EQ(simtsparseSpGEMM_getNumProducts(nullptr, nullptr), invalid);
}

}  // namespace
