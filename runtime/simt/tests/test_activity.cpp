// Activity records for profilers: simtpti.h. CUPTI's documentation, "CUPTI Activity API": records
// of enabled kinds are written and returned in the profiler's buffers.
#include "kernel_test.h"

#include <simtblas.h>
#include <simtpti.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

template <class T>
__global__ void scale(T* values, T by) {
  values[threadIdx.x] *= by;
}

template <class T>
void launch_scale(T* values, T by, simtStream_t stream) {
  SIMT_LAUNCH((scale<T>), (2), (4), (0), (stream), values, by);
}

// Returned records, by type.
struct Collected {
  std::mutex mutex;
  std::vector<SIMTpti_ActivityKernel4> kernels;
  std::vector<SIMTpti_ActivityMemcpy> copies;
  std::vector<SIMTpti_ActivityMemset> fills;
  std::vector<SIMTpti_ActivityAPI> calls;
  std::vector<SIMTpti_ActivityExternalCorrelation> ids;
  std::size_t buffers = 0;
  std::atomic<std::size_t> buffer_size = 1 << 16;
};

Collected& collected() {
  static Collected all;
  return all;
}

void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *size = collected().buffer_size.load();
  *buffer = *size == 0 ? nullptr : static_cast<std::uint8_t*>(std::malloc(*size));
  *most = 0;
}

void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  Collected& all = collected();
  const std::lock_guard lock(all.mutex);
  ++all.buffers;
  SIMTpti_Activity* record = nullptr;
  while (simtptiActivityGetNextRecord(buffer, valid, &record) == SIMTPTI_SUCCESS) {
    switch (record->kind) {
      case SIMTPTI_ACTIVITY_KIND_MEMCPY:
        all.copies.push_back(*reinterpret_cast<SIMTpti_ActivityMemcpy*>(record));
        break;
      case SIMTPTI_ACTIVITY_KIND_MEMSET:
        all.fills.push_back(*reinterpret_cast<SIMTpti_ActivityMemset*>(record));
        break;
      case SIMTPTI_ACTIVITY_KIND_RUNTIME:
        all.calls.push_back(*reinterpret_cast<SIMTpti_ActivityAPI*>(record));
        break;
      case SIMTPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        all.ids.push_back(*reinterpret_cast<SIMTpti_ActivityExternalCorrelation*>(record));
        break;
      default: all.kernels.push_back(*reinterpret_cast<SIMTpti_ActivityKernel4*>(record));
    }
  }
  std::free(buffer);
}

/// Records all kinds during its lifetime.
class Recording {
 public:
  explicit Recording(std::size_t buffer_size = 1 << 16) {
    Collected& all = collected();
    {
      const std::lock_guard lock(all.mutex);
      all.kernels.clear();
      all.copies.clear();
      all.fills.clear();
      all.calls.clear();
      all.ids.clear();
      all.buffers = 0;
      all.buffer_size = buffer_size;
    }
    // The lock is not held here, because the callbacks acquire it.
    start();
  }
  ~Recording() { stop(); }

  void stop() {
    for (const auto kind : kKinds) simtptiActivityDisable(kind);
    simtptiActivityFlushAll(0);
  }

 private:
  static void start() {
    REQUIRE_EQ(simtptiActivityRegisterCallbacks(give_buffer, take_buffer), SIMTPTI_SUCCESS);
    for (const auto kind : kKinds) REQUIRE_EQ(simtptiActivityEnable(kind), SIMTPTI_SUCCESS);
  }

  static constexpr SIMTpti_ActivityKind kKinds[] = {
      SIMTPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, SIMTPTI_ACTIVITY_KIND_MEMCPY,
      SIMTPTI_ACTIVITY_KIND_MEMSET, SIMTPTI_ACTIVITY_KIND_RUNTIME,
      SIMTPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};
};

TEST_CASE("a launch has a record with the kernel's name, its stream and its times") {
  const DeviceArray<float> values(4, 1.0F);
  TestStream first, second;
  std::uint64_t before = 0, after = 0;
  REQUIRE_EQ(simtptiGetTimestamp(&before), SIMTPTI_SUCCESS);
  Recording recording;
  launch_scale(values.data(), 3.0F, first);
  launch_scale(values.data(), 3.0F, first);
  REQUIRE_OK(simtStreamSynchronize(first));
  launch_scale(values.data(), 3.0F, second);
  REQUIRE_OK(simtStreamSynchronize(second));
  recording.stop();
  REQUIRE_EQ(simtptiGetTimestamp(&after), SIMTPTI_SUCCESS);

  const auto& kernels = collected().kernels;
  REQUIRE_EQ(kernels.size(), 3);
  for (const auto& kernel : kernels) {
    CHECK_EQ(std::string(kernel.name), "scale<float>");
    CHECK_EQ(kernel.gridX, 2);
    CHECK_EQ(kernel.blockX, 4);
    CHECK_LE(before, kernel.start);
    CHECK_LE(kernel.start, kernel.end);
    CHECK_LE(kernel.end, after);
  }
  CHECK_LE(kernels[0].end, kernels[1].start);  // one stream: one after the other
  CHECK_EQ(kernels[0].streamId, kernels[1].streamId);
  CHECK_NE(kernels[0].streamId, kernels[2].streamId);
}

TEST_CASE("each call has a record, linked with the record of its work") {
  const DeviceArray<float> values(4, 1.0F);
  std::vector<float> host(4);
  Recording recording;
  launch_scale(values.data(), 2.0F, nullptr);
  REQUIRE_OK(simtMemset(values.data(), 0, values.bytes()));
  REQUIRE_OK(simtMemcpy(host.data(), values.data(), values.bytes(), simtMemcpyDeviceToHost));
  REQUIRE_OK(simtDeviceSynchronize());
  recording.stop();

  const Collected& all = collected();
  REQUIRE_EQ(all.calls.size(), 3);
  REQUIRE_EQ(all.kernels.size(), 1);
  REQUIRE_EQ(all.copies.size(), 1);
  REQUIRE_EQ(all.fills.size(), 1);
  CHECK_EQ(all.calls[0].correlationId, all.kernels[0].correlationId);
  CHECK_EQ(all.calls[1].correlationId, all.fills[0].correlationId);
  CHECK_EQ(all.calls[2].correlationId, all.copies[0].correlationId);
  std::vector<std::string> names;
  for (const auto& call : all.calls) {
    const char* name = nullptr;
    REQUIRE_EQ(simtptiGetCallbackName(SIMTPTI_CB_DOMAIN_RUNTIME_API, call.cbid, &name),
               SIMTPTI_SUCCESS);
    names.emplace_back(name);
    CHECK_LE(call.start, call.end);
  }
  CHECK_EQ(names, std::vector<std::string>{"simtLaunchKernel", "simtMemsetAsync",
                                           "simtMemcpyAsync"});
}

TEST_CASE("external ids of a thread apply only to its own calls") {
  const DeviceArray<float> values(4, 1.0F), others(4, 1.0F);
  constexpr auto kKind = SIMTPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  Recording recording;
  REQUIRE_EQ(simtptiActivityPushExternalCorrelationId(kKind, 70), SIMTPTI_SUCCESS);
  REQUIRE_EQ(simtptiActivityPushExternalCorrelationId(kKind, 71), SIMTPTI_SUCCESS);
  launch_scale(values.data(), 2.0F, nullptr);
  std::thread([&] { launch_scale(others.data(), 2.0F, nullptr); }).join();
  std::uint64_t last = 0;
  CHECK_EQ(simtptiActivityPopExternalCorrelationId(kKind, &last), SIMTPTI_SUCCESS);
  CHECK_EQ(last, 71);
  launch_scale(values.data(), 2.0F, nullptr);
  CHECK_EQ(simtptiActivityPopExternalCorrelationId(kKind, &last), SIMTPTI_SUCCESS);
  CHECK_EQ(last, 70);
  CHECK_EQ(simtptiActivityPopExternalCorrelationId(kKind, &last), SIMTPTI_ERROR_QUEUE_EMPTY);
  REQUIRE_OK(simtDeviceSynchronize());
  recording.stop();

  const Collected& all = collected();
  REQUIRE_EQ(all.kernels.size(), 3);
  REQUIRE_EQ(all.ids.size(), 2);
  CHECK_EQ(all.ids[0].externalId, 71);
  CHECK_EQ(all.ids[0].correlationId, all.kernels[0].correlationId);
  CHECK_EQ(all.ids[1].externalId, 70);
  CHECK_EQ(all.ids[1].correlationId, all.kernels[2].correlationId);
}

TEST_CASE("a call of a library is a kernel with the call's name") {
  const DeviceArray<float> x(3, 1.0F), y(3, 1.0F);
  simtblasHandle_t handle = nullptr;
  REQUIRE_EQ(simtblasCreate(&handle), SIMTBLAS_STATUS_SUCCESS);
  const float two = 2.0F;
  Recording recording;
  REQUIRE_EQ(simtblasSaxpy(handle, 3, &two, x.data(), 1, y.data(), 1), SIMTBLAS_STATUS_SUCCESS);
  REQUIRE_OK(simtDeviceSynchronize());
  recording.stop();
  REQUIRE_EQ(collected().kernels.size(), 1);
  CHECK(std::string(collected().kernels[0].name).find("axpy") != std::string::npos);
  simtblasDestroy(handle);
}

TEST_CASE("a replayed graph has records of each launch") {
  TestStream stream;
  const DeviceArray<float> values(4, 1.0F);
  simtGraph_t graph = nullptr;
  simtGraphExec_t exec = nullptr;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeRelaxed));
  launch_scale(values.data(), 2.0F, stream);
  launch_scale(values.data(), 2.0F, stream);
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphInstantiate(&exec, graph));
  Recording recording;
  Gate gate;
  gate.hold(stream);
  REQUIRE_OK(simtGraphLaunch(exec, stream));
  TestStream other;
  REQUIRE_OK(simtGraphLaunch(exec, other));  // waits for the first launch; a wait has no record
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  REQUIRE_OK(simtStreamSynchronize(other));
  recording.stop();
  CHECK_EQ(collected().kernels.size(), 4);
  REQUIRE_OK(simtGraphExecDestroy(exec));
  REQUIRE_OK(simtGraphDestroy(graph));
}

TEST_CASE("a full buffer is returned immediately, and no record is lost") {
  const DeviceArray<float> values(4, 1.0F);
  Recording recording(/*buffer_size=*/256);
  for (int i = 0; i < 20; ++i) launch_scale(values.data(), 1.0F, nullptr);
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK_GT(collected().buffers, 5);
  recording.stop();
  CHECK_EQ(collected().kernels.size(), 20);
  CHECK_EQ(collected().calls.size(), 20);
  std::size_t dropped = 1;
  CHECK_EQ(simtptiActivityGetNumDroppedRecords(nullptr, 0, &dropped), SIMTPTI_SUCCESS);
  CHECK_EQ(dropped, 0);
}

TEST_CASE("records that are dropped for lack of a buffer are counted") {
  const DeviceArray<float> values(4, 1.0F);
  Recording recording(/*buffer_size=*/0);
  launch_scale(values.data(), 1.0F, nullptr);
  REQUIRE_OK(simtDeviceSynchronize());
  recording.stop();
  std::size_t dropped = 0;
  CHECK_EQ(simtptiActivityGetNumDroppedRecords(nullptr, 0, &dropped), SIMTPTI_SUCCESS);
  CHECK_EQ(dropped, 2);  // the launch and the kernel
}

TEST_CASE("kinds that are not enabled have no records") {
  const DeviceArray<float> values(4, 1.0F);
  { Recording ended; }
  launch_scale(values.data(), 1.0F, nullptr);
  REQUIRE_OK(simtDeviceSynchronize());
  CHECK_EQ(simtptiActivityFlushAll(0), SIMTPTI_SUCCESS);
  CHECK(collected().kernels.empty());
  CHECK(collected().calls.empty());
  CHECK_EQ(simtptiActivityEnable(SIMTPTI_ACTIVITY_KIND_INVALID), SIMTPTI_ERROR_INVALID_KIND);
}

TEST_CASE("launches of many threads while recording starts and stops") {
  constexpr int kThreads = 4, kLaunches = 200;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      TestStream stream;
      const DeviceArray<float> values(4, 1.0F);
      for (int launch = 0; launch < kLaunches; ++launch) launch_scale(values.data(), 1.0F, stream);
      REQUIRE_OK(simtStreamSynchronize(stream));
    });
  }
  for (int i = 0; i < 20; ++i) Recording recording;
  for (auto& thread : threads) thread.join();
  CHECK_OK(simtDeviceSynchronize());
  simtptiActivityFlushAll(0);
}

}  // namespace
