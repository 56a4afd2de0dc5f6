// Arrays, texture objects and surface objects: wrong arguments, what is reported of them, copies beyond their bounds.
#include "cases.h"

static cudaResourceDesc of_array(cudaArray_t a) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  return r;
}

static void arrays() {
  cudaArray_t a = nullptr;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  CALL("array null out", cudaMallocArray(nullptr, &f, 8, 8));
  CALL("array null format", cudaMallocArray(&a, nullptr, 8, 8));
  CALL("array 0", cudaMallocArray(&a, &f, 0, 0));
  CALL("array 0 x 8", cudaMallocArray(&a, &f, 0, 8));
  CALL("array 8 x 0", cudaMallocArray(&a, &f, 8, 0));
  CALL("array huge", cudaMallocArray(&a, &f, 1 << 30, 8));
  CALL("array wide 1d", cudaMallocArray(&a, &f, 131072, 0));
  CALL("array wider 1d", cudaMallocArray(&a, &f, 131073, 0));
  for (int i = 0; i < 12; i++) {
    cudaChannelFormatDesc d = f;
    if (i == 0) d.x = 0;
    if (i == 1) d.x = 7;
    if (i == 2) d.x = 64;
    if (i == 3) d.y = 32;
    if (i == 4) d.y = 32, d.z = 32;
    if (i == 5) d.y = 16;
    if (i == 6) d.x = 8;
    if (i == 7) d.x = 16;
    if (i == 8) d.f = cudaChannelFormatKindNone;
    if (i == 9) d.f = (cudaChannelFormatKind)99;
    if (i == 10) d.f = cudaChannelFormatKindSigned, d.x = 8, d.y = 8;
    if (i == 11) d.x = 0, d.y = 32;
    char line[32];
    a = nullptr;
    std::snprintf(line, sizeof line, "array format %d", i);
    CALL(line, cudaMallocArray(&a, &d, 8, 8), a != nullptr);
    if (a != nullptr) cudaFreeArray(a);
  }
  for (unsigned flags : {0u, 1u, 2u, 4u, 8u, 16u, 128u, 256u}) {
    char line[32];
    a = nullptr;
    std::snprintf(line, sizeof line, "array flags %u", flags);
    CALL(line, cudaMallocArray(&a, &f, 8, 8, flags), a != nullptr);
    if (a == nullptr) continue;
    cudaChannelFormatDesc d{};
    cudaExtent e{};
    unsigned got = 77;
    std::snprintf(line, sizeof line, "array info %u", flags);
    CALL(line, cudaArrayGetInfo(&d, &e, &got, a), d.x, d.y, d.z, d.w, int(d.f), e.width, e.height, e.depth, got);
    cudaFreeArray(a);
  }
  for (int i = 0; i < 7; i++) {
    const cudaExtent extents[] = {{8, 8, 8}, {8, 0, 8}, {8, 8, 6}, {8, 4, 6}, {8, 8, 12}, {0, 8, 8}, {8, 8, 7}};
    for (unsigned flags : {0u, 1u, 4u, 5u}) {
      char line[32];
      a = nullptr;
      std::snprintf(line, sizeof line, "array 3d %d flags %u", i, flags);
      CALL(line, cudaMalloc3DArray(&a, &f, extents[i], flags), a != nullptr);
      if (a != nullptr) cudaFreeArray(a);
    }
  }
  CALL("free null array", cudaFreeArray(nullptr));
  cudaMallocArray(&a, &f, 8, 4);
  cudaChannelFormatDesc d{};
  CALL("format", cudaGetChannelDesc(&d, a), d.x, d.y, int(d.f));
  CALL("info nulls", cudaArrayGetInfo(nullptr, nullptr, nullptr, a));
  CALL("format null", cudaGetChannelDesc(nullptr, a));
  float host[64] = {1, 2, 3, 4, 5, 6, 7, 8};
  CALL("to array", cudaMemcpy2DToArray(a, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice));
  CALL("to array wide", cudaMemcpy2DToArray(a, 0, 0, host, 64, 36, 1, cudaMemcpyHostToDevice));
  CALL("to array high", cudaMemcpy2DToArray(a, 0, 1, host, 32, 32, 4, cudaMemcpyHostToDevice));
  CALL("to array beyond", cudaMemcpy2DToArray(a, 32, 0, host, 32, 4, 1, cudaMemcpyHostToDevice));
  CALL("to array odd offset", cudaMemcpy2DToArray(a, 2, 0, host, 32, 4, 1, cudaMemcpyHostToDevice));
  CALL("to array odd width", cudaMemcpy2DToArray(a, 0, 0, host, 32, 6, 1, cudaMemcpyHostToDevice));
  CALL("to array pitch", cudaMemcpy2DToArray(a, 0, 0, host, 16, 32, 2, cudaMemcpyHostToDevice));
  CALL("to array kind", cudaMemcpy2DToArray(a, 0, 0, host, 32, 32, 1, cudaMemcpyDeviceToHost));
  CALL("to array default", cudaMemcpy2DToArray(a, 0, 0, host, 32, 32, 1, cudaMemcpyDefault));
  CALL("to array 0", cudaMemcpy2DToArray(a, 0, 0, host, 32, 0, 1, cudaMemcpyHostToDevice));
  CALL("to null array", cudaMemcpy2DToArray(nullptr, 0, 0, host, 32, 32, 1, cudaMemcpyHostToDevice));
  CALL("from array", cudaMemcpy2DFromArray(host, 32, a, 0, 0, 32, 1, cudaMemcpyDeviceToHost), host[7]);
  CALL("from array wide", cudaMemcpy2DFromArray(host, 64, a, 0, 0, 36, 1, cudaMemcpyDeviceToHost));
  CALL("linear to array", cudaMemcpyToArray(a, 0, 0, host, 40, cudaMemcpyHostToDevice));
  CALL("linear to array all", cudaMemcpyToArray(a, 0, 0, host, 128, cudaMemcpyHostToDevice));
  CALL("linear to array more", cudaMemcpyToArray(a, 0, 0, host, 132, cudaMemcpyHostToDevice));
  CALL("linear from array", cudaMemcpyFromArray(host, a, 4, 1, 64, cudaMemcpyDeviceToHost));
  CALL("free array", cudaFreeArray(a));
}

static void objects() {
  cudaArray_t a, surface_array;
  float* linear;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), i32 = cudaCreateChannelDesc<int>();
  cudaMallocArray(&a, &f, 8, 8);
  cudaMallocArray(&surface_array, &f, 8, 8, cudaArraySurfaceLoadStore);
  cudaMalloc(&linear, 4096);
  cudaTextureObject_t t = 0;
  cudaResourceDesc r = of_array(a);
  cudaTextureDesc d{};
  CALL("texture", cudaCreateTextureObject(&t, &r, &d, nullptr), t != 0);
  cudaResourceDesc got{};
  cudaTextureDesc got_texture{};
  CALL("texture resource", cudaGetTextureObjectResourceDesc(&got, t), int(got.resType), got.res.array.array == a);
  CALL("texture texture", cudaGetTextureObjectTextureDesc(&got_texture, t), int(got_texture.addressMode[0]),
       int(got_texture.filterMode), int(got_texture.readMode), got_texture.normalizedCoords);
  CALL("destroy texture", cudaDestroyTextureObject(t));
  CALL("destroy texture 0", cudaDestroyTextureObject(0));
  CALL("texture null out", cudaCreateTextureObject(nullptr, &r, &d, nullptr));
  CALL("texture null resource", cudaCreateTextureObject(&t, nullptr, &d, nullptr));
  CALL("texture null texture", cudaCreateTextureObject(&t, &r, nullptr, nullptr));
  for (int k = 0; k < 12; k++) {
    cudaTextureDesc x{};
    cudaResourceDesc y = of_array(a);
    if (k == 0) x.filterMode = cudaFilterModeLinear;
    if (k == 1) x.readMode = cudaReadModeNormalizedFloat;
    if (k == 2) x.addressMode[0] = cudaAddressModeWrap;
    if (k == 3) x.addressMode[0] = cudaAddressModeMirror, x.normalizedCoords = 0;
    if (k == 4) x.normalizedCoords = 1;
    if (k == 5) x.addressMode[0] = (cudaTextureAddressMode)9;
    if (k == 6) x.filterMode = (cudaTextureFilterMode)9;
    if (k == 7) x.readMode = (cudaTextureReadMode)9;
    if (k == 8) x.sRGB = 1;
    if (k == 9) y.resType = (cudaResourceType)9;
    if (k == 10) x.maxAnisotropy = 100;
    if (k == 11) x.addressMode[0] = cudaAddressModeBorder;
    char line[32];
    t = 0;
    std::snprintf(line, sizeof line, "texture variant %d", k);
    CALL(line, cudaCreateTextureObject(&t, &y, &x, nullptr), t != 0);
  }
  for (int k = 0; k < 13; k++) {
    cudaResourceDesc y{};
    y.resType = cudaResourceTypeLinear;
    y.res.linear.devPtr = linear;
    y.res.linear.desc = f;
    y.res.linear.sizeInBytes = 1024;
    cudaTextureDesc x{};
    if (k == 1) y.res.linear.devPtr = nullptr;
    if (k == 2) y.res.linear.sizeInBytes = 0;
    if (k == 3) y.res.linear.devPtr = (char*)linear + 4;
    if (k == 4) x.filterMode = cudaFilterModeLinear;
    if (k == 5) x.normalizedCoords = 1;
    if (k == 6) y.res.linear.desc = i32, x.readMode = cudaReadModeNormalizedFloat;
    if (k == 7) y.res.linear.desc = cudaCreateChannelDesc<signed char>(), x.readMode = cudaReadModeNormalizedFloat;
    if (k == 8) y.res.linear.desc.y = 32, y.res.linear.desc.z = 32;
    if (k == 9) y.res.linear.sizeInBytes = std::size_t(1) << 40;
    if (k == 10) y.res.linear.sizeInBytes = 1023;
    if (k == 11) x.addressMode[0] = cudaAddressModeWrap;
    if (k == 12) y.res.linear.devPtr = &x;
    char line[32];
    t = 0;
    std::snprintf(line, sizeof line, "linear variant %d", k);
    CALL(line, cudaCreateTextureObject(&t, &y, &x, nullptr), t != 0);
  }
  for (int k = 0; k < 9; k++) {
    cudaResourceDesc y{};
    y.resType = cudaResourceTypePitch2D;
    y.res.pitch2D.devPtr = linear;
    y.res.pitch2D.desc = f;
    y.res.pitch2D.width = 8;
    y.res.pitch2D.height = 4;
    y.res.pitch2D.pitchInBytes = 128;
    cudaTextureDesc x{};
    if (k == 1) y.res.pitch2D.pitchInBytes = 16;
    if (k == 2) y.res.pitch2D.pitchInBytes = 36;
    if (k == 3) y.res.pitch2D.devPtr = (char*)linear + 4;
    if (k == 4) y.res.pitch2D.width = 0;
    if (k == 5) x.filterMode = cudaFilterModeLinear;
    if (k == 6) y.res.pitch2D.pitchInBytes = 32;
    if (k == 7) y.res.pitch2D.pitchInBytes = 64;
    if (k == 8) y.res.pitch2D.height = 1 << 20;
    char line[32];
    t = 0;
    std::snprintf(line, sizeof line, "pitch variant %d", k);
    CALL(line, cudaCreateTextureObject(&t, &y, &x, nullptr), t != 0);
  }
  cudaSurfaceObject_t s = 0;
  r = of_array(surface_array);
  CALL("surface", cudaCreateSurfaceObject(&s, &r), s != 0);
  CALL("surface resource", cudaGetSurfaceObjectResourceDesc(&got, s), int(got.resType), got.res.array.array == surface_array);
  CALL("destroy surface", cudaDestroySurfaceObject(s));
  CALL("destroy surface 0", cudaDestroySurfaceObject(0));
  CALL("surface null out", cudaCreateSurfaceObject(nullptr, &r));
  CALL("surface null", cudaCreateSurfaceObject(&s, nullptr));
  r = of_array(a);
  CALL("surface of plain array", cudaCreateSurfaceObject(&s, &r));
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = linear;
  r.res.linear.desc = f;
  r.res.linear.sizeInBytes = 64;
  CALL("surface of linear", cudaCreateSurfaceObject(&s, &r));
  CALL("end", cudaDeviceSynchronize());
}

static void null_arrays() {
  cudaResourceDesc r = of_array(nullptr);
  cudaTextureDesc d{};
  cudaTextureObject_t t;
  cudaFree(nullptr);
  SAY("surface", cudaCreateSurfaceObject(&t, &r));
  SAY("texture", cudaCreateTextureObject(&t, &r, &d, nullptr));
  SAY("destroy odd", cudaDestroyTextureObject(12345));
}

int main() {
  const cases::Case all[] = {{"arrays", arrays}, {"objects", objects}, {"null arrays", null_arrays}};
  cases::run_all(all, 3);
  return 0;
}
