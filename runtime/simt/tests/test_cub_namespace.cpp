// cub in a namespace of the program, selected like in PyTorch's ATen/cuda/cub.cuh.
#include "cub_test.h"

#undef CUB_NS_POSTFIX
#undef CUB_NS_PREFIX
#undef CUB_NS_QUALIFIER
#define CUB_NS_PREFIX namespace program_detail {
#define CUB_NS_POSTFIX }
#define CUB_NS_QUALIFIER ::program_detail::cub
#include <cub/cub.cuh>
#undef CUB_NS_POSTFIX
#undef CUB_NS_PREFIX
#undef CUB_NS_QUALIFIER

namespace {

/// This name would clash with a cub outside of the program's namespace.
namespace cub = ::program_detail::cub;

TEST_CASE("cub in a namespace given by CUB_NS_PREFIX, _POSTFIX and _QUALIFIER") {
  const DeviceArray<int> in(std::vector<int>{1, 2, 3});
  const DeviceArray<int> sum(1);
  in_two_phases([&](void* temp, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(temp, bytes, in.data(), sum.data(), 3);
  });
  CHECK_EQ(sum.values()[0], 6);
}

}  // namespace
