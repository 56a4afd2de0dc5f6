// Runs the kernels of peers.cl on the first OpenCL device. The argument is the path of peers.cl.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "work.h"

#include <fstream>
#include <sstream>
#include <string>

using namespace work;

namespace {

void check(cl_int status) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "OpenCL error %d\n", status);
  std::exit(1);
}

struct Device {
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  explicit Device(const char* source) {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr));
    cl_int status = 0;
    context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &status);
    check(status);
    queue = clCreateCommandQueue(context, id, 0, &status);
    check(status);
    std::ostringstream text;
    text << std::ifstream(source).rdbuf();
    const std::string all = text.str();
    const char* begin = all.c_str();
    program = clCreateProgramWithSource(context, 1, &begin, nullptr, &status);
    check(status);
    const std::string options = "-DBLOCK=" + std::to_string(kBlock) + " -DBINS=" + std::to_string(kBins) +
                                " -DTILE=" + std::to_string(kTile) + " -DSOFTENING=" + std::to_string(kSoftening) + "f";
    check(clBuildProgram(program, 1, &id, options.c_str(), nullptr, nullptr));
  }

  template <class T>
  cl_mem buffer(std::vector<T> values) const {
    cl_int status = 0;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T),
                                 values.data(), &status);
    check(status);
    return made;
  }

  template <class T>
  double sum_of(cl_mem memory, int count, int first = 0) const {
    std::vector<T> values(count);
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, first * sizeof(T), count * sizeof(T), values.data(), 0, nullptr,
                              nullptr));
    return checksum(values);
  }

  /// Launches a kernel with buffers and a number as arguments, on `blocks` groups of `threads` (twice for two dimensions).
  void launch(const char* name, const std::vector<cl_mem>& buffers, int n, std::size_t blocks, std::size_t threads,
              int dimensions = 1) const {
    cl_int status = 0;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status);
    cl_uint index = 0;
    for (const cl_mem& one : buffers) check(clSetKernelArg(kernel, index++, sizeof one, &one));
    check(clSetKernelArg(kernel, index, sizeof n, &n));
    const std::size_t global[] = {blocks * threads, blocks * threads}, local[] = {threads, threads};
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, global, local, 0, nullptr, nullptr));
    check(clReleaseKernel(kernel));
  }
};

}  // namespace

int main(int, char** arguments) {
  const Device device(arguments[1]);
  constexpr int kFew = 64, kBlocks = kScan / kBlock;
  const std::vector<float> host = numbers(kVector);
  cl_mem a = device.buffer(host), b = device.buffer(host), c = device.buffer(host);
  const auto timed = [&](const char* name, const auto& launch, const auto& result) {
    const double took = seconds([&] {
      launch();
      check(clFinish(device.queue));
    });
    report(name, took, result());
  };
  timed("add", [&] { device.launch("add", {a, b, c}, kVector, kVector / kBlock, kBlock); },
        [&] { return device.sum_of<float>(c, kVector); });
  cl_mem few = device.buffer(std::vector<float>(kFew));
  timed("reduction",
        [&] {
          device.launch("reduce", {a, few}, kVector, kFew, kBlock);
          device.launch("reduce", {few, few}, kFew, 1, kBlock);
        },
        [&] { return device.sum_of<float>(few, 1); });
  cl_mem sums = device.buffer(std::vector<float>(kBlocks));
  timed("scan",
        [&] {
          device.launch("scan_blocks", {a, c, sums}, kScan, kBlocks, kBlock);
          device.launch("scan_sums", {sums}, kBlocks, 1, 32);
          device.launch("add_sums", {c, sums}, kScan, kBlocks, kBlock);
        },
        [&] { return device.sum_of<float>(c, 16, kScan - 16); });
  timed("matmul", [&] { device.launch("matmul", {a, b, c}, kMatrix, kMatrix / kTile, kTile, 2); },
        [&] { return device.sum_of<float>(c, kMatrix * kMatrix); });
  cl_mem bins = device.buffer(bins_of(host)), counts = device.buffer(std::vector<int>(kBins));
  timed("histogram",
        [&] {
          const int zero = 0;
          check(clEnqueueFillBuffer(device.queue, counts, &zero, sizeof zero, 0, kBins * sizeof zero, 0, nullptr, nullptr));
          device.launch("histogram", {bins, counts}, kVector, kFew, kBins);
        },
        [&] { return device.sum_of<int>(counts, kBins); });
  cl_mem all = device.buffer(bodies());
  timed("nbody", [&] { device.launch("nbody", {all, c}, kBodies, kBodies / kBlock, kBlock); },
        [&] { return device.sum_of<float>(c, kBodies); });
}
