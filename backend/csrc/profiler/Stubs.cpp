// Device events of PyTorch's legacy profiler: torch::profiler::impl records them before and after
// each operator if Kineto is disabled (torch.autograd.profiler.profile(use_device=...,
// use_kineto=False)).

#include "../release/Clock.h"
#include "../release/Version.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/irange.h>
#include <torch/csrc/profiler/stubs/base.h>

namespace at::cuda::backend::profiler {
namespace {

using torch::profiler::impl::ProfilerVoidEventStub;

#if BACKEND_TORCH_AT_LEAST(2, 3)
using StubsIndex = DeviceIndex;
#else
using StubsIndex = int;
#endif

cudaEvent_t eventOf(const ProfilerVoidEventStub* event) {
  return static_cast<cudaEvent_t>(event->get());
}

struct Stubs final : torch::profiler::impl::ProfilerStubs {
  void record(StubsIndex* device, ProfilerVoidEventStub* event, int64_t* cpu_ns) const override {
    if (device != nullptr) {
      *device = c10::cuda::current_device();
    }
    cudaEvent_t made = nullptr;
    C10_CUDA_CHECK(cudaEventCreate(&made));
    *event = ProfilerVoidEventStub(made, [](void* known) {
      C10_CUDA_CHECK_WARN(cudaEventDestroy(static_cast<cudaEvent_t>(known)));
    });
    if (cpu_ns != nullptr) {
      *cpu_ns = getTime();
    }
    C10_CUDA_CHECK(cudaEventRecord(made, c10::cuda::getCurrentCUDAStream()));
  }

  // Returns microseconds.
  float elapsed(const ProfilerVoidEventStub* start,
                const ProfilerVoidEventStub* end) const override {
    C10_CUDA_CHECK(cudaEventSynchronize(eventOf(start)));
    C10_CUDA_CHECK(cudaEventSynchronize(eventOf(end)));
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, eventOf(start), eventOf(end)));
    return milliseconds * 1000;
  }

  // Only torch.autograd.profiler.emit_nvtx calls these functions, on CUDA's stubs.
  void mark(const char*) const override {}
  void rangePush(const char*) const override {}
  void rangePop() const override {}

  void onEachDevice(std::function<void(int)> op) const override {
    c10::cuda::OptionalCUDAGuard guard;
    for (const auto index : c10::irange(c10::cuda::device_count())) {
      guard.set_index(index);
      op(index);
    }
  }

  void synchronize() const override { c10::cuda::device_synchronize(); }

  bool enabled() const override { return true; }
};

struct Registration {
  Registration() {
    // The object is never destroyed: torch keeps a pointer to it.
    torch::profiler::impl::registerPrivateUse1Methods(new Stubs);
  }
};
const Registration registration;

}  // namespace
}  // namespace at::cuda::backend::profiler
