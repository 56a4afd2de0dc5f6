// Memory allocated in stream order. CUDA C++ Programming Guide, "Stream Ordered Memory Allocator":
// "Memory Reuse Policies", "Physical Page Caching Behavior"; CUDA Runtime API, "Stream Ordered
// Memory Allocator".
#include "kernel_test.h"

#include <cstdint>

namespace {

__global__ void touch(char* memory) { *memory = 1; }

std::uint64_t value_of(simtMemPool_t pool, simtMemPoolAttr attribute) {
  std::uint64_t value = ~std::uint64_t{0};
  CHECK_OK(simtMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

/// A pool of the current device that may hold `most` bytes.
class TestPool {
 public:
  explicit TestPool(std::size_t most = 0) {
    simtMemPoolProps wanted{};
    wanted.allocType = simtMemAllocationTypePinned;
    wanted.location = {simtMemLocationTypeDevice, 0};
    wanted.maxSize = most;
    REQUIRE_OK(simtMemPoolCreate(&pool_, &wanted));
  }
  TestPool(const TestPool&) = delete;
  TestPool& operator=(const TestPool&) = delete;
  ~TestPool() { simtMemPoolDestroy(pool_); }
  operator simtMemPool_t() const { return pool_; }

  void set(simtMemPoolAttr rule, int value) {
    REQUIRE_OK(simtMemPoolSetAttribute(pool_, rule, &value));
  }
  void* allocate(std::size_t size, simtStream_t stream) {
    void* memory = nullptr;
    REQUIRE_OK(simtMallocFromPoolAsync(&memory, size, pool_, stream));
    return memory;
  }

 private:
  simtMemPool_t pool_ = nullptr;
};

std::size_t total_memory() {
  std::size_t free, total;
  REQUIRE_OK(simtMemGetInfo(&free, &total));
  return total;
}

TEST_CASE("a loop that allocates most of the device, and frees it in the order of a stream") {
  TestStream stream;
  const std::size_t most = total_memory() / 10 * 6;
  Gate gate;
  gate.hold(stream);  // nothing is free yet when the next round allocates
  for (int round = 0; round < 5; ++round) {
    char* memory;
    REQUIRE_OK(simtMallocAsync(&memory, most, stream));
    SIMT_LAUNCH((touch), (1), (1), (0), (stream), memory);
    REQUIRE_OK(simtFreeAsync(memory, stream));
  }
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  for (int percent : {60, 50, 70, 40}) {
    char* memory;
    REQUIRE_OK(
        simtMallocAsync(&memory, total_memory() / 100 * static_cast<unsigned>(percent), stream));
    SIMT_LAUNCH((touch), (1), (1), (0), (stream), memory);
    REQUIRE_OK(simtFreeAsync(memory, stream));
  }
  REQUIRE_OK(simtStreamSynchronize(stream));
  // The wait has returned the free memory to the system, because the release threshold is 0.
  void* rest;
  REQUIRE_OK(simtMalloc(&rest, most));
  CHECK_OK(simtFree(rest));
}

TEST_CASE("simtMalloc takes free memory of pools") {
  TestStream stream;
  TestPool pool;
  std::uint64_t keep = UINT64_MAX;
  REQUIRE_OK(simtMemPoolSetAttribute(pool, simtMemPoolAttrReleaseThreshold, &keep));
  const std::size_t most = total_memory() / 10 * 6;
  REQUIRE_OK(simtFreeAsync(pool.allocate(most, stream), stream));
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_GE(value_of(pool, simtMemPoolAttrReservedMemCurrent), most);
  void* memory;
  REQUIRE_OK(simtMalloc(&memory, most));
  CHECK_OK(simtFree(memory));
}

TEST_CASE("release threshold, trim and high-water marks") {
  constexpr std::uint64_t kSize = 1 << 20;
  TestStream stream;
  TestPool pool;
  void* first = pool.allocate(kSize, stream);
  void* second = pool.allocate(kSize, stream);
  CHECK_EQ(value_of(pool, simtMemPoolAttrUsedMemCurrent), 2 * kSize);
  REQUIRE_OK(simtFreeAsync(first, stream));
  CHECK_EQ(value_of(pool, simtMemPoolAttrUsedMemCurrent), kSize);
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemCurrent), 2 * kSize);
  REQUIRE_OK(simtStreamSynchronize(stream));  // threshold 0
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemCurrent), kSize);

  std::uint64_t keep = UINT64_MAX;
  REQUIRE_OK(simtMemPoolSetAttribute(pool, simtMemPoolAttrReleaseThreshold, &keep));
  REQUIRE_OK(simtFreeAsync(second, stream));
  TestEvent event;
  REQUIRE_OK(simtEventRecord(event, stream));
  REQUIRE_OK(simtEventSynchronize(event));
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemCurrent), kSize);
  CHECK_EQ(pool.allocate(kSize, stream), second);
  CHECK_OK(simtMemPoolTrimTo(pool, 0));
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemCurrent), kSize);
  REQUIRE_OK(simtFreeAsync(second, stream));
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK_OK(simtMemPoolTrimTo(pool, kSize));
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemCurrent), kSize);
  CHECK_OK(simtMemPoolTrimTo(pool, 0));
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemCurrent), 0);
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemHigh), 2 * kSize);
  std::uint64_t zero = 0;
  CHECK_OK(simtMemPoolSetAttribute(pool, simtMemPoolAttrReservedMemHigh, &zero));
  CHECK_EQ(value_of(pool, simtMemPoolAttrReservedMemHigh), 0);
  CHECK_EQ(value_of(pool, simtMemPoolAttrUsedMemHigh), 2 * kSize);
}

TEST_CASE("a pool does not exceed its limit") {
  constexpr std::size_t kSize = 1 << 20;
  TestStream stream;
  TestPool pool(kSize);
  void* memory = pool.allocate(kSize, stream);
  void* more;
  CHECK_EQ(simtMallocFromPoolAsync(&more, kSize, pool, stream), simtErrorMemoryAllocation);
  CHECK_EQ(simtGetLastError(), simtErrorMemoryAllocation);
  REQUIRE_OK(simtFreeAsync(memory, stream));
  CHECK_EQ(pool.allocate(kSize, stream), memory);
  REQUIRE_OK(simtFreeAsync(memory, stream));
}

/// Memory of a pool that was freed in the order of the blocked stream `held`. All three rules that
/// permit reuse of freed memory are disabled.
struct Freed {
  Freed() {
    pool.set(simtMemPoolReuseFollowEventDependencies, 0);
    pool.set(simtMemPoolReuseAllowOpportunistic, 0);
    pool.set(simtMemPoolReuseAllowInternalDependencies, 0);
    memory = pool.allocate(kSize, held);
    gate.hold(held);
    REQUIRE_OK(simtFreeAsync(memory, held));
  }
  /// Memory that the pool allocates for another stream.
  simtError_t allocate(void** found) {
    const simtError_t error = simtMallocFromPoolAsync(found, kSize, pool, other);
    static_cast<void>(simtGetLastError());
    return error;
  }

  static constexpr std::size_t kSize = 1 << 20;
  TestStream held, other;
  TestPool pool{kSize};
  Gate gate;
  void* memory;
};

TEST_CASE("another stream gets memory whose last work is complete, if the pool allows it") {
  Freed freed;
  freed.gate.open();
  TestEvent event;
  REQUIRE_OK(simtEventRecord(event, freed.held));
  while (simtEventQuery(event) == simtErrorNotReady) {
  }
  freed.pool.set(simtMemPoolReuseAllowOpportunistic, 1);
  void* found;
  CHECK_OK(freed.allocate(&found));
  CHECK_EQ(found, freed.memory);
  CHECK_OK(simtFreeAsync(found, freed.other));
}

TEST_CASE("another stream gets memory after it has waited for an event after the free") {
  Freed freed;
  TestStream between;
  TestEvent first, second;
  REQUIRE_OK(simtEventRecord(first, freed.held));
  REQUIRE_OK(simtStreamWaitEvent(between, first));
  REQUIRE_OK(simtEventRecord(second, between));
  REQUIRE_OK(simtStreamWaitEvent(freed.other, second));
  freed.pool.set(simtMemPoolReuseFollowEventDependencies, 1);
  void* found;
  CHECK_OK(freed.allocate(&found));
  CHECK_EQ(found, freed.memory);
  CHECK_OK(simtFreeAsync(found, freed.other));
}

TEST_CASE("another stream waits for memory if no other is left and the pool allows it") {
  Freed freed;
  freed.pool.set(simtMemPoolReuseAllowInternalDependencies, 1);
  void* found;
  CHECK_OK(freed.allocate(&found));
  CHECK_EQ(found, freed.memory);
  CHECK_EQ(simtStreamQuery(freed.other), simtErrorNotReady);
  CHECK_OK(simtFreeAsync(found, freed.other));
  freed.gate.open();
  CHECK_OK(simtStreamSynchronize(freed.other));
}

TEST_CASE("a pool may be destroyed before its memory is freed") {
  TestStream stream;
  void* memory;
  {
    TestPool pool;
    memory = pool.allocate(4096, stream);
  }
  CHECK_OK(simtMemsetAsync(memory, 1, 4096, stream));
  CHECK_OK(simtFreeAsync(memory, stream));
  CHECK_OK(simtStreamSynchronize(stream));
  CHECK_EQ(simtMemset(memory, 0, 1), simtErrorInvalidValue);
  static_cast<void>(simtGetLastError());
}

}  // namespace
