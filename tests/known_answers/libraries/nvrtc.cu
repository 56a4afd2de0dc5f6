// NVRTC: status codes, logs, lowered names, options, and a launch of the result by the driver API.
// nvcc: -lnvrtc -lcuda
#include <cuda.h>
#include <nvrtc.h>

#include <cstring>

#include "device_array.h"

using answers::Exact;
using answers::Array;

int compile(const char* source, std::vector<const char*> options, bool* logged = nullptr) {
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, source, "test.cu", 0, nullptr, nullptr)) return -1;
  int status = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  size_t size = 0;
  if (nvrtcGetProgramLogSize(program, &size)) return -2;
  if (logged) *logged = size > 1;
  nvrtcDestroyProgram(&program);
  return status;
}

void states() {
  const char* fine = "extern \"C\" __global__ void f(int* x) { *x = 1; }";
  bool logged = false;
  Exact{"fine", compile(fine, {}, &logged), logged};
  Exact{"bad_source", compile("__global__ void f( {", {}, &logged), logged};
  Exact{"empty_source", compile("", {}, &logged), logged};
  Exact{"warning", compile("__global__ void f() { int unused; }", {}, &logged)};
  Exact{"option_std", compile(fine, {"--std=c++17"}), compile(fine, {"-std=c++20"}), compile(fine, {"-std=c++99"})};
  Exact{"option_wrong", compile(fine, {"--no-such-option"}, &logged), logged};
  Exact{"option_arch", compile(fine, {"--gpu-architecture=compute_90"}), compile(fine, {"--gpu-architecture=sm_90"}), compile(fine, {"--gpu-architecture=compute_1"})};
  Exact{"option_math", compile(fine, {"--use_fast_math", "-fmad=false", "--ftz=true", "--prec-div=false"})};
  Exact{"option_define", compile("#if A != 3\n#error no\n#endif\n", {"-DA=3"}), compile("#if A != 3\n#error no\n#endif\n", {"--define-macro=A=3"}), compile("#if A != 3\n#error no\n#endif\n", {"-DA=4"})};
  Exact{"option_undefine", compile("#ifdef A\n#error no\n#endif\n", {"-DA", "-UA"})};
  Exact{"option_others", compile(fine, {"-default-device"}), compile(fine, {"-lineinfo"}), compile(fine, {"-G"}), compile(fine, {"--maxrregcount=32"}), compile(fine, {"-w"}), compile(fine, {"--restrict"}), compile(fine, {"-rdc=true"})};
  Exact{"macros", compile("#ifndef __CUDACC_RTC__\n#error no\n#endif\n#ifndef __CUDACC__\n#error no\n#endif\n#ifndef __CUDA_ARCH__\n#error no\n#endif\n", {})};
  Exact{"no_header", compile("#include <vector>\n", {}), compile("#include \"mine.h\"\n", {})};
  Exact{"assert_available", compile("__global__ void f(int x) { assert(x); printf(\"%d\", x); }", {})};
  nvrtcProgram program = nullptr;
  Exact{"null", nvrtcCreateProgram(nullptr, fine, "a.cu", 0, nullptr, nullptr), nvrtcDestroyProgram(nullptr), nvrtcCompileProgram(nullptr, 0, nullptr)};
  Exact{"null_source", nvrtcCreateProgram(&program, nullptr, "a.cu", 0, nullptr, nullptr)};
  Exact{"no_name", nvrtcCreateProgram(&program, fine, nullptr, 0, nullptr, nullptr)};
  size_t size = 77;
  Exact{"not_compiled", nvrtcGetPTXSize(program, &size), nvrtcGetProgramLogSize(program, &size)};
  Exact{"destroyed", nvrtcDestroyProgram(&program), program == nullptr};
  for (int code = 0; code < 13; code++) Exact{("error_" + std::to_string(code)).c_str(), nvrtcGetErrorString(static_cast<nvrtcResult>(code))};
  Exact{"error_unknown", nvrtcGetErrorString(static_cast<nvrtcResult>(99))};
  int count = 0;
  Exact{"architectures", nvrtcGetNumSupportedArchs(&count), count > 0};
}

void launches() {
  const char* source =
      "#include \"mine.h\"\n"
      "template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] = x[threadIdx.x] * N + OFFSET; }\n"
      "__device__ int counter; __constant__ int table[4];\n"
      "namespace inner { __global__ void set(int* x) { x[threadIdx.x] = table[threadIdx.x & 3]; counter = 5; } }\n";
  const char *headers[] = {"#define OFFSET 100\n"}, *names[] = {"mine.h"}, *options[] = {"--gpu-architecture=compute_90"};
  nvrtcProgram program;
  Exact{"create", nvrtcCreateProgram(&program, source, "launch.cu", 1, headers, names)};
  Exact{"names", nvrtcAddNameExpression(program, "scale<int, 3>"), nvrtcAddNameExpression(program, "inner::set"), nvrtcAddNameExpression(program, "&counter"), nvrtcAddNameExpression(program, "&table")};
  Exact{"compile", nvrtcCompileProgram(program, 1, options)};
  Exact{"name_after", nvrtcAddNameExpression(program, "scale<float, 3>")};
  const char *scale = nullptr, *set = nullptr, *counter = nullptr, *table = nullptr, *none = nullptr;
  Exact{"lowered", nvrtcGetLoweredName(program, "scale<int, 3>", &scale), nvrtcGetLoweredName(program, "inner::set", &set), nvrtcGetLoweredName(program, "&counter", &counter), nvrtcGetLoweredName(program, "&table", &table), nvrtcGetLoweredName(program, "nothing", &none)};
  Exact{"lowered_names", scale, set, counter, table};
  size_t size = 0;
  Exact{"ptx_size", nvrtcGetPTXSize(program, &size), size > 10};
  std::string ptx(size, 0);
  Exact{"ptx", nvrtcGetPTX(program, &ptx[0]), ptx[size - 1] == 0};
  Exact{"init", cuInit(0), cudaFree(nullptr)};
  CUmodule module;
  Exact{"load", cuModuleLoadData(&module, ptx.c_str())};
  CUfunction f, g;
  Exact{"functions", cuModuleGetFunction(&f, module, scale), cuModuleGetFunction(&g, module, set), cuModuleGetFunction(&f, module, scale)};
  CUfunction missing;
  Exact{"missing", cuModuleGetFunction(&missing, module, "nothing")};
  Array<int> x({1, 2, 3, 4});
  void* arguments[] = {&x.data};
  Exact{"launch", cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr), cuCtxSynchronize()};
  answers::put("scaled", x);
  CUdeviceptr address;
  size_t bytes = 0;
  Exact{"global", cuModuleGetGlobal(&address, &bytes, module, table), bytes};
  const int values[4] = {9, 8, 7, 6};
  Exact{"global_copy", cuMemcpyHtoD(address, values, sizeof values)};
  Exact{"launch_set", cuLaunchKernel(g, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr), cuCtxSynchronize()};
  answers::put("set", x);
  int read = 0;
  Exact{"global_counter", cuModuleGetGlobal(&address, &bytes, module, counter), bytes, cuMemcpyDtoH(&read, address, 4), read};
  Exact{"launch_wrong", cuLaunchKernel(f, 0, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr), cuLaunchKernel(f, 1, 1, 1, 2000, 1, 1, 0, nullptr, arguments, nullptr)};
  Exact{"bad_image", cuModuleLoadData(&module, "no ptx")};
  Exact{"destroy", nvrtcDestroyProgram(&program)};
}

int main() {
  states();
  launches();
  return 0;
}
