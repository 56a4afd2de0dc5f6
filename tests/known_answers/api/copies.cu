// Results of copies and fills: kinds, null, zero sizes, mixed memory, overlaps, pitches, boxes.
#include "cases.h"

#include <cstdint>

static char host[4096], other[4096];
static char *device, *second, *pinned, *managed;

static void allocate() {
  cudaMalloc(&device, 4096);
  cudaMalloc(&second, 4096);
  cudaMallocHost(&pinned, 4096);
  cudaMallocManaged(&managed, 4096);
}

// All kinds between two kinds of memory. The copy that could damage the process comes last.
template <int kTo, int kFrom>
static void pair_of_places() {
  allocate();
  char* places[] = {device, host, pinned, managed, nullptr};
  const char* kinds[] = {"default", "h2d", "d2h", "d2d", "kind5", "kind-1", "h2h"};
  const int numbers[] = {4, 1, 2, 3, 5, -1, 0};
  char line[96];
  for (int i = 0; i < 7; i++) {
    for (int bytes : {0, 16}) {
      char* from = places[kFrom] == nullptr ? nullptr : places[kFrom] + 64;
      const auto kind = static_cast<cudaMemcpyKind>(numbers[i]);
      std::snprintf(line, sizeof line, "%s %d", kinds[i], bytes);
      SAY(line, cudaMemcpy(places[kTo], from, bytes, kind));
      std::snprintf(line, sizeof line, "async %s %d", kinds[i], bytes);
      SAY(line, cudaMemcpyAsync(places[kTo], from, bytes, kind, 0));
      std::snprintf(line, sizeof line, "after %s %d", kinds[i], bytes);
      SAY(line, cudaDeviceSynchronize());
    }
  }
}

static void values() {
  for (int i = 0; i < 256; i++) host[i] = char(i);
  CALL("to device", cudaMemcpy(device, host, 256, cudaMemcpyHostToDevice));
  CALL("same", cudaMemcpy(device, device, 64, cudaMemcpyDeviceToDevice));
  CALL("beyond", cudaMemcpy(host, device + 4096, 16, cudaMemcpyDeviceToHost));
  CALL("beyond partly", cudaMemcpy(host, device + 4000, 4096, cudaMemcpyDeviceToHost));
  CALL("memset value", cudaMemset(device, 0x1234, 8));
  CALL("back", cudaMemcpy(other, device, 16, cudaMemcpyDeviceToHost), int(other[0]), int(other[7]), int(other[8]));
  CALL("memset 0 bytes", cudaMemset(device, 1, 0));
  CALL("memset null 0", cudaMemset(nullptr, 1, 0));
  CALL("memset null", cudaMemset(nullptr, 1, 4));
  CALL("memset host", cudaMemset(host, 1, 4));
  CALL("memset pinned", cudaMemset(pinned, 3, 4), int(pinned[0]));
  CALL("memset managed", cudaMemset(managed, 4, 4));
  CALL("sync", cudaDeviceSynchronize(), int(managed[3]));
  CALL("memset beyond", cudaMemset(device + 4000, 1, 4096));
  CALL("memset async null", cudaMemsetAsync(nullptr, 1, 4, 0));
  CALL("memset async host", cudaMemsetAsync(host, 1, 4, 0));
  CALL("memset async 0", cudaMemsetAsync(device, 1, 0, 0));
  CALL("sync 2", cudaDeviceSynchronize());
}

static void rows() {
  const cudaMemcpyKind d2d = cudaMemcpyDeviceToDevice, d2h = cudaMemcpyDeviceToHost;
  CALL("2d", cudaMemcpy2D(device, 32, second, 64, 16, 4, d2d));
  CALL("2d width > dst pitch", cudaMemcpy2D(device, 8, second, 64, 16, 4, d2d));
  CALL("2d width > src pitch", cudaMemcpy2D(device, 64, second, 8, 16, 4, d2d));
  CALL("2d pitch 0", cudaMemcpy2D(device, 0, second, 0, 16, 4, d2d));
  CALL("2d pitch 0 one row", cudaMemcpy2D(device, 0, second, 0, 16, 1, d2d));
  CALL("2d small pitch one row", cudaMemcpy2D(device, 8, second, 8, 16, 1, d2d));
  CALL("2d width 0", cudaMemcpy2D(device, 32, second, 64, 0, 4, d2d));
  CALL("2d width 0 pitch 0", cudaMemcpy2D(device, 0, second, 0, 0, 4, d2d));
  CALL("2d height 0", cudaMemcpy2D(device, 32, second, 64, 16, 0, d2d));
  CALL("2d height 0 bad pitch", cudaMemcpy2D(device, 8, second, 64, 16, 0, d2d));
  CALL("2d null", cudaMemcpy2D(nullptr, 32, second, 64, 16, 4, d2d));
  CALL("2d null empty", cudaMemcpy2D(nullptr, 32, second, 64, 0, 0, d2d));
  CALL("2d null from", cudaMemcpy2D(device, 32, nullptr, 64, 16, 4, d2d));
  CALL("2d kind 5", cudaMemcpy2D(device, 32, second, 64, 16, 4, (cudaMemcpyKind)5));
  CALL("2d kind 5 empty", cudaMemcpy2D(device, 32, second, 64, 0, 4, (cudaMemcpyKind)5));
  CALL("2d d2h of device", cudaMemcpy2D(device, 32, second, 64, 16, 4, d2h));
  CALL("2d h2d of device", cudaMemcpy2D(device, 32, second, 64, 16, 4, cudaMemcpyHostToDevice));
  CALL("2d h2h of device", cudaMemcpy2D(device, 32, second, 64, 16, 4, cudaMemcpyHostToHost));
  CALL("2d d2d of host", cudaMemcpy2D(host, 32, second, 64, 16, 4, d2d));
  CALL("2d default to host", cudaMemcpy2D(host, 32, second, 64, 16, 4, cudaMemcpyDefault));
  CALL("2d huge pitch", cudaMemcpy2D(device, SIZE_MAX, second, 64, 16, 1, d2d));
  CALL("2d pitch 2^31", cudaMemcpy2D(device, std::size_t(1) << 31, second, 64, 16, 1, d2d));
  CALL("2d pitch 2^31-1", cudaMemcpy2D(device, (std::size_t(1) << 31) - 1, second, 64, 16, 1, d2d));
  CALL("2d async bad pitch", cudaMemcpy2DAsync(device, 8, second, 64, 16, 4, d2d, 0));
  CALL("fill 2d", cudaMemset2D(device, 32, 1, 16, 4));
  CALL("fill 2d width > pitch", cudaMemset2D(device, 8, 1, 16, 4));
  CALL("fill 2d width > pitch one row", cudaMemset2D(device, 8, 1, 16, 1));
  CALL("fill 2d pitch 0", cudaMemset2D(device, 0, 1, 16, 4));
  CALL("fill 2d pitch 0 one row", cudaMemset2D(device, 0, 1, 16, 1));
  CALL("fill 2d width 0", cudaMemset2D(device, 32, 1, 0, 4));
  CALL("fill 2d height 0", cudaMemset2D(device, 32, 1, 16, 0));
  CALL("fill 2d null", cudaMemset2D(nullptr, 32, 1, 16, 4));
  CALL("fill 2d null empty", cudaMemset2D(nullptr, 32, 1, 0, 0));
  CALL("fill 2d host", cudaMemset2D(host, 32, 1, 16, 4));
  CALL("sync rows", cudaDeviceSynchronize());
}

static void boxes() {
  for (int i = 0; i < 16; i++) {
    cudaMemcpy3DParms p{};
    p.srcPtr = make_cudaPitchedPtr(second, 32, 32, 4);
    p.dstPtr = make_cudaPitchedPtr(device, 32, 32, 4);
    p.extent = make_cudaExtent(16, 2, 2);
    p.kind = cudaMemcpyDeviceToDevice;
    if (i == 1) p.extent.width = 0;
    if (i == 2) p.extent.depth = 0;
    if (i == 3) p.extent.width = 33;
    if (i == 4) p.extent.height = 5;
    if (i == 5) p.srcPtr.pitch = 8;
    if (i == 6) p.dstPtr.ysize = 1;
    if (i == 7) p.srcPtr.ptr = nullptr;
    if (i == 8) p.dstPtr.ptr = nullptr;
    if (i == 9) p.kind = (cudaMemcpyKind)7;
    if (i == 10) p.kind = cudaMemcpyHostToHost;
    if (i == 11) p.srcPos.x = 17;
    if (i == 12) p.srcPtr.pitch = 0;
    if (i == 13) p.extent = make_cudaExtent(0, 0, 0), p.kind = (cudaMemcpyKind)7;
    if (i == 14) p.srcPtr.ptr = nullptr, p.extent.width = 0;
    if (i == 15) p.srcPtr.xsize = 8;
    char line[32];
    std::snprintf(line, sizeof line, "3d %d", i);
    CALL(line, cudaMemcpy3D(&p));
    std::snprintf(line, sizeof line, "3d async %d", i);
    CALL(line, cudaMemcpy3DAsync(&p, 0));
  }
  CALL("3d null", cudaMemcpy3D(nullptr));
  const cudaPitchedPtr good = make_cudaPitchedPtr(device, 32, 32, 4);
  CALL("fill 3d", cudaMemset3D(good, 1, make_cudaExtent(16, 2, 2)));
  CALL("fill 3d wide", cudaMemset3D(good, 1, make_cudaExtent(33, 2, 2)));
  CALL("fill 3d high", cudaMemset3D(good, 1, make_cudaExtent(16, 5, 2)));
  CALL("fill 3d empty", cudaMemset3D(good, 1, make_cudaExtent(0, 2, 2)));
  CALL("fill 3d null", cudaMemset3D(make_cudaPitchedPtr(nullptr, 32, 32, 4), 1, make_cudaExtent(16, 2, 2)));
  CALL("fill 3d pitch", cudaMemset3D(make_cudaPitchedPtr(device, 8, 32, 4), 1, make_cudaExtent(16, 2, 2)));
  CALL("peer", cudaMemcpyPeer(device, 0, second, 0, 16));
  CALL("peer bad device", cudaMemcpyPeer(device, 99, second, 0, 16));
  CALL("peer bad source", cudaMemcpyPeer(device, 0, second, -1, 16));
  CALL("peer null", cudaMemcpyPeer(nullptr, 0, second, 0, 16));
  CALL("peer 0 bytes", cudaMemcpyPeer(device, 0, second, 0, 0));
  CALL("peer host", cudaMemcpyPeer(host, 0, second, 0, 16));
  CALL("sync boxes", cudaDeviceSynchronize());
}

static const cases::Case pairs[] = {
    {"device from device", pair_of_places<0, 0>},   {"device from host", pair_of_places<0, 1>},
    {"device from pinned", pair_of_places<0, 2>},   {"device from managed", pair_of_places<0, 3>},
    {"device from null", pair_of_places<0, 4>},     {"host from device", pair_of_places<1, 0>},
    {"host from host", pair_of_places<1, 1>},       {"host from pinned", pair_of_places<1, 2>},
    {"host from managed", pair_of_places<1, 3>},    {"host from null", pair_of_places<1, 4>},
    {"pinned from device", pair_of_places<2, 0>},   {"pinned from host", pair_of_places<2, 1>},
    {"pinned from pinned", pair_of_places<2, 2>},   {"pinned from managed", pair_of_places<2, 3>},
    {"managed from device", pair_of_places<3, 0>},  {"managed from host", pair_of_places<3, 1>},
    {"managed from managed", pair_of_places<3, 3>}, {"null from device", pair_of_places<4, 0>},
    {"null from host", pair_of_places<4, 1>},       {"null from null", pair_of_places<4, 4>},
};

static void values_rows_boxes() {
  allocate();
  values();
  rows();
  boxes();
}

static const cases::Case rest[] = {{"values, rows and boxes", values_rows_boxes}};

int main() {
  cases::run_all(pairs, sizeof pairs / sizeof *pairs, 10);
  cases::run_all(rest, 1);
  return 0;
}
