// Support of the device in torch.profiler: a child profiler of Kineto. Kineto adds its records to
// the same trace.

#include "../Backend.h"

#if __has_include(<kineto/libkineto.h>)

#define KINETO_NAMESPACE libkineto  // Kineto's headers expect this macro from the command line

#include "../release/Version.h"
#include "Activity.h"

#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>
#include <kineto/libkineto.h>
#include <kineto/output_base.h>

#include <map>
#include <set>
#include <unordered_set>

namespace at::cuda::backend::profiler {
namespace {

using libkineto::ActivityType;
using libkineto::GenericTraceActivity;
using libkineto::ITraceActivity;

ActivityType typeOf(Kind kind) {
  switch (kind) {
    case Kind::kCopy:
      return ActivityType::GPU_MEMCPY;
    case Kind::kFill:
      return ActivityType::GPU_MEMSET;
    case Kind::kCall:
      return ActivityType::PRIVATEUSE1_RUNTIME;
    case Kind::kKernel:
      break;
  }
  return ActivityType::CONCURRENT_KERNEL;
}

std::string listOf(const std::array<int32_t, 3>& values) {
  return c10::str("[", values[0], ", ", values[1], ", ", values[2], "]");
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result;
}

class Session final : public libkineto::IActivityProfilerSession {
 public:
  explicit Session(std::set<ActivityType> wanted)
      : wanted_(std::move(wanted)), source_(make_source()) {}

  void start() override {
    running_ = true;
    source_->start();
  }

  void stop() override {
    running_ = false;
    source_->stop();
  }

  void pushCorrelationId(uint64_t id) override {
    if (running_) {
      source_->push(id);
    }
  }
  void popCorrelationId() override {
    if (running_) {
      source_->pop();
    }
  }

  std::vector<std::string> errors() override { return {}; }

  void processTrace(libkineto::ActivityLogger& logger) override {
    processTrace(logger, [](int32_t) { return nullptr; }, 0, INT64_MAX);
  }

  void processTrace(libkineto::ActivityLogger& logger,
                    libkineto::getLinkedActivityCallback linked, int64_t begin,
                    int64_t end) override {
    buffer_ = std::make_unique<libkineto::CpuTraceBuffer>();
    buffer_->span = libkineto::TraceSpan(begin, end, names().lower);
    buffer_->gpuOpCount = 0;
    const std::vector<Record> records = source_->take();
    std::unordered_set<uint32_t> shown;  // correlations of device work; other calls are omitted
    for (const Record& record : records) {
      if (record.kind != Kind::kCall) {
        shown.insert(record.correlation);
      }
    }
    std::map<int32_t, std::set<int32_t>> streams;
    for (const Record& record : records) {
      const bool call = record.kind == Kind::kCall;
      if (wanted_.count(typeOf(record.kind)) == 0 || record.end < begin || record.start > end ||
          (call && shown.count(record.correlation) == 0)) {
        continue;
      }
      const ITraceActivity* const op =
          record.op == 0 ? nullptr : linked(static_cast<int32_t>(record.op));
      logger.handleActivity(add(record, op));
      if (!call) {
        streams[record.device].insert(record.stream);
        ++buffer_->gpuOpCount;
      }
    }
    for (const auto& [device, ids] : streams) {
      name(logger, device, ids, begin);
    }
  }

  // Kineto gets no names here: this class names the rows when it processes the records, because a
  // trace may contain several devices.
  std::unique_ptr<libkineto::DeviceInfo> getDeviceInfo() override { return nullptr; }
  std::vector<libkineto::ResourceInfo> getResourceInfos() override { return {}; }

  std::unique_ptr<libkineto::CpuTraceBuffer> getTraceBuffer() override {
    return std::move(buffer_);
  }

 private:
  GenericTraceActivity& add(const Record& record, const ITraceActivity* op) {
    buffer_->emplace_activity(buffer_->span, typeOf(record.kind), nameOf(record, op));
    GenericTraceActivity& made = *buffer_->activities.back();
    made.startTime = record.start;
    made.endTime = record.end;
    made.id = static_cast<int32_t>(record.correlation);
    made.linked = op;
    made.flow.id = record.correlation;
    made.flow.type = record.correlation == 0 ? 0 : libkineto::kLinkAsyncCpuGpu;
    made.flow.start = record.kind == Kind::kCall;
    if (record.kind == Kind::kCall) {
      // A call of the runtime appears in its operator's row, because PyTorch and the operating
      // system number threads differently.
      made.device = op != nullptr ? static_cast<int32_t>(op->deviceId()) : libkineto::processId();
      made.resource = op != nullptr ? static_cast<int32_t>(op->resourceId()) : record.thread;
      made.threadId = record.thread;
    } else {
      made.device = record.device;
      made.resource = record.stream;
      made.addMetadata("device", record.device);
      made.addMetadata("stream", record.stream);
      if (record.bytes != 0) {
        made.addMetadata("bytes", record.bytes);
      }
      if (record.grid[0] != 0) {
        made.addMetadata("grid", listOf(record.grid));
        made.addMetadata("block", listOf(record.block));
      }
    }
    if (record.correlation != 0) {
      made.addMetadata("correlation", record.correlation);
    }
    return made;
  }

  static std::string nameOf(const Record& record, const ITraceActivity* op) {
    if (!record.name.empty()) {
      return escaped(record.name);
    }
    return op != nullptr ? op->name() : "work of an unknown op";
  }

  static void name(libkineto::ActivityLogger& logger, int32_t device,
                   const std::set<int32_t>& streams, int64_t time) {
    const std::string shown = c10::str(c10::get_privateuse1_backend(), ":", device);
#if BACKEND_TORCH_AT_LEAST(2, 5)
    logger.handleDeviceInfo({device, device + libkineto::kExceedMaxPid, shown, shown}, time);
#else
    logger.handleDeviceInfo({device, shown, shown}, time);
#endif
    for (const int32_t stream : streams) {
      logger.handleResourceInfo({device, stream, stream, c10::str("stream ", stream)}, time);
    }
  }

  const std::set<ActivityType> wanted_;
  const std::unique_ptr<Source> source_;
  std::unique_ptr<libkineto::CpuTraceBuffer> buffer_;
  std::atomic<bool> running_{false};
};

class Profiler final : public libkineto::IActivityProfiler {
 public:
  const std::string& name() const override { return names().lower; }

  const std::set<ActivityType>& availableActivities() const override {
    static const std::set<ActivityType> types{
        ActivityType::CONCURRENT_KERNEL, ActivityType::GPU_MEMCPY, ActivityType::GPU_MEMSET,
        ActivityType::PRIVATEUSE1_RUNTIME};
    return types;
  }

  std::unique_ptr<libkineto::IActivityProfilerSession> configure(
      const std::set<ActivityType>& types, const libkineto::Config&) override {
    // A profile of the CPU alone requests runtime calls, but no kernels: it needs no session.
    if (types.count(ActivityType::CONCURRENT_KERNEL) == 0) {
      return nullptr;
    }
    return std::make_unique<Session>(types);
  }

  std::unique_ptr<libkineto::IActivityProfilerSession> configure(
      int64_t, int64_t, const std::set<ActivityType>& types,
      const libkineto::Config& config) override {
    return configure(types, config);
  }
};

struct Registration {
  Registration() {
    libkineto::api().registerProfilerFactory([] { return std::make_unique<Profiler>(); });
  }
};
const Registration registration;

}  // namespace
}  // namespace at::cuda::backend::profiler

namespace at::cuda::backend {

void prepare_profiler(bool host_only) {
  if (host_only && !libkineto::api().isProfilerRegistered()) {
    libkineto_init(/*cpuOnly=*/true, /*logOnError=*/false);
    libkineto::api().suppressLogMessages();
  }
}

}  // namespace at::cuda::backend

#else  // wheels before 2.4 lack Kineto's headers

namespace at::cuda::backend {

void prepare_profiler(bool /*host_only*/) {}

}  // namespace at::cuda::backend

#endif
