// What cudaPointerGetAttributes says about each kind of memory, and results of registering host memory and of symbols.
#include "cases.h"

#include <cstdint>
#include <sys/mman.h>

__device__ int variable = 5;
__constant__ int constants[4] = {1, 2, 3, 4};
__device__ float table[10];
__managed__ int managed_variable = 7;
static __device__ int hidden;

static void attributes(const char* name, const void* p) {
  cudaPointerAttributes a{};
  a.device = 77;
  a.type = (cudaMemoryType)9;
  a.devicePointer = a.hostPointer = (void*)8;
  const cudaError_t e = cudaPointerGetAttributes(&a, p);
  CALL(name, e, int(a.type), a.device, a.devicePointer == p, a.devicePointer == nullptr, a.hostPointer == p,
       a.hostPointer == nullptr);
}

static void kinds() {
  static char host[64];
  char *device, *pinned, *managed, *async;
  attributes("null", nullptr);
  attributes("odd", (void*)8);
  attributes("static host", host);
  attributes("main", (const void*)&kinds);
  cudaMalloc(&device, 1000);
  attributes("device", device);
  attributes("device inner", device + 500);
  attributes("device last", device + 999);
  cudaMallocHost(&pinned, 1000);
  attributes("pinned", pinned);
  attributes("pinned inner", pinned + 500);
  char *portable, *combined;
  cudaHostAlloc(&portable, 64, cudaHostAllocPortable);
  attributes("portable", portable);
  cudaHostAlloc(&combined, 64, cudaHostAllocWriteCombined | cudaHostAllocMapped);
  attributes("write combined", combined);
  cudaMallocManaged(&managed, 1000);
  attributes("managed", managed);
  attributes("managed inner", managed + 9);
  char* attached;
  cudaMallocManaged(&attached, 64, cudaMemAttachHost);
  attributes("managed host", attached);
  cudaMallocAsync(&async, 1000, 0);
  attributes("async", async);
  cudaStreamSynchronize(0);
  attributes("async inner", async + 10);
  cudaFree(device);
  attributes("freed", device);
  cudaFreeHost(pinned);
  attributes("pinned freed", pinned);
  cudaFree(managed);
  attributes("managed freed", managed);
  cudaFreeAsync(async, 0);
  cudaStreamSynchronize(0);
  void* address = nullptr;
  CALL("symbol", cudaGetSymbolAddress(&address, variable), address != nullptr);
  attributes("of variable", address);
  CALL("constant", cudaGetSymbolAddress(&address, constants), address != nullptr);
  attributes("of constant", address);
  CALL("managed symbol", cudaGetSymbolAddress(&address, managed_variable), address == &managed_variable);
  attributes("of managed variable", &managed_variable);
  CALL("null attributes", cudaPointerGetAttributes(nullptr, host));
}

static void registered() {
  char* page = (char*)mmap(nullptr, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned flags = 77;
  void* p = nullptr;
  CALL("unregister first", cudaHostUnregister(page));
  CALL("register", cudaHostRegister(page, 8192, cudaHostRegisterDefault));
  attributes("of registered", page);
  attributes("of registered inner", page + 5000);
  attributes("of registered beyond", page + 8192);
  CALL("flags", cudaHostGetFlags(&flags, page), flags);
  CALL("flags inner", cudaHostGetFlags(&flags, page + 100), flags);
  CALL("device pointer", cudaHostGetDevicePointer(&p, page, 0), p == page);
  CALL("register again", cudaHostRegister(page, 8192, cudaHostRegisterDefault));
  CALL("register part", cudaHostRegister(page + 4096, 4096, cudaHostRegisterDefault));
  CALL("register overlap", cudaHostRegister(page + 4096, 8192, cudaHostRegisterDefault));
  CALL("unregister inner", cudaHostUnregister(page + 4096));
  CALL("freehost registered", cudaFreeHost(page));
  CALL("free registered", cudaFree(page));
  CALL("unregister", cudaHostUnregister(page));
  CALL("unregister twice", cudaHostUnregister(page));
  attributes("of unregistered", page);
  CALL("register null", cudaHostRegister(nullptr, 64, 0));
  CALL("register 0", cudaHostRegister(page, 0, 0));
  for (unsigned f : {1u, 2u, 3u, 16u, 32u, 64u}) {
    char name[32];
    std::snprintf(name, sizeof name, "register flags %x", f);
    const cudaError_t e = cudaHostRegister(page, 4096, f);
    CALL(name, e);
    if (e != cudaSuccess) continue;
    std::snprintf(name, sizeof name, "registered flags %x", f);
    flags = 77;
    CALL(name, cudaHostGetFlags(&flags, page), flags);
    std::snprintf(name, sizeof name, "unregister flags %x", f);
    CALL(name, cudaHostUnregister(page));
  }
  CALL("register unaligned", cudaHostRegister(page + 100, 50, 0));
  attributes("of unaligned", page + 100);
  attributes("before unaligned", page);
  attributes("after unaligned", page + 200);
  CALL("register beside it", cudaHostRegister(page + 400, 50, 0));
  CALL("unregister unaligned", cudaHostUnregister(page + 100));
  cudaHostUnregister(page + 400);
  cudaGetLastError();
  char *device, *pinned, *managed;
  cudaMalloc(&device, 4096);
  cudaMallocHost(&pinned, 4096);
  cudaMallocManaged(&managed, 4096);
  CALL("register pinned", cudaHostRegister(pinned, 4096, 0));
  CALL("unregister pinned", cudaHostUnregister(pinned));
  CALL("unregister device", cudaHostUnregister(device));
  CALL("unregister managed", cudaHostUnregister(managed));
  CALL("unregister null", cudaHostUnregister(nullptr));
}

static void symbols() {
  int host[16] = {9, 8, 7, 6};
  void* address = nullptr;
  std::size_t size = 0;
  int not_a_symbol = 0;
  CALL("size variable", cudaGetSymbolSize(&size, variable), size);
  CALL("size constants", cudaGetSymbolSize(&size, constants), size);
  CALL("size table", cudaGetSymbolSize(&size, table), size);
  CALL("size managed", cudaGetSymbolSize(&size, managed_variable), size);
  CALL("size hidden", cudaGetSymbolSize(&size, hidden), size);
  CALL("address host variable", cudaGetSymbolAddress(&address, (const void*)&not_a_symbol));
  CALL("size host variable", cudaGetSymbolSize(&size, (const void*)&not_a_symbol));
  CALL("address null", cudaGetSymbolAddress(&address, (const void*)nullptr));
  CALL("address null out", cudaGetSymbolAddress(nullptr, variable));
  CALL("size null out", cudaGetSymbolSize(nullptr, variable));
  CALL("to", cudaMemcpyToSymbol(constants, host, sizeof constants));
  CALL("to offset", cudaMemcpyToSymbol(constants, host, 8, 8));
  CALL("to beyond", cudaMemcpyToSymbol(constants, host, 12, 8));
  CALL("to beyond offset", cudaMemcpyToSymbol(constants, host, 0, 20));
  CALL("to 0 bytes", cudaMemcpyToSymbol(constants, host, 0));
  CALL("to null", cudaMemcpyToSymbol(constants, nullptr, 4));
  CALL("to kind d2h", cudaMemcpyToSymbol(constants, host, 4, 0, cudaMemcpyDeviceToHost));
  CALL("to kind h2h", cudaMemcpyToSymbol(constants, host, 4, 0, cudaMemcpyHostToHost));
  CALL("to kind default", cudaMemcpyToSymbol(constants, host, 4, 0, cudaMemcpyDefault));
  CALL("to kind 9", cudaMemcpyToSymbol(constants, host, 4, 0, (cudaMemcpyKind)9));
  CALL("to no symbol", cudaMemcpyToSymbol((const void*)&not_a_symbol, host, 4));
  CALL("from", cudaMemcpyFromSymbol(host, constants, 16), host[0], host[1], host[2], host[3]);
  CALL("from beyond", cudaMemcpyFromSymbol(host, constants, 17));
  CALL("from kind h2d", cudaMemcpyFromSymbol(host, constants, 4, 0, cudaMemcpyHostToDevice));
  CALL("from kind h2h", cudaMemcpyFromSymbol(host, constants, 4, 0, cudaMemcpyHostToHost));
  CALL("from no symbol", cudaMemcpyFromSymbol(host, (const void*)&not_a_symbol, 4));
  CALL("from managed", cudaMemcpyFromSymbol(host, managed_variable, 4), host[0]);
  CALL("from variable", cudaMemcpyFromSymbol(host, variable, 4), host[0]);
  CALL("to async", cudaMemcpyToSymbolAsync(variable, host, 4, 0, cudaMemcpyHostToDevice, 0));
  CALL("async beyond", cudaMemcpyToSymbolAsync(variable, host, 8, 0, cudaMemcpyHostToDevice, 0));
  CALL("end", cudaDeviceSynchronize());
}

int main() {
  const cases::Case all[] = {{"kinds", kinds}, {"registered", registered}, {"symbols", symbols}};
  cases::run_all(all, 3);
  return 0;
}
