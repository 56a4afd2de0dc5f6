// The made-up target `toy`, as far as vector_add.cu goes: a grid is a loop on the host.
#pragma once

#include <cstdlib>
#include <cstring>

#define __global__ static

struct toyIndex {
  int x;
};
static toyIndex blockIdx, blockDim, threadIdx;

enum toyError_t { toySuccess };
enum toyMemcpyKind { toyMemcpyHostToDevice, toyMemcpyDeviceToHost };

template <typename T>
toyError_t toyMalloc(T** pointer, size_t bytes) {
  *pointer = static_cast<T*>(std::malloc(bytes));
  return toySuccess;
}

inline toyError_t toyMemcpy(void* to, const void* from, size_t bytes, toyMemcpyKind) {
  std::memcpy(to, from, bytes);
  return toySuccess;
}

inline toyError_t toyFree(void* pointer) {
  std::free(pointer);
  return toySuccess;
}

inline toyError_t toyGetLastError() { return toySuccess; }
inline const char* toyGetErrorString(toyError_t) { return "no error"; }

#define TOY_LAUNCH(kernel, grid, block, shmem, stream, ...)                        \
  do {                                                                             \
    blockDim.x = block;                                                            \
    for (blockIdx.x = 0; blockIdx.x < (grid); ++blockIdx.x)                        \
      for (threadIdx.x = 0; threadIdx.x < (block); ++threadIdx.x) kernel(__VA_ARGS__); \
  } while (0)
