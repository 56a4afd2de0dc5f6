// NVRTC: results of programs, options, names and wrong arguments; launches of what it compiled through the driver API.
// nvcc: -lnvrtc -lcuda
#include <cuda.h>
#include <nvrtc.h>

#include "cases.h"

#include <string>
#include <vector>

static void tell(const char* name, int result) { std::printf("%s: %d\n", cases::Name(name).text, result); }

static const char* good =
    "template <class T> __global__ void scale(T* p, T f) { p[threadIdx.x] *= f; }\n"
    "extern \"C\" __global__ void add(int* p, int v) { p[threadIdx.x] += v; }\n"
    "__constant__ int limit = 5;\n__device__ float table[7];\n"
    "namespace inner { __global__ void put(int* p) { *p = limit; } }\n";

static void texts() {
  for (int code = 0; code <= 12; code++) {
    char line[32];
    std::snprintf(line, sizeof line, "text %d", code);
    std::printf("%s: %s\n", cases::Name(line).text, std::strchr(nvrtcGetErrorString((nvrtcResult)code), '_') + 1);
  }
}

static void programs() {
  nvrtcProgram p = nullptr;
  tell("destroy null", nvrtcDestroyProgram(nullptr));
  p = nullptr;
  tell("destroy null program", nvrtcDestroyProgram(&p));
  tell("create null name", nvrtcCreateProgram(&p, good, nullptr, 0, nullptr, nullptr));
  std::size_t size = 77;
  tell("ptx before", nvrtcGetPTXSize(p, &size));
  const char* lowered = nullptr;
  tell("lowered before", nvrtcGetLoweredName(p, "scale<int>", &lowered));
  tell("expression", nvrtcAddNameExpression(p, "scale<int>"));
  const char* bad_option[] = {"--no-such-option"};
  tell("bad option", nvrtcCompileProgram(p, 1, bad_option));
  tell("log size", nvrtcGetProgramLogSize(p, &size));
  cases::put_values("log of bad option", size > 1);
  tell("destroy", nvrtcDestroyProgram(&p));
  cases::put_values("null after destroy", p == nullptr);
  nvrtcCreateProgram(&p, "__global__ void f() { undefined_name = 1; }", "bad.cu", 0, nullptr, nullptr);
  tell("bad source", nvrtcCompileProgram(p, 0, nullptr));
  nvrtcGetProgramLogSize(p, &size);
  std::vector<char> log(size);
  tell("log", nvrtcGetProgramLog(p, log.data()));
  cases::put_values("log names it", std::string(log.data()).find("undefined_name") != std::string::npos,
                    std::string(log.data()).find("bad.cu") != std::string::npos);
  tell("ptx of bad", nvrtcGetPTXSize(p, &size));
  nvrtcDestroyProgram(&p);
  nvrtcCreateProgram(&p, good, "x.cu", 0, nullptr, nullptr);
  nvrtcAddNameExpression(p, "no_such_name");
  tell("bad expression", nvrtcCompileProgram(p, 0, nullptr));
  nvrtcDestroyProgram(&p);
}

static void launches() {
  cudaFree(nullptr);
  nvrtcProgram p = nullptr;
  nvrtcCreateProgram(&p, good, "x.cu", 0, nullptr, nullptr);
  for (const char* e : {"scale<int>", "scale<float>", "&limit", "table", "inner::put"}) {
    tell((std::string("add ") + e).c_str(), nvrtcAddNameExpression(p, e));
  }
  const char* options[] = {"--std=c++17"};
  tell("compile", nvrtcCompileProgram(p, 1, options));
  tell("compile again", nvrtcCompileProgram(p, 1, options));
  tell("expression after", nvrtcAddNameExpression(p, "scale<double>"));
  std::size_t size = 0;
  tell("ptx size", nvrtcGetPTXSize(p, &size));
  std::string ptx(size, 0);
  tell("ptx", nvrtcGetPTX(p, &ptx[0]));
  const char *names[5] = {}, *other = nullptr;
  tell("lowered", nvrtcGetLoweredName(p, "scale<int>", &names[0]));
  cases::put_values("name of scale", names[0]);
  tell("lowered float", nvrtcGetLoweredName(p, "scale<float>", &names[1]));
  tell("lowered limit", nvrtcGetLoweredName(p, "&limit", &names[2]));
  tell("lowered table", nvrtcGetLoweredName(p, "table", &names[3]));
  tell("lowered put", nvrtcGetLoweredName(p, "inner::put", &names[4]));
  cases::put_values("name of put", names[4]);
  tell("lowered other", nvrtcGetLoweredName(p, "scale<double>", &other));
  CUmodule m;
  CUfunction f = nullptr;
  tell("load", cuModuleLoadData(&m, ptx.data()));
  tell("function", cuModuleGetFunction(&f, m, names[0]));
  tell("no function", cuModuleGetFunction(&f, m, "no_such"));
  int *memory, host[4] = {1, 2, 3, 4}, factor = 3;
  cudaMalloc(&memory, 64);
  cudaMemcpy(memory, host, 16, cudaMemcpyHostToDevice);
  void* arguments[] = {&memory, &factor};
  cuModuleGetFunction(&f, m, names[0]);
  tell("launch", cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr));
  tell("launch 0", cuLaunchKernel(f, 0, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr));
  tell("launch 1025", cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, 0, arguments, nullptr));
  tell("launch shared", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 1 << 20, 0, arguments, nullptr));
  cuModuleGetFunction(&f, m, "add");
  tell("launch add", cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr));
  cudaMemcpy(host, memory, 16, cudaMemcpyDeviceToHost);
  cases::put_array("values", host, 4);
  CUdeviceptr global = 0;
  std::size_t bytes = 77;
  tell("global", cuModuleGetGlobal(&global, &bytes, m, names[3]));
  cases::put_values("bytes of table", bytes);
  tell("global limit", cuModuleGetGlobal(&global, &bytes, m, names[2]));
  cases::put_values("bytes of limit", bytes);
  tell("no global", cuModuleGetGlobal(&global, &bytes, m, "no_such"));
  tell("unload", cuModuleUnload(m));
  tell("end", cuCtxSynchronize());
}

static void null_program() { tell("create null", nvrtcCreateProgram(nullptr, good, "x.cu", 0, nullptr, nullptr)); }
static void null_source() {
  nvrtcProgram p = nullptr;
  tell("create null source", nvrtcCreateProgram(&p, nullptr, "x.cu", 0, nullptr, nullptr));
}
static void null_headers() {
  nvrtcProgram p = nullptr;
  tell("create negative", nvrtcCreateProgram(&p, good, "x.cu", -1, nullptr, nullptr));
  tell("create headers null", nvrtcCreateProgram(&p, good, "x.cu", 1, nullptr, nullptr));
}
static void null_expression() {
  nvrtcProgram p = nullptr;
  nvrtcCreateProgram(&p, good, "x.cu", 0, nullptr, nullptr);
  tell("expression null", nvrtcAddNameExpression(p, nullptr));
}

int main() {
  const cases::Case all[] = {{"texts", texts}, {"programs", programs}, {"launches", launches},
                             {"null program", null_program}, {"null source", null_source},
                             {"null headers", null_headers}, {"null expression", null_expression}};
  cases::seconds = 100;
  cases::run_all(all, 7);
  return 0;
}
