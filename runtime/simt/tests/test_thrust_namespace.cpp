// thrust and cub in a namespace of the program, selected by THRUST_CUB_WRAPPED_NAMESPACE.
#define THRUST_CUB_WRAPPED_NAMESPACE program_wrapped

#include "cub_test.h"

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

namespace {

TEST_CASE("thrust and cub in a namespace given by THRUST_CUB_WRAPPED_NAMESPACE") {
  namespace thrust = ::program_wrapped::thrust;
  thrust::device_vector<int> data(std::vector<int>{3, 1, 2});
  thrust::sort(thrust::cuda::par.on(nullptr), data.begin(), data.end());
  CHECK_EQ(static_cast<int>(data[0]), 1);
  CHECK_EQ(thrust::reduce(data.begin(), data.end(), 0, THRUST_NS_QUALIFIER::maximum<int>()), 3);
  const DeviceArray<int> sum(1);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return CUB_NS_QUALIFIER::DeviceReduce::Sum(temp, bytes, data.begin(), sum.data(), 3);
  });
  CHECK_EQ(sum.values()[0], 6);
  CHECK_OK(CubDebug(simtSuccess));
}

}  // namespace
