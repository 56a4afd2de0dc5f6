// Algorithms of simtblasLtMatmul, used as programs that search for the fastest one use them (cublasLt.h, 12.4.5).
#include "blaslt_test.h"

namespace {

struct Sgemm {
  LtHandle handle;
  Operation operation{SIMTBLAS_COMPUTE_32F, SIMT_R_32F};
  Layout a{SIMT_R_32F, 2, 2, 2}, b{SIMT_R_32F, 2, 1, 2}, d{SIMT_R_32F, 2, 1, 2};

  simtblasStatus_t init(int id, simtDataType type, simtblasLtMatmulAlgo_t* algorithm) const {
    return simtblasLtMatmulAlgoInit(handle, SIMTBLAS_COMPUTE_32F, SIMT_R_32F, type, type, type, type, id, algorithm);
  }
  simtblasStatus_t check(const simtblasLtMatmulAlgo_t& algorithm) const {
    simtblasLtMatmulHeuristicResult_t result{};
    result.workspaceSize = 1;
    const simtblasStatus_t status =
        simtblasLtMatmulAlgoCheck(handle, operation, a, b, d, d, &algorithm, &result);
    if (status == SIMTBLAS_STATUS_SUCCESS) CHECK_EQ(result.workspaceSize, 0);
    return status;
  }
};

TEST_CASE("a search over the algorithms and their configurations finds one that multiplies") {
  const Sgemm sgemm;
  int ids[8], found = 0;
  REQUIRE_BLAS(simtblasLtMatmulAlgoGetIds(sgemm.handle, SIMTBLAS_COMPUTE_32F, SIMT_R_32F, SIMT_R_32F, SIMT_R_32F,
                                          SIMT_R_32F, SIMT_R_32F, 8, ids, &found));
  REQUIRE_EQ(found, 1);
  simtblasLtMatmulAlgo_t algorithm;
  REQUIRE_BLAS(sgemm.init(ids[0], SIMT_R_32F, &algorithm));
  std::size_t size = 0;
  for (const auto list : {SIMTBLASLT_ALGO_CAP_TILE_IDS, SIMTBLASLT_ALGO_CAP_STAGES_IDS}) {
    REQUIRE_BLAS(simtblasLtMatmulAlgoCapGetAttribute(&algorithm, list, nullptr, 0, &size));
    REQUIRE_EQ(size, sizeof(std::uint32_t));
    std::uint32_t id = 99;
    REQUIRE_BLAS(simtblasLtMatmulAlgoCapGetAttribute(&algorithm, list, &id, size, &size));
    CHECK_EQ(id, 0);
  }
  std::int32_t most = -1, splits = -1;
  REQUIRE_BLAS(simtblasLtMatmulAlgoCapGetAttribute(&algorithm, SIMTBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, &most,
                                                   sizeof most, &size));
  REQUIRE_BLAS(simtblasLtMatmulAlgoCapGetAttribute(&algorithm, SIMTBLASLT_ALGO_CAP_SPLITK_SUPPORT, &splits,
                                                   sizeof splits, &size));
  CHECK_EQ(most, 0);
  CHECK_EQ(splits, 0);
  CHECK_BLAS(sgemm.check(algorithm));
  const DeviceArray<float> a(std::vector<float>{1, 2, 3, 4}), b(std::vector<float>{1, 10}), d(2);
  const float one = 1, zero = 0;
  CHECK_BLAS(simtblasLtMatmul(sgemm.handle, sgemm.operation, &one, a.data(), sgemm.a, b.data(), sgemm.b, &zero,
                              nullptr, sgemm.d, d.data(), sgemm.d, &algorithm, nullptr, 0, nullptr));
  REQUIRE_FINISHED();
  CHECK_EQ(d.values(), std::vector<float>{31, 42});
}

TEST_CASE("a configuration is stored") {
  const Sgemm sgemm;
  simtblasLtMatmulAlgo_t algorithm;
  REQUIRE_BLAS(sgemm.init(21, SIMT_R_32F, &algorithm));
  const std::uint32_t tile = SIMTBLASLT_MATMUL_TILE_16x16;
  const std::uint16_t cluster = SIMTBLASLT_CLUSTER_SHAPE_2x1x1;
  REQUIRE_BLAS(simtblasLtMatmulAlgoConfigSetAttribute(&algorithm, SIMTBLASLT_ALGO_CONFIG_TILE_ID, &tile, sizeof tile));
  REQUIRE_BLAS(simtblasLtMatmulAlgoConfigSetAttribute(&algorithm, SIMTBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, &cluster,
                                                      sizeof cluster));
  const auto number = [&](simtblasLtMatmulAlgoConfigAttributes_t attribute) {
    std::int32_t value = 0;
    std::size_t size = 0;
    REQUIRE_BLAS(simtblasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, sizeof value, &size));
    return value;
  };
  CHECK_EQ(number(SIMTBLASLT_ALGO_CONFIG_ID), 21);
  CHECK_EQ(number(SIMTBLASLT_ALGO_CONFIG_TILE_ID), SIMTBLASLT_MATMUL_TILE_16x16);
  CHECK_EQ(number(SIMTBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID), SIMTBLASLT_CLUSTER_SHAPE_2x1x1);
  CHECK_EQ(number(SIMTBLASLT_ALGO_CONFIG_SPLITK_NUM), 1);
  CHECK_BLAS(sgemm.check(algorithm));
  // The number is read only, and a size must be that of the value.
  CHECK_EQ(simtblasLtMatmulAlgoConfigSetAttribute(&algorithm, SIMTBLASLT_ALGO_CONFIG_ID, &tile, sizeof tile),
           SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(simtblasLtMatmulAlgoConfigSetAttribute(&algorithm, SIMTBLASLT_ALGO_CONFIG_TILE_ID, &cluster, sizeof cluster),
           SIMTBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("capabilities depend on the types") {
  const Sgemm sgemm;
  simtblasLtMatmulAlgo_t algorithm;
  REQUIRE_BLAS(sgemm.init(0, SIMT_R_16F, &algorithm));
  std::uint32_t alignment = 0;
  simtblasLtNumericalImplFlags_t flags = 0;
  std::size_t size = 0;
  CHECK_BLAS(simtblasLtMatmulAlgoCapGetAttribute(&algorithm, SIMTBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, &alignment,
                                                 sizeof alignment, &size));
  CHECK_EQ(alignment, 2);
  CHECK_BLAS(simtblasLtMatmulAlgoCapGetAttribute(&algorithm, SIMTBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, &flags,
                                                 sizeof flags, &size));
  CHECK_EQ(flags, SIMTBLASLT_NUMERICAL_IMPL_FLAGS_FMA | SIMTBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
                      SIMTBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F);
}

TEST_CASE("an algorithm is one for certain types") {
  const Sgemm sgemm;
  simtblasLtMatmulAlgo_t other, unset{};
  REQUIRE_BLAS(sgemm.init(0, SIMT_R_16F, &other));
  CHECK_EQ(sgemm.check(other), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(sgemm.check(unset), SIMTBLAS_STATUS_INVALID_VALUE);
  const DeviceArray<float> values(4);
  const float one = 1, zero = 0;
  for (const simtblasLtMatmulAlgo_t& algorithm : {other, unset}) {
    CHECK_EQ(simtblasLtMatmul(sgemm.handle, sgemm.operation, &one, values.data(), sgemm.a, values.data(), sgemm.b,
                              &zero, nullptr, sgemm.d, values.data(), sgemm.d, &algorithm, nullptr, 0, nullptr),
             SIMTBLAS_STATUS_INVALID_VALUE);
  }
  CHECK_EQ(sgemm.init(-1, SIMT_R_32F, &other), SIMTBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(sgemm.init(0, SIMT_R_64F, &other), SIMTBLAS_STATUS_NOT_SUPPORTED);
  int id = 0, found = 0;
  CHECK_EQ(simtblasLtMatmulAlgoGetIds(sgemm.handle, SIMTBLAS_COMPUTE_32F, SIMT_R_32F, SIMT_R_32F, SIMT_R_32F,
                                      SIMT_R_32F, SIMT_R_32F, 0, &id, &found),
           SIMTBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("a search limited to a number keeps the number and its configuration") {
  const Sgemm sgemm;
  simtblasLtMatmulPreferenceOpaque_t preference;
  REQUIRE_BLAS(simtblasLtMatmulPreferenceInit(&preference));
  const std::uint32_t mode = SIMTBLASLT_SEARCH_LIMITED_BY_ALGO_ID;
  REQUIRE_BLAS(simtblasLtMatmulPreferenceSetAttribute(&preference, SIMTBLASLT_MATMUL_PREF_SEARCH_MODE, &mode,
                                                      sizeof mode));
  simtblasLtMatmulHeuristicResult_t result{};
  int found = -1;
  const auto ask = [&] {
    return simtblasLtMatmulAlgoGetHeuristic(sgemm.handle, sgemm.operation, sgemm.a, sgemm.b, sgemm.d, sgemm.d,
                                            &preference, 1, &result, &found);
  };
  CHECK_EQ(ask(), SIMTBLAS_STATUS_INVALID_VALUE);  // the caller has made no algorithm
  CHECK_EQ(found, 0);
  REQUIRE_BLAS(sgemm.init(7, SIMT_R_32F, &result.algo));
  CHECK_BLAS(ask());
  std::int32_t id = 0;
  std::size_t size = 0;
  CHECK_BLAS(simtblasLtMatmulAlgoConfigGetAttribute(&result.algo, SIMTBLASLT_ALGO_CONFIG_ID, &id, sizeof id, &size));
  CHECK_EQ(id, 7);
}

}  // namespace
