// A kernel that NVRTC compiles while the program runs: its source contains a number that is known
// only then. The driver API loads and launches it.
#include "check.h"

#include <cuda.h>
#include <nvrtc.h>

#include <vector>

#define CHECK_NVRTC(call) \
  if ((call) != NVRTC_SUCCESS) return report("compiled_at_run_time", false, #call)
#define CHECK_DRIVER(call) \
  if ((call) != CUDA_SUCCESS) return report("compiled_at_run_time", false, #call)

const char* const kSource = R"(
template <class T>
__global__ void raise(T* values, int n) {
  extern __shared__ int shared[];
  if (threadIdx.x == 0) shared[0] = EXPONENT;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T result = 1;
  for (int step = 0; step < shared[0]; ++step) result *= values[i];
  values[i] = result;
}
)";

int main(int argc, char**) {
  const int n = 1000, exponent = argc + 2;
  const std::string define = "-DEXPONENT=" + std::to_string(exponent);
  const char* options[] = {"--gpu-architecture=compute_70", define.c_str()};

  nvrtcProgram program;
  CHECK_NVRTC(nvrtcCreateProgram(&program, kSource, "raise.cu", 0, nullptr, nullptr));
  CHECK_NVRTC(nvrtcAddNameExpression(program, "raise<float>"));
  if (nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS) {
    size_t size = 0;
    CHECK_NVRTC(nvrtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    CHECK_NVRTC(nvrtcGetProgramLog(program, &log[0]));
    return report("compiled_at_run_time", false, log);
  }
  const char* name = nullptr;
  size_t size = 0;
  CHECK_NVRTC(nvrtcGetLoweredName(program, "raise<float>", &name));
  CHECK_NVRTC(nvrtcGetPTXSize(program, &size));
  std::string ptx(size, '\0');
  CHECK_NVRTC(nvrtcGetPTX(program, &ptx[0]));

  float* values;
  CHECK(cudaMallocManaged(&values, n * sizeof(float)));
  for (int i = 0; i < n; ++i) values[i] = float(i % 10);
  CUmodule module;
  CUfunction kernel;
  CHECK_DRIVER(cuModuleLoadData(&module, ptx.c_str()));
  CHECK_DRIVER(cuModuleGetFunction(&kernel, module, name));
  int count = n;
  void* arguments[] = {&values, &count};
  CHECK_DRIVER(cuLaunchKernel(kernel, parts(n, 128), 1, 1, 128, 1, 1, sizeof(int), nullptr,
                              arguments, nullptr));
  CHECK(cudaDeviceSynchronize());

  bool ok = true;
  for (int i = 0; i < n; ++i) {
    float wanted = 1;
    for (int step = 0; step < exponent; ++step) wanted *= float(i % 10);
    ok = ok && values[i] == wanted;
  }
  CHECK_NVRTC(nvrtcDestroyProgram(&program));
  CHECK_DRIVER(cuModuleUnload(module));
  CHECK(cudaFree(values));
  return report("compiled_at_run_time", ok, std::to_string(n) + " powers");
}
