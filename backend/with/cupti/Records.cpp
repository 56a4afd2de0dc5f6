// Records of the device from CUPTI's activity API, or from a vendor's API that resembles CUPTI.

#include "../../csrc/profiler/Activity.h"
#include "../../csrc/release/Clock.h"

#include <c10/util/Exception.h>
#include <c10/util/Type.h>
#include <cupti.h>

#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

namespace at::cuda::backend::profiler {
namespace {

constexpr CUpti_ActivityKind kKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};
constexpr CUpti_ExternalCorrelationKind kOps = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;

constexpr size_t kBufferSize = size_t{1} << 20;
constexpr std::align_val_t kAlignment{8};

void check(CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) {
    return;
  }
  const char* text = nullptr;
  cuptiGetResultString(result, &text);
  TORCH_CHECK(false, call, " failed: ", text == nullptr ? "unknown error" : text);
}

// #call is the text of the call after the port, so that an error message names the vendor's
// function.
#define CHECK_CALL(call) check(call, #call)

// Completed buffers that have not been read.
struct Buffers {
  struct Buffer {
    uint8_t* begin;
    size_t valid;
  };
  std::mutex mutex;
  std::vector<Buffer> full;

  std::vector<Buffer> take() {
    const std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(full, {});
  }
};

// The buffers are never destroyed, because threads of the vendor's library may still write to them
// while the process ends.
Buffers& buffers() {
  static auto* const known = new Buffers;
  return *known;
}

void release(uint8_t* buffer) { ::operator delete(buffer, kAlignment); }

void giveBuffer(uint8_t** buffer, size_t* size, size_t* most) {
  *buffer = static_cast<uint8_t*>(::operator new(kBufferSize, kAlignment, std::nothrow));
  *size = *buffer == nullptr ? 0 : kBufferSize;
  *most = 0;
}

template <typename Context>
void takeBuffer(Context, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  if (valid == 0) {
    release(buffer);
    return;
  }
  const std::lock_guard<std::mutex> lock(buffers().mutex);
  buffers().full.push_back({buffer, valid});
}

// Name of a runtime function without the version at its end, for example without the _v7000 of a
// launch.
std::string nameOfCall(CUpti_CallbackId id) {
  const char* name = nullptr;
  if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, id, &name) != CUPTI_SUCCESS) {
    return c10::str("runtime call ", id);
  }
  const std::string full = name;
  const size_t version = full.rfind("_v");
  const bool numbered = version != std::string::npos &&
                        full.find_first_not_of("0123456789", version + 2) == std::string::npos;
  return numbered ? full.substr(0, version) : full;
}

const char* nameOfCopy(uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "Memcpy HtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "Memcpy DtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "Memcpy DtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "Memcpy HtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "Memcpy PtoP";
    default:
      return "Memcpy";
  }
}

template <typename Activity>
Record timesOf(Kind kind, const Activity& activity) {
  Record record;
  record.kind = kind;
  record.start = static_cast<int64_t>(activity.start);
  record.end = static_cast<int64_t>(activity.end);
  record.correlation = activity.correlationId;
  return record;
}

template <typename Activity>
Record workOf(Kind kind, const Activity& activity) {
  Record record = timesOf(kind, activity);
  record.device = static_cast<int32_t>(activity.deviceId);
  record.stream = static_cast<int32_t>(activity.streamId);
  return record;
}

Record recordOf(const CUpti_ActivityKernel4& kernel) {
  Record record = workOf(Kind::kKernel, kernel);
  record.name = kernel.name == nullptr ? "kernel" : c10::demangle(kernel.name);
  record.grid = {kernel.gridX, kernel.gridY, kernel.gridZ};
  record.block = {kernel.blockX, kernel.blockY, kernel.blockZ};
  return record;
}

Record recordOf(const CUpti_ActivityMemcpy& copy) {
  Record record = workOf(Kind::kCopy, copy);
  record.name = nameOfCopy(copy.copyKind);
  record.bytes = copy.bytes;
  return record;
}

Record recordOf(const CUpti_ActivityMemset& fill) {
  Record record = workOf(Kind::kFill, fill);
  record.name = "Memset";
  record.bytes = fill.bytes;
  return record;
}

Record recordOf(const CUpti_ActivityAPI& call) {
  Record record = timesOf(Kind::kCall, call);
  record.name = nameOfCall(call.cbid);
  record.thread = static_cast<int32_t>(call.threadId);
  return record;
}

template <typename Activity>
const Activity& as(const CUpti_Activity* activity) {
  return *reinterpret_cast<const Activity*>(activity);
}

class VendorSource final : public Source {
 public:
  VendorSource() {
    static const bool once = [] {
      CHECK_CALL(cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer));
      return true;
    }();
    (void)once;
  }

  void start() override {
    for (const auto& old : buffers().take()) {
      release(old.begin);
    }
    uint64_t now = 0;
    CHECK_CALL(cuptiGetTimestamp(&now));
    offset_ = getTime() - static_cast<int64_t>(now);
    for (const auto kind : kKinds) {
      CHECK_CALL(cuptiActivityEnable(kind));
    }
  }

  void stop() override {
    for (const auto kind : kKinds) {
      CHECK_CALL(cuptiActivityDisable(kind));
    }
    CHECK_CALL(cuptiActivityFlushAll(0));
  }

  void push(uint64_t op) override {
    CHECK_CALL(cuptiActivityPushExternalCorrelationId(kOps, op));
  }

  void pop() override {
    // An operator that began before the profiler started has no correlation id when it ends.
    uint64_t last = 0;
    (void)cuptiActivityPopExternalCorrelationId(kOps, &last);
  }

  std::vector<Record> take() override {
    std::vector<Record> records;
    std::unordered_map<uint32_t, uint64_t> ops;
    for (const auto& buffer : buffers().take()) {
      CUpti_Activity* activity = nullptr;
      while (cuptiActivityGetNextRecord(buffer.begin, buffer.valid, &activity) == CUPTI_SUCCESS) {
        read(activity, records, ops);
      }
      release(buffer.begin);
    }
    for (Record& record : records) {
      record.start += offset_;
      record.end += offset_;
      const auto op = ops.find(record.correlation);
      record.op = op == ops.end() ? 0 : op->second;
    }
    return records;
  }

 private:
  static void read(const CUpti_Activity* activity, std::vector<Record>& records,
                   std::unordered_map<uint32_t, uint64_t>& ops) {
    switch (activity->kind) {
      case CUPTI_ACTIVITY_KIND_KERNEL:
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        records.push_back(recordOf(as<CUpti_ActivityKernel4>(activity)));
        break;
      case CUPTI_ACTIVITY_KIND_MEMCPY:
        records.push_back(recordOf(as<CUpti_ActivityMemcpy>(activity)));
        break;
      case CUPTI_ACTIVITY_KIND_MEMSET:
        records.push_back(recordOf(as<CUpti_ActivityMemset>(activity)));
        break;
      case CUPTI_ACTIVITY_KIND_RUNTIME:
        records.push_back(recordOf(as<CUpti_ActivityAPI>(activity)));
        break;
      case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto& id = as<CUpti_ActivityExternalCorrelation>(activity);
        if (id.externalKind == kOps) {
          ops[id.correlationId] = id.externalId;
        }
        break;
      }
      default:
        break;
    }
  }

  int64_t offset_ = 0;  // from the vendor's clock to the Unix epoch
};

struct Registration {
  Registration() {
    register_source([]() -> std::unique_ptr<Source> { return std::make_unique<VendorSource>(); });
  }
};
const Registration registration;

}  // namespace
}  // namespace at::cuda::backend::profiler
