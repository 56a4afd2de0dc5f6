"""`simtcc`: programs that use the driver API or NVML."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from simtcc_project import Simtcc
from workshop import write_files

pytestmark = pytest.mark.slow

MANAGEMENT = """\
#include <cstdio>
#include <cuda_runtime.h>
#include <nvml.h>
int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  char bus[16];
  cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
  unsigned clock = 0, watts = 0;
  nvmlDevice_t device;
  if (nvmlInit() != NVML_SUCCESS) return 1;
  nvmlReturn_t found = nvmlDeviceGetHandleByPciBusId(bus, &device);
  nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &clock);
  std::printf("%d %d %s\\n", found, clock == properties.memoryClockRate / 1000,
              nvmlErrorString(nvmlDeviceGetPowerUsage(device, &watts)));
  return nvmlShutdown();
}
"""


def test_a_program_that_asks_nvml(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"main.cu": MANAGEMENT})
    done = simtcc("main.cu", "-lnvidia-ml", "-o", "program")
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([str(tmp_path / "program")], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "0 1 Not Supported\n")


DRIVER = """\
#include <cuda.h>
#include <cstdio>

#define CHECK(call) if (CUresult error = (call)) return printf("%d %s\\n", error, #call)

int main() {
  CUdevice device;
  CUcontext context, popped;
  int warp = 0, virtual_memory = -1;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK(cuDeviceGetAttribute(&virtual_memory, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  CHECK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
  CUdeviceptr x, y;
  CHECK(cuMemAlloc(&x, 64));
  CHECK(cuMemAlloc(&y, 64));
  CHECK(cuMemsetD32(x, 0x01020304, 16));
  CHECK(cuMemsetD16(x + 4, 7, 1));
  CUstream stream;
  CUevent start, end;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(start, stream));
  CHECK(cuMemcpyDtoDAsync(y, x, 64, stream));
  CHECK(cuEventRecord(end, stream));
  CHECK(cuStreamSynchronize(stream));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, start, end));
  unsigned values[16];
  CHECK(cuMemcpyDtoH(values, y, 64));
  CHECK(cuMemFree(x));
  CHECK(cuMemFree(y));
  CHECK(cuCtxPopCurrent(&popped));
  CHECK(cuCtxDestroy(context));
  CUctxCreateParams params = {};  // the signature of CUDA 13
  CHECK(cuCtxCreate(&context, &params, 0, device));
  printf("%d %d %x %x %d %d\\n", warp, virtual_memory, values[0], values[1], milliseconds >= 0, popped == context);
  printf("%d\\n", cuMemAlloc(&x, 0) == CUDA_ERROR_INVALID_VALUE);
}
"""


def test_a_program_that_uses_the_driver_api(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"driver.cpp": DRIVER})
    done = simtcc("driver.cpp", "-lcuda", "-run")
    assert (done.stderr, done.stdout) == ("", "32 1 1020304 1020007 1 1\n1\n")


ARRAYS = r"""
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

#define CHECK(call) if (CUresult error = (call)) return printf("%d %s\n", error, #call)

__global__ void turn(CUtexObject image, cudaSurfaceObject_t turned, int width) {
  int x = threadIdx.x, y = threadIdx.y;
  surf2Dwrite(tex2D<float>(image, x + 1.0f, y + 0.5f), turned, 4 * (width - 1 - x), y);
}

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));

  CUarray image, turned;
  CUDA_ARRAY_DESCRIPTOR size;
  memset(&size, 0, sizeof size);
  size.Width = 4;
  size.Height = 2;
  size.Format = CU_AD_FORMAT_FLOAT;
  size.NumChannels = 1;
  CHECK(cuArrayCreate(&image, &size));
  CUDA_ARRAY3D_DESCRIPTOR writable = {4, 2, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CHECK(cuArray3DCreate(&turned, &writable));

  float host[2][6] = {{0, 1, 2, 3, 9, 9}, {10, 20, 30, 40, 9, 9}};
  CUDA_MEMCPY2D rows;
  memset(&rows, 0, sizeof rows);
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = host;
  rows.srcPitch = sizeof host[0];
  rows.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  rows.dstArray = image;
  rows.WidthInBytes = 4 * sizeof(float);
  rows.Height = 2;
  CHECK(cuMemcpy2D(&rows));

  CUtexObject texture;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC how;
  memset(&resource, 0, sizeof resource);
  memset(&how, 0, sizeof how);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = image;
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));

  // The runtime API knows the array and the surface under the same handles.
  cudaResourceDesc target = {};
  target.resType = cudaResourceTypeArray;
  target.res.array.array = (cudaArray_t)turned;
  cudaSurfaceObject_t surface;
  if (cudaCreateSurfaceObject(&surface, &target)) return 1;
  turn<<<1, dim3(4, 2)>>>(texture, surface, 4);
  CHECK(cuCtxSynchronize());

  CUDA_MEMCPY3D box;
  memset(&box, 0, sizeof box);
  box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  box.srcArray = turned;
  box.srcXInBytes = 4;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = host;
  box.dstPitch = sizeof host[0];
  box.dstHeight = 2;
  box.WidthInBytes = 12;
  box.Height = 2;
  box.Depth = 1;
  CHECK(cuMemcpy3D(&box));
  for (auto& row : host) printf("%g %g %g %g\n", row[0], row[1], row[2], row[3]);
  box.Height = 3;
  printf("%d\n", cuMemcpy3D(&box) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuSurfObjectDestroy(surface));
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuArrayDestroy(turned));
  CHECK(cuArrayDestroy(image));
  printf("%d\n", cuArrayDestroy(image) == CUDA_ERROR_INVALID_HANDLE);
}
"""


def test_arrays_and_textures_of_the_driver_api(simtcc: Simtcc, tmp_path: Path) -> None:
    write_files(tmp_path, {"arrays.cu": ARRAYS})
    done = simtcc("arrays.cu", "-lcuda", "-run")
    assert (done.stderr, done.stdout) == ("", "2.5 1.5 0.5 3\n35 25 15 40\n1\n1\n")


LIBRARY = r"""
#include <cuda.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main() {
  CUlibrary of_file, of_data;
  CUkernel kernel;
  CUfunction add;
  CUdeviceptr p, variable, begin;
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  size_t size = 0;
  int count = 3, value = 0;
  if (cuLibraryLoadFromFile(&of_file, "add.fatbin", nullptr, nullptr, 0, nullptr, nullptr, 0)) return 1;
  std::ifstream file("add.fatbin", std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  if (cuLibraryLoadData(&of_data, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0)) return 2;
  if (cuLibraryGetKernel(&kernel, of_data, "none") != CUDA_ERROR_NOT_FOUND) return 3;
  if (cuLibraryGetKernel(&kernel, of_data, "add") || cuKernelGetFunction(&add, kernel)) return 4;

  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  if (cuMemAllocAsync(&p, sizeof value, stream) || cuMemsetD32Async(p, 0, 1, stream)) return 5;
  void* arguments[] = {&p, &count};
  if (cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL)) return 6;
  cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
  cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
  if (cuStreamEndCapture(stream, &graph) || cuGraphInstantiate(&exec, graph, 0)) return 7;
  cuGraphLaunch(exec, stream);
  cuMemcpyDtoHAsync(&value, p, sizeof value, stream);
  cuStreamSynchronize(stream);
  printf("%d\n", value);
  cuLibraryGetGlobal(&variable, &size, of_data, "calls");
  cuMemcpyDtoH(&value, variable, sizeof value);
  printf("%zu %d\n", size, value);
  cuMemGetAddressRange(&begin, &size, p + 2);
  printf("%d %zu\n", begin == p, size);
  cuMemFreeAsync(p, stream);
  return cuLibraryUnload(of_data) || cuLibraryUnload(of_file);
}
"""


def test_libraries_streams_and_graphs_of_the_driver_api(simtcc: Simtcc, tmp_path: Path) -> None:
    kernel = """\
__device__ int calls;
extern "C" __global__ void add(int* p, int count) { *p += count + 10 * ++calls; }
"""
    write_files(tmp_path, {"add.cu": kernel, "library.cpp": LIBRARY})
    assert simtcc("-fatbin", "add.cu").returncode == 0
    done = simtcc("library.cpp", "-lcuda", "-run")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "36\n4 2\n1 4\n")
