// Results of allocating and freeing functions with wrong arguments.
#include "cases.h"

#include <cstdint>

static void device_memory() {
  void* p = (void*)8;
  CALL("malloc null", cudaMalloc((void**)nullptr, 16));
  CALL("malloc 0", cudaMalloc(&p, 0), p == nullptr);
  p = (void*)8;
  CALL("malloc huge", cudaMalloc(&p, SIZE_MAX), p == nullptr, p == (void*)8);
  p = (void*)8;
  CALL("malloc 1 EB", cudaMalloc(&p, std::size_t(1) << 60), p == nullptr, p == (void*)8);
  p = (void*)8;
  CALL("malloc huge -512", cudaMalloc(&p, SIZE_MAX - 600), p == nullptr, p == (void*)8);
  CALL("free null", cudaFree(nullptr));
  CALL("free odd", cudaFree((void*)8));
  int on_stack = 0;
  CALL("free stack", cudaFree(&on_stack));
  void* heap = std::malloc(64);
  CALL("free heap", cudaFree(heap));
  std::free(heap);
  char* block;
  CALL("malloc", cudaMalloc(&block, 1024));
  CALL("aligned", cudaSuccess, (std::uintptr_t)block % 256);
  CALL("free inner 1", cudaFree(block + 1));
  CALL("free inner 256", cudaFree(block + 256));
  CALL("free end", cudaFree(block + 1024));
  CALL("free", cudaFree(block));
  CALL("free twice", cudaFree(block));
  char* again;
  CALL("after errors", cudaMalloc(&again, 16));
  CALL("after errors free", cudaFree(again));
  for (int i = 0; i < 6; i++) {
    const std::size_t sizes[] = {1, 255, 256, 257, 511, 513};
    char *a, *b;
    char name[32];
    cudaMalloc(&a, sizes[i]);
    cudaMalloc(&b, sizes[i]);
    std::snprintf(name, sizeof name, "spacing %zu", sizes[i]);
    cases::put_values(name, std::uintptr_t(a) % 512, std::uintptr_t(b) % 512);
    cudaFree(a);
    cudaFree(b);
  }
}

static void pitched() {
  char* p = nullptr;
  std::size_t pitch = 7;
  CALL("pitch null pointer", cudaMallocPitch((void**)nullptr, &pitch, 16, 4), pitch);
  CALL("pitch null pitch", cudaMallocPitch(&p, (std::size_t*)nullptr, 16, 4));
  for (std::size_t width : {0, 1, 16, 511, 512, 513, 1000, 4097}) {
    for (std::size_t height : {0, 1, 3}) {
      char name[48];
      p = (char*)8;
      pitch = 7;
      std::snprintf(name, sizeof name, "pitch %zu x %zu", width, height);
      const cudaError_t e = cudaMallocPitch(&p, &pitch, width, height);
      CALL(name, e, pitch, p == nullptr, p == (char*)8);
      if (p != (char*)8) cudaFree(p);
    }
  }
  CALL("pitch huge width", cudaMallocPitch(&p, &pitch, std::size_t(1) << 40, 1 << 20));
  CALL("pitch too wide", cudaMallocPitch(&p, &pitch, std::size_t(1) << 31, 1), pitch);
  cudaPitchedPtr box{};
  CALL("3d null", cudaMalloc3D(nullptr, make_cudaExtent(4, 4, 4)));
  for (int i = 0; i < 6; i++) {
    const cudaExtent extents[] = {{0, 0, 0}, {16, 0, 0}, {16, 2, 0}, {16, 2, 3}, {600, 1, 1}, {0, 2, 2}};
    char name[32];
    box = {(void*)8, 7, 7, 7};
    const cudaError_t e = cudaMalloc3D(&box, extents[i]);
    std::snprintf(name, sizeof name, "3d case %d", i);
    CALL(name, e, box.pitch, box.xsize, box.ysize, box.ptr == nullptr, box.ptr == (void*)8);
    if (box.ptr != (void*)8) cudaFree(box.ptr);
  }
}

static void host_memory() {
  void* p = (void*)8;
  CALL("host null", cudaMallocHost((void**)nullptr, 16));
  CALL("host 0", cudaMallocHost(&p, 0), p == nullptr);
  p = (void*)8;
  CALL("host huge", cudaMallocHost(&p, SIZE_MAX), p == (void*)8, p == nullptr);
  CALL("hostalloc null", cudaHostAlloc(nullptr, 16, 0));
  p = (void*)8;
  CALL("hostalloc 0", cudaHostAlloc(&p, 0, 0), p == nullptr);
  for (unsigned flags : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 16u, 32u, 64u, 128u, 0x80000000u}) {
    char name[32];
    std::snprintf(name, sizeof name, "hostalloc flags %x", flags);
    p = (void*)8;
    const cudaError_t e = cudaHostAlloc(&p, 64, flags);
    CALL(name, e);
    if (e != cudaSuccess) continue;
    unsigned got = 77;
    void* device = nullptr;
    std::snprintf(name, sizeof name, "hostgetflags %x", flags);
    const cudaError_t f = cudaHostGetFlags(&got, p);
    CALL(name, f, got);
    std::snprintf(name, sizeof name, "hostgetdevice %x", flags);
    const cudaError_t g = cudaHostGetDevicePointer(&device, p, 0);
    CALL(name, g, device == p);
    std::snprintf(name, sizeof name, "hostfree %x", flags);
    CALL(name, cudaFreeHost(p));
  }
  char* block;
  cudaMallocHost(&block, 4096);
  unsigned flags = 77;
  cudaError_t e = cudaHostGetFlags(&flags, block);
  CALL("mallochost flags", e, flags);
  flags = 77;
  e = cudaHostGetFlags(&flags, block + 5);
  CALL("mallochost flags inner", e, flags);
  CALL("flags null out", cudaHostGetFlags(nullptr, block));
  int on_stack = 0;
  flags = 77;
  e = cudaHostGetFlags(&flags, &on_stack);
  CALL("flags stack", e, flags);
  CALL("flags null", cudaHostGetFlags(&flags, nullptr));
  void* device = nullptr;
  e = cudaHostGetDevicePointer(&device, block + 5, 0);
  CALL("device pointer inner", e, (char*)device - block);
  CALL("device pointer flags", cudaHostGetDevicePointer(&device, block, 1));
  device = (void*)8;
  e = cudaHostGetDevicePointer(&device, &on_stack, 0);
  CALL("device pointer stack", e, device == (void*)8, device == nullptr);
  CALL("device pointer null", cudaHostGetDevicePointer(&device, nullptr, 0));
  CALL("device pointer null out", cudaHostGetDevicePointer((void**)nullptr, block, 0));
  CALL("freehost inner", cudaFreeHost(block + 64));
  CALL("free of host", cudaFree(block));
  CALL("freehost after free", cudaFreeHost(block));
  CALL("freehost twice", cudaFreeHost(block));
  CALL("freehost null", cudaFreeHost(nullptr));
  CALL("freehost stack", cudaFreeHost(&on_stack));
  char* memory;
  cudaMalloc(&memory, 64);
  CALL("freehost of device", cudaFreeHost(memory));
  CALL("free of device after it", cudaFree(memory));
  flags = 77;
  cudaMalloc(&memory, 64);
  e = cudaHostGetFlags(&flags, memory);
  CALL("flags of device", e, flags);
  e = cudaHostGetDevicePointer(&device, memory, 0);
  CALL("device pointer of device", e);
  CALL("free of device", cudaFree(memory));
}

static void managed() {
  char* p = (char*)8;
  CALL("managed null", cudaMallocManaged((void**)nullptr, 16));
  CALL("managed 0", cudaMallocManaged(&p, 0), p == nullptr);
  for (unsigned flags : {0u, 1u, 2u, 3u, 4u, 5u, 8u}) {
    char name[32];
    std::snprintf(name, sizeof name, "managed flags %x", flags);
    p = nullptr;
    const cudaError_t e = cudaMallocManaged(&p, 64, flags);
    CALL(name, e, p != nullptr);
    if (p != nullptr) cudaFree(p);
  }
  CALL("managed huge", cudaMallocManaged(&p, SIZE_MAX));
  cudaMallocManaged(&p, 4096);
  CALL("managed freehost", cudaFreeHost(p));
  unsigned flags = 77;
  cudaError_t e = cudaHostGetFlags(&flags, p);
  CALL("managed hostgetflags", e, flags);
  void* device = nullptr;
  e = cudaHostGetDevicePointer(&device, p, 0);
  CALL("managed hostgetdevice", e, device == p);
  CALL("managed free inner", cudaFree(p + 16));
  CALL("managed free", cudaFree(p));
  CALL("managed free twice", cudaFree(p));
  std::size_t free_bytes = 0, total = 0;
  CALL("meminfo", cudaMemGetInfo(&free_bytes, &total), free_bytes > 0, total >= free_bytes);
  CALL("meminfo null free", cudaMemGetInfo(nullptr, &total));
  CALL("meminfo null total", cudaMemGetInfo(&free_bytes, nullptr));
  CALL("meminfo both null", cudaMemGetInfo(nullptr, nullptr));
}

int main() {
  device_memory();
  pitched();
  host_memory();
  managed();
  return 0;
}
