// Copies of the driver API between arrays and memory, and fills of rows. CUDA Driver API, "Memory Management".
#include "driver_test.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>

namespace {

using Bytes = std::vector<unsigned char>;

// Layouts of 64-bit hosts (CUDA 12.4, cuda.h), on which programs in other languages rely.
static_assert(sizeof(SIMT_DRV_MEMCPY2D) == 128 && offsetof(SIMT_DRV_MEMCPY2D, dstPitch) == 104);
static_assert(sizeof(SIMT_DRV_MEMCPY3D) == 200 && offsetof(SIMT_DRV_MEMCPY3D, srcPitch) == 72);
static_assert(sizeof(SIMT_DRV_MEMCPY3D_PEER) == 200 &&
              offsetof(SIMT_DRV_MEMCPY3D_PEER, dstContext) == 152);

/// Memory of one side of a copy, with `depth` slices of `height` rows of `pitch` bytes.
class Side {
 public:
  Side(simtDrvMemorytype type, const simtExtent& size, std::mt19937* random)
      : type_(type), size_(size), host_(size.width * size.height * size.depth) {
    for (unsigned char& byte : host_) byte = static_cast<unsigned char>((*random)());
    if (type == SIMT_DRV_MEMORYTYPE_ARRAY) {
      array_ = std::make_unique<DriverArray>(shape(size.width, size.height, size.depth));
      copy_array(simtMemcpyHostToDevice, &host_);
    } else if (type != SIMT_DRV_MEMORYTYPE_HOST) {
      device_ = std::make_unique<DeviceArray<unsigned char>>(host_);
    }
  }

  simtDrvMemorytype type() const { return type_; }
  const simtExtent& size() const { return size_; }
  unsigned char* host() { return host_.data(); }
  simtDrvDeviceptr device() const { return device_ == nullptr ? 0 : device_pointer(device_->data()); }
  simtDrvArray array() const { return array_ == nullptr ? nullptr : simtDrvArray(*array_); }
  std::size_t place(std::size_t x, std::size_t y, std::size_t z) const {
    return (z * size_.height + y) * size_.width + x;
  }

  Bytes content() const {
    Bytes found = host_;
    if (device_ != nullptr) return device_->values();
    if (array_ != nullptr) copy_array(simtMemcpyDeviceToHost, &found);
    return found;
  }

 private:
  // The runtime API copies the array, as the handles are the same.
  void copy_array(simtMemcpyKind kind, Bytes* bytes) const {
    simtMemcpy3DParms copy{};
    const auto memory =
        make_simtPitchedPtr(bytes->data(), size_.width, size_.width, size_.height);
    const auto array = reinterpret_cast<simtArray_t>(simtDrvArray(*array_));
    const bool to_array = kind == simtMemcpyHostToDevice;
    (to_array ? copy.srcPtr : copy.dstPtr) = memory;
    (to_array ? copy.dstArray : copy.srcArray) = array;
    copy.extent = size_;
    copy.kind = kind;
    REQUIRE_OK(simtMemcpy3D(&copy));
  }

  simtDrvMemorytype type_;
  simtExtent size_;
  Bytes host_;
  std::unique_ptr<DeviceArray<unsigned char>> device_;
  std::unique_ptr<DriverArray> array_;
};

/// A box at random places of two sides.
struct Box {
  simtExtent extent;
  simtPos from, to;
};

Box random_box(const Side& from, const Side& to, std::mt19937* random) {
  const auto below = [&](std::size_t limit) { return (*random)() % limit; };
  const auto size = [&](std::size_t a, std::size_t b) { return 1 + below(std::min(a, b)); };
  Box box{};
  box.extent = make_simtExtent(size(from.size().width, to.size().width),
                               size(from.size().height, to.size().height),
                               size(from.size().depth, to.size().depth));
  const auto place = [&](const Side& side) {
    return make_simtPos(below(side.size().width - box.extent.width + 1),
                        below(side.size().height - box.extent.height + 1),
                        below(side.size().depth - box.extent.depth + 1));
  };
  box.from = place(from);
  box.to = place(to);
  return box;
}

// Sets the members that all descriptions of copies have.
template <class Copy>
Copy rows(Side* from, Side* to, const Box& box) {
  Copy copy{};
  copy.srcXInBytes = box.from.x;
  copy.srcY = box.from.y;
  copy.srcMemoryType = from->type();
  copy.srcHost = from->host();
  copy.srcDevice = from->device();
  copy.srcArray = from->array();
  copy.srcPitch = from->size().width;
  copy.dstXInBytes = box.to.x;
  copy.dstY = box.to.y;
  copy.dstMemoryType = to->type();
  copy.dstHost = to->host();
  copy.dstDevice = to->device();
  copy.dstArray = to->array();
  copy.dstPitch = to->size().width;
  copy.WidthInBytes = box.extent.width;
  copy.Height = box.extent.height;
  return copy;
}
template <class Copy>
Copy slices(Side* from, Side* to, const Box& box) {
  Copy copy = rows<Copy>(from, to, box);
  copy.srcZ = box.from.z;
  copy.srcHeight = from->size().height;
  copy.dstZ = box.to.z;
  copy.dstHeight = to->size().height;
  copy.Depth = box.extent.depth;
  return copy;
}

// Content of the target after the copy.
Bytes expected(const Side& from, const Side& to, const Box& box) {
  const Bytes source = from.content();
  Bytes target = to.content();
  for (std::size_t z = 0; z < box.extent.depth; ++z) {
    for (std::size_t y = 0; y < box.extent.height; ++y) {
      std::memcpy(&target[to.place(box.to.x, box.to.y + y, box.to.z + z)],
                  &source[from.place(box.from.x, box.from.y + y, box.from.z + z)],
                  box.extent.width);
    }
  }
  return target;
}

// Runs `copy(from, to, box)` for boxes between all kinds of memory.
template <class Copy>
void check_copies(const simtExtent& from_size, const simtExtent& to_size, Copy copy) {
  constexpr simtDrvMemorytype types[] = {SIMT_DRV_MEMORYTYPE_HOST, SIMT_DRV_MEMORYTYPE_DEVICE,
                                         SIMT_DRV_MEMORYTYPE_ARRAY, SIMT_DRV_MEMORYTYPE_UNIFIED};
  std::mt19937 random(1);
  for (const auto from_type : types) {
    for (const auto to_type : types) {
      CAPTURE(from_type);
      CAPTURE(to_type);
      Side from(from_type, from_size, &random), to(to_type, to_size, &random);
      for (int repetition = 0; repetition < 4; ++repetition) {
        const Box box = random_box(from, to, &random);
        const Bytes wanted = expected(from, to, box);
        REQUIRE_DRV(copy(&from, &to, box));
        REQUIRE_DRV(simtDrvCtxSynchronize());
        CHECK(to.content() == wanted);
      }
    }
  }
}

Bytes numbers(std::size_t count) {
  Bytes all(count);
  std::iota(all.begin(), all.end(), static_cast<unsigned char>(0));
  return all;
}

}  // namespace

TEST_CASE("rows between all kinds of memory") {
  const auto from = make_simtExtent(19, 7, 1), to = make_simtExtent(32, 5, 1);
  check_copies(from, to, [](Side* source, Side* target, const Box& box) {
    const auto copy = rows<SIMT_DRV_MEMCPY2D>(source, target, box);
    return simtDrvMemcpy2D(&copy);
  });
  check_copies(to, from, [](Side* source, Side* target, const Box& box) {
    const auto copy = rows<SIMT_DRV_MEMCPY2D>(source, target, box);
    return simtDrvMemcpy2DUnaligned(&copy);
  });
  const TestStream stream;
  check_copies(from, to, [&](Side* source, Side* target, const Box& box) {
    const auto copy = rows<SIMT_DRV_MEMCPY2D>(source, target, box);
    return simtDrvMemcpy2DAsync(&copy, stream);
  });
}

TEST_CASE("slices between all kinds of memory") {
  const auto from = make_simtExtent(19, 7, 4), to = make_simtExtent(16, 5, 6);
  check_copies(from, to, [](Side* source, Side* target, const Box& box) {
    const auto copy = slices<SIMT_DRV_MEMCPY3D>(source, target, box);
    return simtDrvMemcpy3D(&copy);
  });
  const TestStream stream;
  check_copies(to, from, [&](Side* source, Side* target, const Box& box) {
    const auto copy = slices<SIMT_DRV_MEMCPY3D>(source, target, box);
    return simtDrvMemcpy3DAsync(&copy, stream);
  });
  simtDrvContext context = nullptr;
  REQUIRE_DRV(simtDrvCtxGetCurrent(&context));
  check_copies(from, to, [&](Side* source, Side* target, const Box& box) {
    auto copy = slices<SIMT_DRV_MEMCPY3D_PEER>(source, target, box);
    copy.srcContext = copy.dstContext = context;
    return box.extent.depth == 1 ? simtDrvMemcpy3DPeer(&copy)
                                 : simtDrvMemcpy3DPeerAsync(&copy, stream);
  });
}

TEST_CASE("a single row needs no pitch, a single slice no height") {
  const DriverArray array(shape(8, 4, 0));
  const Bytes row{1, 2, 3};
  SIMT_DRV_MEMCPY2D copy{};
  copy.srcMemoryType = SIMT_DRV_MEMORYTYPE_HOST;
  copy.srcHost = row.data();
  copy.dstMemoryType = SIMT_DRV_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.dstXInBytes = 5;
  copy.dstY = 3;
  copy.WidthInBytes = 3;
  copy.Height = 1;
  CHECK_DRV(simtDrvMemcpy2D(&copy));
  Bytes found(32);
  REQUIRE_DRV(simtDrvMemcpyAtoH(found.data(), array, 0, 32));
  CHECK_EQ(Bytes(found.end() - 3, found.end()), row);
  copy.Height = 2;
  CHECK_EQ(simtDrvMemcpy2D(&copy), SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("copies of nothing succeed") {
  SIMT_DRV_MEMCPY2D rows{};
  rows.WidthInBytes = 4;
  CHECK_DRV(simtDrvMemcpy2D(&rows));
  SIMT_DRV_MEMCPY3D slices{};
  slices.Height = slices.Depth = 2;
  CHECK_DRV(simtDrvMemcpy3D(&slices));
  CHECK_DRV(simtDrvMemcpyHtoA(nullptr, 0, nullptr, 0));
}

TEST_CASE("boxes and memory that do not fit") {
  simtGetLastError();
  const DeviceArray<unsigned char> device(64);
  Bytes host(64);
  const DriverArray array(shape(8, 4, 2));
  SIMT_DRV_MEMCPY3D good{};
  good.srcMemoryType = SIMT_DRV_MEMORYTYPE_HOST;
  good.srcHost = host.data();
  good.srcPitch = 8;
  good.srcHeight = 4;
  good.dstMemoryType = SIMT_DRV_MEMORYTYPE_DEVICE;
  good.dstDevice = device_pointer(device.data());
  good.dstPitch = 8;
  good.dstHeight = 4;
  good.WidthInBytes = 8;
  good.Height = 4;
  good.Depth = 2;
  REQUIRE_DRV(simtDrvMemcpy3D(&good));
  const auto with = [&](auto change) {
    SIMT_DRV_MEMCPY3D copy = good;
    change(copy);
    return simtDrvMemcpy3D(&copy);
  };
  const auto to_array = [&](SIMT_DRV_MEMCPY3D& copy) {
    copy.dstMemoryType = SIMT_DRV_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
  };
  CHECK_DRV(with(to_array));
  constexpr auto bad = SIMT_DRV_ERROR_INVALID_VALUE;
  CHECK_EQ(with([](auto& copy) { copy.srcPitch = 7; }), bad);
  CHECK_EQ(with([](auto& copy) { copy.srcXInBytes = 1; }), bad);
  CHECK_EQ(with([](auto& copy) { copy.dstHeight = 3; }), bad);
  CHECK_EQ(with([](auto& copy) { copy.srcY = 1; }), bad);
  CHECK_EQ(with([](auto& copy) { copy.srcHeight = 0; }), bad);
  CHECK_EQ(with([](auto& copy) { copy.dstPitch = std::size_t{1} << 31; }), bad);
  CHECK_EQ(with([](auto& copy) { copy.dstZ = 1; }), bad);  // beyond the allocation
  CHECK_EQ(with([](auto& copy) { copy.srcLOD = 1; }), bad);
  CHECK_EQ(with([](auto& copy) { copy.srcMemoryType = static_cast<simtDrvMemorytype>(5); }), bad);
  CHECK_EQ(with([](auto& copy) { copy.srcHost = nullptr; }), bad);
  CHECK_EQ(with([&](auto& copy) { copy.dstDevice = device_pointer(host.data()); }), bad);
  CHECK_EQ(with([&](auto& copy) { to_array(copy), copy.dstZ = 1; }), bad);
  CHECK_EQ(with([&](auto& copy) { to_array(copy), copy.dstXInBytes = ~std::size_t{0}; }), bad);
  CHECK_EQ(with([&](auto& copy) { to_array(copy), copy.dstArray = nullptr; }),
           SIMT_DRV_ERROR_INVALID_HANDLE);
  CHECK_EQ(simtDrvMemcpy3DAsync(&good, reinterpret_cast<simtDrvStream>(std::uintptr_t{64})),
           SIMT_DRV_ERROR_INVALID_HANDLE);
  CHECK_EQ(simtDrvMemcpy2D(nullptr), bad);
  CHECK_EQ(simtDrvMemcpy3D(nullptr), bad);
  SIMT_DRV_MEMCPY3D_PEER peer{};
  CHECK_EQ(simtDrvMemcpy3DPeer(&peer), SIMT_DRV_ERROR_INVALID_CONTEXT);
  CHECK_OK(simtGetLastError());
}

TEST_CASE("consecutive bytes of arrays") {
  const DriverArray first(shape(16, 0, 0)), second(shape(8, 2, 0));
  const DriverArray wide(shape(8, 0, 0, SIMT_DRV_AD_FORMAT_UNSIGNED_INT16));
  const Bytes bytes = numbers(16);
  Bytes found(4);
  REQUIRE_DRV(simtDrvMemcpyHtoA(first, 0, bytes.data(), 16));
  REQUIRE_DRV(simtDrvMemcpyAtoA(second, 6, first, 3, 4));  // over the end of the first row
  REQUIRE_DRV(simtDrvMemcpyAtoH(found.data(), second, 6, 4));
  CHECK_EQ(found, Bytes{3, 4, 5, 6});
  const DeviceArray<unsigned char> device(8);
  REQUIRE_DRV(simtDrvMemcpyAtoD(device_pointer(device.data()) + 2, first, 12, 4));
  CHECK_EQ(device.values(), Bytes{0, 0, 12, 13, 14, 15, 0, 0});
  REQUIRE_DRV(simtDrvMemcpyDtoA(first, 0, device_pointer(device.data()), 8));
  REQUIRE_DRV(simtDrvMemcpyAtoH(found.data(), first, 4, 4));
  CHECK_EQ(found, Bytes{14, 15, 0, 0});

  constexpr auto bad = SIMT_DRV_ERROR_INVALID_VALUE;
  CHECK_EQ(simtDrvMemcpyHtoA(first, 13, bytes.data(), 4), bad);
  CHECK_EQ(simtDrvMemcpyHtoA(first, ~std::size_t{0}, bytes.data(), 4), bad);
  CHECK_EQ(simtDrvMemcpyAtoH(nullptr, first, 0, 4), bad);
  CHECK_EQ(simtDrvMemcpyAtoD(device_pointer(found.data()), first, 0, 4), bad);
  CHECK_EQ(simtDrvMemcpyDtoA(first, 0, device_pointer(device.data()) + 6, 4), bad);
  CHECK_EQ(simtDrvMemcpyAtoA(wide, 0, first, 0, 4), bad);
  CHECK_EQ(simtDrvMemcpyAtoH(found.data(), nullptr, 0, 4), SIMT_DRV_ERROR_INVALID_HANDLE);
}

TEST_CASE("asynchronous copies wait for the stream, and graphs contain them") {
  const DriverArray array(shape(4, 0, 0));
  unsigned char* pinned = nullptr;
  REQUIRE_OK(simtMallocHost(reinterpret_cast<void**>(&pinned), 8));
  std::memcpy(pinned, "abcdefgh", 8);
  const TestStream stream;
  {
    Gate gate;
    gate.hold(stream);
    REQUIRE_DRV(simtDrvMemcpyHtoAAsync(array, 0, pinned, 4, stream));
    REQUIRE_DRV(simtDrvMemcpyAtoHAsync(pinned + 4, array, 0, 4, stream));
    CHECK_EQ(pinned[4], 'e');
  }
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(std::string(pinned, pinned + 8), "abcdabcd");

  simtGraph_t graph = nullptr;
  simtGraphExec_t launchable = nullptr;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal));
  CHECK_DRV(simtDrvMemcpyAtoHAsync(pinned, array, 2, 2, stream));
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphInstantiate(&launchable, graph, 0));
  CHECK_EQ(pinned[0], 'a');
  REQUIRE_OK(simtGraphLaunch(launchable, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(std::string(pinned, pinned + 4), "cdcd");
  REQUIRE_OK(simtGraphExecDestroy(launchable));
  REQUIRE_OK(simtGraphDestroy(graph));
  REQUIRE_OK(simtFreeHost(pinned));
}

TEST_CASE("fills of rows") {
  const DeviceArray<std::uint32_t> device(12, 9);
  const simtDrvDeviceptr to = device_pointer(device.data());
  const TestStream stream;
  using Words = std::vector<std::uint32_t>;
  REQUIRE_DRV(simtDrvMemsetD2D32Async(to + 4, 16, 0x01020304, 2, 3, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  constexpr std::uint32_t w = 0x01020304;
  CHECK_EQ(device.values(), Words{9, w, w, 9, 9, w, w, 9, 9, w, w, 9});
  REQUIRE_DRV(simtDrvMemsetD2D16Async(to, 16, 0xABCD, 1, 2, stream));
  REQUIRE_DRV(simtDrvMemsetD2D8Async(to + 32, 16, 7, 4, 1, stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_EQ(device.values(), Words{0xABCD, w, w, 9, 0xABCD, w, w, 9, 0x07070707, w, w, 9});
  REQUIRE_DRV(simtDrvMemsetD2D32(to, 16, 5, 4, 3));
  CHECK_EQ(device.values(), Words(12, 5));
  REQUIRE_DRV(simtDrvMemsetD2D16(to, 3, 1, 2, 1));  // the pitch of a single row is not used
  CHECK_EQ(device.values()[0], 0x00010001u);

  constexpr auto bad = SIMT_DRV_ERROR_INVALID_VALUE;
  CHECK_EQ(simtDrvMemsetD2D32(to + 2, 16, 5, 1, 1), bad);
  CHECK_EQ(simtDrvMemsetD2D32(to, 18, 5, 1, 2), bad);
  CHECK_EQ(simtDrvMemsetD2D32(to, 12, 5, 4, 2), bad);
  CHECK_EQ(simtDrvMemsetD2D16Async(to, 16, 5, 4, 4, stream), bad);
  CHECK_DRV(simtDrvMemsetD2D32(to, 16, 5, 0, 3));
}
