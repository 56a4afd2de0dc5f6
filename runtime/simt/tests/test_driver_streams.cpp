// Streams of the driver API: memory in the order of a stream, captures, graphs. CUDA Driver API, "Stream Ordered Memory Allocator",
// "Stream Management", "Graph Management".
#include "driver_test.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/// Stream that exists until the end of the test.
class DriverStream {
 public:
  DriverStream() { REQUIRE_DRV(simtDrvStreamCreate(&stream_, SIMT_DRV_STREAM_NON_BLOCKING)); }
  DriverStream(const DriverStream&) = delete;
  DriverStream& operator=(const DriverStream&) = delete;
  ~DriverStream() { simtDrvStreamDestroy(stream_); }
  operator simtDrvStream() const { return stream_; }

 private:
  simtDrvStream stream_ = nullptr;
};

void add_one(void* data) { ++*static_cast<int*>(data); }

std::vector<unsigned> values_at(simtDrvDeviceptr memory, std::size_t count) {
  std::vector<unsigned> found(count);
  REQUIRE_DRV(simtDrvMemcpyDtoH(found.data(), memory, count * sizeof(unsigned)));
  return found;
}

TEST_CASE("memory is allocated, used and freed in the order of a stream") {
  const DriverStream stream;
  simtDrvDeviceptr memory = 0;
  REQUIRE_DRV(simtDrvMemAllocAsync(&memory, 400, stream));
  CHECK_DRV(simtDrvMemsetD32Async(memory, 17, 100, stream));
  REQUIRE_DRV(simtDrvStreamSynchronize(stream));
  CHECK_EQ(values_at(memory, 100), std::vector<unsigned>(100, 17));
  CHECK_DRV(simtDrvMemFreeAsync(memory, stream));
  REQUIRE_DRV(simtDrvStreamSynchronize(stream));
  CHECK_EQ(simtDrvMemFreeAsync(memory, stream), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvMemAllocAsync(nullptr, 400, stream), SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("a stream waits until another stream has written a word") {
  const DriverStream waiting, writing;
  simtDrvDeviceptr words = 0;
  REQUIRE_DRV(simtDrvMemAlloc(&words, 16));
  REQUIRE_DRV(simtDrvMemsetD32(words, 0, 4));
  const struct {
    unsigned flags;
    unsigned written;
    simtDrvResult before;
  } cases[] = {
      {SIMT_DRV_STREAM_WAIT_VALUE_EQ, 6, SIMT_DRV_ERROR_NOT_READY},
      {SIMT_DRV_STREAM_WAIT_VALUE_GEQ, 7, SIMT_DRV_ERROR_NOT_READY},
      {SIMT_DRV_STREAM_WAIT_VALUE_AND, 2, SIMT_DRV_ERROR_NOT_READY},
  };
  for (const auto& one : cases) {
    CHECK_DRV(simtDrvStreamWaitValue32(waiting, words, 6, one.flags | SIMT_DRV_STREAM_WAIT_VALUE_FLUSH));
    CHECK_DRV(simtDrvMemsetD32Async(words + 8, one.written, 1, waiting));
    CHECK_EQ(simtDrvStreamQuery(waiting), one.before);
    CHECK_DRV(simtDrvStreamWriteValue32(writing, words, one.written, 0));
    REQUIRE_DRV(simtDrvStreamSynchronize(waiting));
    CHECK_EQ(values_at(words, 3), std::vector<unsigned>{one.written, 0, one.written});
    REQUIRE_DRV(simtDrvMemsetD32(words, 0, 4));
  }
  // GEQ compares by the sign of the difference, so that counters may wrap around; NOR finds a bit that neither has.
  CHECK_DRV(simtDrvStreamWaitValue32(waiting, words, 0xFFFFFFFF, SIMT_DRV_STREAM_WAIT_VALUE_GEQ));
  CHECK_DRV(simtDrvStreamWaitValue64(waiting, words, ~1ull, SIMT_DRV_STREAM_WAIT_VALUE_NOR));
  CHECK_DRV(simtDrvStreamWriteValue64(waiting, words + 8, 1ull << 32, 0));
  REQUIRE_DRV(simtDrvStreamSynchronize(waiting));
  CHECK_EQ(values_at(words, 4), std::vector<unsigned>{0, 0, 0, 1});

  CHECK_EQ(simtDrvStreamWriteValue32(writing, words + 2, 1, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvStreamWriteValue64(writing, words + 4, 1, 0), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvStreamWaitValue32(writing, words, 1, 4), SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK_EQ(simtDrvStreamWriteValue32(writing, words, 1, 2), SIMT_DRV_ERROR_INVALID_VALUE);
  REQUIRE_DRV(simtDrvStreamBeginCapture(writing, SIMT_DRV_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CHECK_EQ(simtDrvStreamWriteValue32(writing, words, 1, 0), SIMT_DRV_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  simtDrvGraph graph = nullptr;
  CHECK_EQ(simtDrvStreamEndCapture(writing, &graph), SIMT_DRV_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK_DRV(simtDrvMemFree(words));
}

TEST_CASE("a pool keeps memory up to its threshold") {
  const DriverStream stream;
  simtDrvMemPoolProps wanted{};
  wanted.allocType = SIMT_DRV_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location = {SIMT_DRV_MEM_LOCATION_TYPE_DEVICE, 0};
  simtDrvMemoryPool pool = nullptr, current = nullptr, of_device = nullptr;
  REQUIRE_DRV(simtDrvMemPoolCreate(&pool, &wanted));
  std::uint64_t threshold = UINT64_MAX, found = 0;
  CHECK_DRV(simtDrvMemPoolSetAttribute(pool, SIMT_DRV_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  CHECK_DRV(simtDrvMemPoolGetAttribute(pool, SIMT_DRV_MEMPOOL_ATTR_RELEASE_THRESHOLD, &found));
  CHECK_EQ(found, threshold);

  simtDrvDeviceptr memory = 0;
  REQUIRE_DRV(simtDrvMemAllocFromPoolAsync(&memory, 1 << 20, pool, stream));
  CHECK_DRV(simtDrvMemPoolGetAttribute(pool, SIMT_DRV_MEMPOOL_ATTR_USED_MEM_CURRENT, &found));
  CHECK_EQ(found, 1u << 20);
  CHECK_DRV(simtDrvMemFreeAsync(memory, stream));
  REQUIRE_DRV(simtDrvStreamSynchronize(stream));
  CHECK_DRV(simtDrvMemPoolTrimTo(pool, 0));
  CHECK_DRV(simtDrvMemPoolGetAttribute(pool, SIMT_DRV_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &found));
  CHECK_EQ(found, 0u);

  REQUIRE_DRV(simtDrvDeviceGetDefaultMemPool(&of_device, 0));
  CHECK_DRV(simtDrvDeviceSetMemPool(0, pool));
  CHECK_DRV(simtDrvDeviceGetMemPool(&current, 0));
  CHECK_EQ(current, pool);
  CHECK_DRV(simtDrvDeviceSetMemPool(0, of_device));
  CHECK_DRV(simtDrvMemPoolDestroy(pool));
  CHECK_EQ(simtDrvMemPoolCreate(&pool, nullptr), SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("a captured graph repeats the work of a stream") {
  const DriverStream stream;
  const DeviceArray<unsigned> memory(std::vector<unsigned>(64, 1));
  int calls = 0;
  simtDrvStreamCaptureStatus status{};
  simtDrvGraph graph = nullptr, clone = nullptr;
  simtDrvGraphExec exec = nullptr;
  REQUIRE_DRV(simtDrvStreamBeginCapture(stream, SIMT_DRV_STREAM_CAPTURE_MODE_RELAXED));
  CHECK_DRV(simtDrvStreamIsCapturing(stream, &status));
  CHECK_EQ(status, SIMT_DRV_STREAM_CAPTURE_STATUS_ACTIVE);
  CHECK_DRV(simtDrvMemsetD32Async(device_pointer(memory.data()), 5, 64, stream));
  CHECK_DRV(simtDrvLaunchHostFunc(stream, add_one, &calls));
  REQUIRE_DRV(simtDrvStreamEndCapture(stream, &graph));
  CHECK_DRV(simtDrvStreamIsCapturing(stream, &status));
  CHECK_EQ(status, SIMT_DRV_STREAM_CAPTURE_STATUS_NONE);
  CHECK_EQ(calls, 0);

  std::size_t nodes = 0;
  CHECK_DRV(simtDrvGraphGetNodes(graph, nullptr, &nodes));
  CHECK_GE(nodes, 2u);
  CHECK_DRV(simtDrvGraphClone(&clone, graph));
  REQUIRE_DRV(simtDrvGraphInstantiate(&exec, clone, 0));
  CHECK_DRV(simtDrvGraphUpload(exec, stream));
  for (int i = 0; i < 3; ++i) CHECK_DRV(simtDrvGraphLaunch(exec, stream));
  REQUIRE_DRV(simtDrvStreamSynchronize(stream));
  CHECK_EQ(calls, 3);
  CHECK_EQ(memory.values(), std::vector<unsigned>(64, 5));
  CHECK_DRV(simtDrvGraphExecDestroy(exec));
  CHECK_DRV(simtDrvGraphDestroy(clone));
  CHECK_DRV(simtDrvGraphDestroy(graph));
  CHECK_EQ(simtDrvStreamEndCapture(stream, &graph), SIMT_DRV_ERROR_ILLEGAL_STATE);
  CHECK_EQ(simtDrvStreamIsCapturing(stream, nullptr), SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("a thread exchanges the mode of its captures") {
  simtDrvStreamCaptureMode mode = SIMT_DRV_STREAM_CAPTURE_MODE_RELAXED;
  CHECK_DRV(simtDrvThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, SIMT_DRV_STREAM_CAPTURE_MODE_GLOBAL);
  CHECK_DRV(simtDrvThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, SIMT_DRV_STREAM_CAPTURE_MODE_RELAXED);
  CHECK_EQ(simtDrvThreadExchangeStreamCaptureMode(nullptr), SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("an empty graph, flags and priorities of streams") {
  simtDrvStream stream = nullptr;
  int least = 0, greatest = 0, priority = 99;
  unsigned flags = 99;
  REQUIRE_DRV(simtDrvCtxGetStreamPriorityRange(&least, &greatest));
  REQUIRE_DRV(simtDrvStreamCreateWithPriority(&stream, SIMT_DRV_STREAM_NON_BLOCKING, greatest));
  CHECK_DRV(simtDrvStreamGetPriority(stream, &priority));
  CHECK_EQ(priority, greatest);
  CHECK_DRV(simtDrvStreamGetFlags(stream, &flags));
  CHECK_EQ(flags, SIMT_DRV_STREAM_NON_BLOCKING);

  simtDrvGraph graph = nullptr;
  simtDrvGraphExec exec = nullptr;
  std::size_t nodes = 7;
  REQUIRE_DRV(simtDrvGraphCreate(&graph, 0));
  CHECK_DRV(simtDrvGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQ(nodes, 0u);
  REQUIRE_DRV(simtDrvGraphInstantiateWithFlags(&exec, graph, SIMT_DRV_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  CHECK_DRV(simtDrvGraphLaunch(exec, stream));
  simtDrvEvent event = nullptr;
  REQUIRE_DRV(simtDrvEventCreate(&event, SIMT_DRV_EVENT_DEFAULT));
  CHECK_DRV(simtDrvEventRecordWithFlags(event, stream, SIMT_DRV_EVENT_DEFAULT));
  CHECK_DRV(simtDrvEventSynchronize(event));
  CHECK_DRV(simtDrvEventDestroy(event));
  CHECK_DRV(simtDrvGraphExecDestroy(exec));
  CHECK_DRV(simtDrvGraphDestroy(graph));
  REQUIRE_DRV(simtDrvStreamDestroy(stream));
}

}  // namespace
