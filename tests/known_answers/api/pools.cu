// Memory pools and stream-ordered allocation: attributes, wrong arguments, use counts, access, frees.
#include "cases.h"

#include <cstdint>

static cudaMemPoolProps good() {
  cudaMemPoolProps p{};
  p.allocType = cudaMemAllocationTypePinned;
  p.location.type = cudaMemLocationTypeDevice;
  return p;
}

static void creation() {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps p = good();
  CALL("create", cudaMemPoolCreate(&pool, &p), pool != nullptr);
  CALL("create null out", cudaMemPoolCreate(nullptr, &p));
  CALL("create null props", cudaMemPoolCreate(&pool, nullptr));
  for (int i = 0; i < 9; i++) {
    p = good();
    if (i == 0) p.allocType = cudaMemAllocationTypeInvalid;
    if (i == 1) p.allocType = (cudaMemAllocationType)7;
    if (i == 2) p.location.type = cudaMemLocationTypeInvalid;
    if (i == 3) p.location.id = 99;
    if (i == 4) p.location.id = -1;
    if (i == 5) p.handleTypes = (cudaMemAllocationHandleType)0x40;
    if (i == 6) p.maxSize = 1 << 20;
    if (i == 7) p.reserved[20] = 1;
    if (i == 8) p.handleTypes = cudaMemHandleTypeWin32;
    char line[32];
    std::snprintf(line, sizeof line, "create bad %d", i);
    cudaMemPool_t q = nullptr;
    CALL(line, cudaMemPoolCreate(&q, &p), q != nullptr);
    if (i == 6 && q != nullptr) {
      void* memory = nullptr;
      CALL("limited small", cudaMallocFromPoolAsync(&memory, 1 << 16, q, 0));
      CALL("limited large", cudaMallocFromPoolAsync(&memory, 1 << 28, q, 0));
    }
  }
  CALL("destroy", cudaMemPoolDestroy(pool));
  CALL("destroy null", cudaMemPoolDestroy(nullptr));
  cudaMemPool_t own = nullptr, current = nullptr;
  CALL("default", cudaDeviceGetDefaultMemPool(&own, 0), own != nullptr);
  CALL("default null", cudaDeviceGetDefaultMemPool(nullptr, 0));
  CALL("default 99", cudaDeviceGetDefaultMemPool(&own, 99));
  CALL("current", cudaDeviceGetMemPool(&current, 0), current == own);
  CALL("current 99", cudaDeviceGetMemPool(&current, 99));
  CALL("destroy default", cudaMemPoolDestroy(own));
  CALL("set null pool", cudaDeviceSetMemPool(0, nullptr));
  CALL("set 99", cudaDeviceSetMemPool(99, own));
  p = good();
  cudaMemPoolCreate(&pool, &p);
  CALL("set", cudaDeviceSetMemPool(0, pool));
  CALL("is", cudaDeviceGetMemPool(&current, 0), current == pool);
  CALL("destroy current", cudaMemPoolDestroy(pool));
  CALL("is default again", cudaDeviceGetMemPool(&current, 0), current == own);
}

static void attributes() {
  cudaMemPool_t pool;
  cudaMemPoolProps p = good();
  cudaMemPoolCreate(&pool, &p);
  for (int a = 0; a <= 9; a++) {
    char line[32];
    std::uint64_t v = 0x7700000077ull;
    std::snprintf(line, sizeof line, "get %d", a);
    const cudaError_t e = cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)a, &v);
    CALL(line, e, a >= 1 && a <= 3 ? std::uint64_t(std::uint32_t(v)) : v);
    v = 1;
    std::snprintf(line, sizeof line, "set 1 %d", a);
    CALL(line, cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)a, &v));
    v = 0;
    std::snprintf(line, sizeof line, "set 0 %d", a);
    CALL(line, cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)a, &v));
  }
  std::uint64_t v = 0;
  CALL("get null", cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, nullptr));
  CALL("get null pool", cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrUsedMemCurrent, &v));
  CALL("set null", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, nullptr));
  for (std::size_t bytes : {1, 511, 512, 513, 4096, 100000, 1 << 20, (1 << 21) + 1, 40 << 20}) {
    char line[32];
    void* memory = nullptr;
    std::uint64_t used = 0, high = 0, reserved = 0;
    CALL((std::snprintf(line, sizeof line, "malloc %zu", bytes), line), cudaMallocFromPoolAsync(&memory, bytes, pool, 0));
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
    std::snprintf(line, sizeof line, "used %zu", bytes);
    CALL(line, cudaGetLastError(), used, high, reserved >= used, reserved % (2 << 20));
    std::snprintf(line, sizeof line, "reserved %zu", bytes);
    CALL(line, cudaSuccess, reserved);
    std::snprintf(line, sizeof line, "free %zu", bytes);
    CALL(line, cudaFreeAsync(memory, 0));
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    std::snprintf(line, sizeof line, "used after %zu", bytes);
    CALL(line, cudaGetLastError(), used);
    CALL((std::snprintf(line, sizeof line, "sync %zu", bytes), line), cudaStreamSynchronize(0));
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
    std::snprintf(line, sizeof line, "reserved after %zu", bytes);
    CALL(line, cudaGetLastError(), reserved);
    v = 0;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high);
    std::snprintf(line, sizeof line, "high reset %zu", bytes);
    CALL(line, cudaGetLastError(), high);
  }
  v = UINT64_MAX;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &v);
  void* memory = nullptr;
  cudaMallocFromPoolAsync(&memory, 1 << 20, pool, 0);
  cudaFreeAsync(memory, 0);
  cudaStreamSynchronize(0);
  CALL("kept", cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &v), v > 0);
  void* again = nullptr;
  cudaMallocFromPoolAsync(&again, 1 << 20, pool, 0);
  CALL("same address", cudaGetLastError(), again == memory);
  CALL("trim", cudaMemPoolTrimTo(pool, 0));
  cudaFreeAsync(again, 0);
  cudaStreamSynchronize(0);
  CALL("trim free", cudaMemPoolTrimTo(pool, 0));
  CALL("trimmed", cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &v), v);
  CALL("trim null", cudaMemPoolTrimTo(nullptr, 0));
}

static void allocation() {
  void* p = (void*)8;
  CALL("async null", cudaMallocAsync((void**)nullptr, 16, 0));
  CALL("async 0", cudaMallocAsync(&p, 0, 0), p == nullptr, p == (void*)8);
  CALL("async huge", cudaMallocAsync(&p, SIZE_MAX, 0));
  CALL("async 1 EB", cudaMallocAsync(&p, std::size_t(1) << 60, 0));
  CALL("from null pool", cudaMallocFromPoolAsync(&p, 16, nullptr, 0), p == nullptr);
  CALL("free null", cudaFreeAsync(nullptr, 0));
  CALL("free odd", cudaFreeAsync((void*)16, 0));
  int on_stack;
  CALL("free stack", cudaFreeAsync(&on_stack, 0));
  char *a, *b, *host, *managed;
  cudaMalloc(&a, 64);
  cudaMallocHost(&host, 64);
  cudaMallocManaged(&managed, 64);
  cudaMallocAsync(&b, 4096, 0);
  CALL("free inner", cudaFreeAsync(b + 256, 0));
  CALL("free of managed", cudaFreeAsync(managed, 0));
  CALL("free of host", cudaFreeAsync(host, 0));
  CALL("free of malloc", cudaFreeAsync(a, 0));
  CALL("free of malloc twice", cudaFree(a));
  CALL("free", cudaFreeAsync(b, 0));
  CALL("free twice", cudaFreeAsync(b, 0));
  CALL("free after", cudaFree(b));
  cudaStreamSynchronize(0);
  CALL("free after sync", cudaFree(b));
  cudaMallocAsync(&b, 4096, 0);
  CALL("cudaFree of async", cudaFree(b));
  CALL("freehost of async", cudaFreeHost(b));
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMallocAsync(&b, 4096, s);
  CALL("free in other stream", cudaFreeAsync(b, 0));
  CALL("end", cudaDeviceSynchronize());
}

static void access() {
  cudaMemPool_t pool;
  cudaMemPoolProps p = good();
  cudaMemPoolCreate(&pool, &p);
  cudaMemAccessDesc d{};
  d.location = p.location;
  d.flags = cudaMemAccessFlagsProtReadWrite;
  CALL("access", cudaMemPoolSetAccess(pool, &d, 1));
  CALL("access 0", cudaMemPoolSetAccess(pool, &d, 0));
  CALL("access null 0", cudaMemPoolSetAccess(pool, nullptr, 0));
  CALL("access null", cudaMemPoolSetAccess(pool, nullptr, 1));
  d.flags = cudaMemAccessFlagsProtNone;
  CALL("access none of own", cudaMemPoolSetAccess(pool, &d, 1));
  d.flags = cudaMemAccessFlagsProtRead;
  CALL("access read of own", cudaMemPoolSetAccess(pool, &d, 1));
  d.flags = (cudaMemAccessFlags)5;
  CALL("access flags 5", cudaMemPoolSetAccess(pool, &d, 1));
  d.flags = cudaMemAccessFlagsProtReadWrite;
  d.location.id = 99;
  CALL("access device 99", cudaMemPoolSetAccess(pool, &d, 1));
  d.location.type = cudaMemLocationTypeInvalid;
  CALL("access invalid", cudaMemPoolSetAccess(pool, &d, 1));
  cudaMemAccessFlags flags = (cudaMemAccessFlags)77;
  cudaMemLocation place = p.location;
  CALL("get access", cudaMemPoolGetAccess(&flags, pool, &place), int(flags));
  place.id = 99;
  CALL("get access 99", cudaMemPoolGetAccess(&flags, pool, &place), int(flags));
  CALL("get access null", cudaMemPoolGetAccess(nullptr, pool, &place));
  cudaMallocAsync((void**)&pool, 64, 0);
  CALL("end of access", cudaDeviceSynchronize());
}

int main() {
  const cases::Case all[] = {
      {"creation", creation}, {"attributes", attributes}, {"allocation", allocation}, {"access", access}};
  cases::run_all(all, 4);
  return 0;
}
