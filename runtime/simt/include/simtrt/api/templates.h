// C++ additions to the C functions (CUDA's cuda_runtime.h): functions that take typed pointers, and
// symbols and kernels by name.
#pragma once

#include <simt_runtime_api.h>

#include <cstddef>
#include <type_traits>

namespace simtrt {

/// Address of a pointer to data of any type, also to constants.
template <class T>
void** untyped(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}

}  // namespace simtrt

template <class T>
simtError_t simtMalloc(T** pointer, std::size_t size) {
  return simtMalloc(simtrt::untyped(pointer), size);
}
template <class T>
simtError_t simtMallocHost(T** pointer, std::size_t size, unsigned flags = 0) {
  return simtHostAlloc(simtrt::untyped(pointer), size, flags);
}
template <class T>
simtError_t simtHostAlloc(T** pointer, std::size_t size, unsigned flags) {
  return simtHostAlloc(simtrt::untyped(pointer), size, flags);
}
template <class T>
simtError_t simtHostGetDevicePointer(T** pointer, void* host, unsigned flags) {
  return simtHostGetDevicePointer(simtrt::untyped(pointer), host, flags);
}
template <class T>
simtError_t simtMallocManaged(T** pointer, std::size_t size, unsigned flags = simtMemAttachGlobal) {
  return simtMallocManaged(simtrt::untyped(pointer), size, flags);
}
template <class T>
simtError_t simtMallocPitch(T** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return simtMallocPitch(simtrt::untyped(pointer), pitch, width, height);
}
template <class T>
simtError_t simtMallocAsync(T** pointer, std::size_t size, simtStream_t stream) {
  return simtMallocAsync(simtrt::untyped(pointer), size, stream);
}
inline simtError_t simtMallocAsync(void** pointer, std::size_t size, simtMemPool_t pool,
                                   simtStream_t stream) {
  return simtMallocFromPoolAsync(pointer, size, pool, stream);
}
template <class T>
simtError_t simtMallocAsync(T** pointer, std::size_t size, simtMemPool_t pool,
                            simtStream_t stream) {
  return simtMallocFromPoolAsync(simtrt::untyped(pointer), size, pool, stream);
}
template <class T>
simtError_t simtMallocFromPoolAsync(T** pointer, std::size_t size, simtMemPool_t pool,
                                    simtStream_t stream) {
  return simtMallocFromPoolAsync(simtrt::untyped(pointer), size, pool, stream);
}
template <class T>
simtError_t simtStreamAttachMemAsync(simtStream_t stream, T* pointer, std::size_t length = 0,
                                     unsigned flags = simtMemAttachSingle) {
  return simtStreamAttachMemAsync(stream, static_cast<void*>(pointer), length, flags);
}

inline simtError_t simtEventCreate(simtEvent_t* event, unsigned flags) {
  return simtEventCreateWithFlags(event, flags);
}

// A symbol is a __device__ or __constant__ variable. These functions take a symbol by name,
// register its size and pass its address to the C API.
namespace simtrt {
/// Registers `size` bytes at `symbol` as device memory.
SIMTRT_EXPORT simtError_t register_symbol(const void* symbol, std::size_t size);
}  // namespace simtrt

template <class T>
simtError_t simtGetSymbolAddress(void** pointer, const T& symbol) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  return error != simtSuccess ? error
                              : simtGetSymbolAddress(pointer, static_cast<const void*>(&symbol));
}
template <class T>
simtError_t simtGetSymbolSize(std::size_t* size, const T& symbol) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  return error != simtSuccess ? error : simtGetSymbolSize(size, static_cast<const void*>(&symbol));
}
template <class T>
simtError_t simtMemcpyToSymbol(const T& symbol, const void* from, std::size_t count,
                               std::size_t offset = 0,
                               simtMemcpyKind kind = simtMemcpyHostToDevice) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  if (error != simtSuccess) return error;
  return simtMemcpyToSymbol(static_cast<const void*>(&symbol), from, count, offset, kind);
}
template <class T>
simtError_t simtMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t count,
                                    std::size_t offset, simtMemcpyKind kind,
                                    simtStream_t stream = nullptr) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  if (error != simtSuccess) return error;
  return simtMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, count, offset, kind,
                                 stream);
}
template <class T>
simtError_t simtMemcpyFromSymbol(void* to, const T& symbol, std::size_t count,
                                 std::size_t offset = 0,
                                 simtMemcpyKind kind = simtMemcpyDeviceToHost) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  if (error != simtSuccess) return error;
  return simtMemcpyFromSymbol(to, static_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
simtError_t simtMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t count,
                                      std::size_t offset, simtMemcpyKind kind,
                                      simtStream_t stream = nullptr) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  if (error != simtSuccess) return error;
  return simtMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), count, offset, kind,
                                   stream);
}

template <class T>
simtError_t simtGraphAddMemcpyNodeToSymbol(simtGraphNode_t* node, simtGraph_t graph,
                                           const simtGraphNode_t* after, std::size_t count,
                                           const T& symbol, const void* from, std::size_t size,
                                           std::size_t offset, simtMemcpyKind kind) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  if (error != simtSuccess) return error;
  return simtGraphAddMemcpyNodeToSymbol(node, graph, after, count,
                                        static_cast<const void*>(&symbol), from, size, offset,
                                        kind);
}
template <class T>
simtError_t simtGraphAddMemcpyNodeFromSymbol(simtGraphNode_t* node, simtGraph_t graph,
                                             const simtGraphNode_t* after, std::size_t count,
                                             void* to, const T& symbol, std::size_t size,
                                             std::size_t offset, simtMemcpyKind kind) {
  const simtError_t error = simtrt::register_symbol(&symbol, sizeof(T));
  if (error != simtSuccess) return error;
  return simtGraphAddMemcpyNodeFromSymbol(node, graph, after, count, to,
                                          static_cast<const void*>(&symbol), size, offset, kind);
}

// Kernels are C++ functions; the C API takes their addresses.
template <class R, class... P>
simtError_t simtFuncGetAttributes(simtFuncAttributes* attributes, R (*kernel)(P...)) {
  return simtFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class R, class... P>
simtError_t simtFuncSetAttribute(R (*kernel)(P...), simtFuncAttribute attribute, int value) {
  return simtFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class R, class... P>
simtError_t simtFuncSetCacheConfig(R (*kernel)(P...), simtFuncCache config) {
  return simtFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class R, class... P>
simtError_t simtFuncSetSharedMemConfig(R (*kernel)(P...), simtSharedMemConfig config) {
  return simtFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class R, class... P>
simtError_t simtOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, R (*kernel)(P...),
                                                          int block_size,
                                                          std::size_t shared_bytes) {
  return simtOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), block_size, shared_bytes);
}
template <class R, class... P>
simtError_t simtOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, R (*kernel)(P...),
                                                                   int block_size,
                                                                   std::size_t shared_bytes,
                                                                   unsigned flags) {
  return simtOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), block_size, shared_bytes, flags);
}
template <class R, class... P>
simtError_t simtOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, R (*kernel)(P...),
                                                      int blocks, int block_size) {
  return simtOccupancyAvailableDynamicSMemPerBlock(
      shared_bytes, reinterpret_cast<const void*>(kernel), blocks, block_size);
}

namespace simtrt {
/// Computes the block size with the highest occupancy of a multiprocessor, at most `limit` (0: no
/// limit), and the number of blocks of this size that occupy the device. On this target, the number
/// of threads is the only limit of a kernel, so the result is the same for all kernels.
template <class SharedBytes>
simtError_t best_block_size(int* blocks, int* block_size, SharedBytes shared_bytes, int limit) {
  if (blocks == nullptr || block_size == nullptr) return simtErrorInvalidValue;
  int device = 0;
  simtDeviceProp properties;
  simtError_t error = simtGetDevice(&device);
  if (error == simtSuccess) error = simtGetDeviceProperties(&properties, device);
  if (error != simtSuccess) return error;
  const int most =
      limit > 0 && limit < properties.maxThreadsPerBlock ? limit : properties.maxThreadsPerBlock;
  int best_threads = 0;
  for (int size = (most + properties.warpSize - 1) / properties.warpSize * properties.warpSize;
       size > 0; size -= properties.warpSize) {
    const int candidate = size < most ? size : most;
    int per_multiprocessor = 0;
    error = simtOccupancyMaxActiveBlocksPerMultiprocessor(
        &per_multiprocessor, static_cast<const void*>(nullptr), candidate, shared_bytes(candidate));
    if (error != simtSuccess) return error;
    if (per_multiprocessor * candidate > best_threads) {
      best_threads = per_multiprocessor * candidate;
      *block_size = candidate;
      *blocks = per_multiprocessor * properties.multiProcessorCount;
    }
  }
  return simtSuccess;
}
}  // namespace simtrt

template <class Kernel>
simtError_t simtOccupancyMaxPotentialBlockSize(int* blocks, int* block_size, Kernel,
                                               std::size_t shared_bytes = 0, int limit = 0) {
  return simtrt::best_block_size(blocks, block_size, [=](int) { return shared_bytes; }, limit);
}
template <class Kernel>
simtError_t simtOccupancyMaxPotentialBlockSizeWithFlags(int* blocks, int* block_size, Kernel,
                                                        std::size_t shared_bytes = 0, int limit = 0,
                                                        unsigned = 0) {
  return simtrt::best_block_size(blocks, block_size, [=](int) { return shared_bytes; }, limit);
}
template <class SharedBytes, class Kernel>
simtError_t simtOccupancyMaxPotentialBlockSizeVariableSMem(int* blocks, int* block_size, Kernel,
                                                           SharedBytes shared_bytes,
                                                           int limit = 0) {
  return simtrt::best_block_size(blocks, block_size, shared_bytes, limit);
}
template <class SharedBytes, class Kernel>
simtError_t simtOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* blocks, int* block_size,
                                                                    Kernel,
                                                                    SharedBytes shared_bytes,
                                                                    int limit = 0, unsigned = 0) {
  return simtrt::best_block_size(blocks, block_size, shared_bytes, limit);
}
