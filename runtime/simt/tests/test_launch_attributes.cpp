// Launches with attributes. CUDA Runtime API, "Execution Control": cudaLaunchKernelExC.
#include "kernel_test.h"

#include <simt_cooperative_groups.h>
#include <simt_launch_attributes.h>

#include <vector>

namespace {

struct Scale {
  int factor;
};

__global__ void fill(int* values, Scale scale, const long offset) {
  SIMT_KERNEL(fill);
  simtGridDependencySynchronize();
  values[blockIdx.x * blockDim.x + threadIdx.x] = scale.factor * static_cast<int>(threadIdx.x) + static_cast<int>(offset);
  simtTriggerProgrammaticLaunchCompletion();
}

__global__ void sum_of_grid(int* values) {
  SIMT_KERNEL(sum_of_grid);
  const auto grid = cooperative_groups::this_grid();
  values[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  grid.sync();
  if (blockIdx.x == 0) values[0] += values[gridDim.x - 1];
}

simtLaunchConfig_t config_of(unsigned blocks, unsigned threads) {
  simtLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  return config;
}

simtLaunchAttribute cooperative_attribute() {
  simtLaunchAttribute attribute{};
  attribute.id = simtLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  return attribute;
}

TEST_CASE("a launch converts arguments to the kernel's parameters") {
  const DeviceArray<int> values(6);
  const simtLaunchConfig_t config = config_of(2, 3);
  REQUIRE_OK(simtLaunchKernelEx(&config, fill, values.data(), Scale{10}, 5));
  REQUIRE_FINISHED();
  CHECK_EQ(values.values(), std::vector<int>{5, 15, 25, 5, 15, 25});
}

TEST_CASE("a launch by address") {
  const DeviceArray<int> values(3);
  const simtLaunchConfig_t config = config_of(1, 3);
  int* memory = values.data();
  Scale scale{2};
  long offset = 1;
  void* arguments[] = {&memory, &scale, &offset};
  REQUIRE_OK(simtLaunchKernelExC(&config, reinterpret_cast<const void*>(fill), arguments));
  REQUIRE_FINISHED();
  CHECK_EQ(values.values(), std::vector<int>{1, 3, 5});
}

TEST_CASE("the attribute of a cooperative launch, among attributes without effect") {
  const DeviceArray<int> values(4);
  simtLaunchConfig_t config = config_of(4, 1);
  simtLaunchAttribute attributes[4] = {};
  attributes[0].id = simtLaunchAttributeIgnore;
  attributes[1] = cooperative_attribute();
  attributes[2].id = simtLaunchAttributeProgrammaticStreamSerialization;
  attributes[2].val.programmaticStreamSerializationAllowed = 1;
  attributes[3].id = simtLaunchAttributeClusterDimension;
  attributes[3].val.clusterDim = {1, 1, 1};
  config.attrs = attributes;
  config.numAttrs = 4;
  REQUIRE_OK(simtLaunchKernelEx(&config, sum_of_grid, values.data()));
  REQUIRE_FINISHED();
  CHECK_EQ(values.values(), std::vector<int>{5, 2, 3, 4});
}

TEST_CASE("launches with wrong or unsupported settings") {
  const DeviceArray<int> values(4);
  simtLaunchConfig_t config = config_of(4, 1);
  CHECK_EQ(simtLaunchKernelEx(nullptr, sum_of_grid, values.data()), simtErrorInvalidValue);
  config.numAttrs = 1;
  CHECK_EQ(simtLaunchKernelEx(&config, sum_of_grid, values.data()), simtErrorInvalidValue);
  simtLaunchAttribute attribute{};
  attribute.id = simtLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  config.attrs = &attribute;
  CHECK_EQ(simtLaunchKernelEx(&config, sum_of_grid, values.data()), simtErrorNotSupported);
  attribute.id = static_cast<simtLaunchAttributeID>(77);
  CHECK_EQ(simtLaunchKernelEx(&config, sum_of_grid, values.data()), simtErrorNotSupported);
  config.numAttrs = 0;
  config.blockDim = dim3(5000);
  CHECK_EQ(simtLaunchKernelEx(&config, sum_of_grid, values.data()), simtErrorInvalidConfiguration);
  static_cast<void>(simtGetLastError());
}

}  // namespace
