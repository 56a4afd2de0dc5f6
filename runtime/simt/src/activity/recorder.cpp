#include "activity/recorder.h"

#include "activity/buffers.h"
#include "activity/calls.h"
#include "activity/external_ids.h"
#include "activity/kernel_name.h"
#include "streams/device.h"
#include "streams/stream.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <set>
#include <tuple>

namespace simtrt::activity {
namespace {

std::atomic<std::uint32_t> next_correlation{1};

// Never freed: profilers keep the pointers.
const char* interned(std::string name) {
  static auto& mutex = *new std::mutex();
  static auto& names = *new std::set<std::string>();
  const std::lock_guard lock(mutex);
  return names.insert(std::move(name)).first->c_str();
}

const char* name_of(const KernelWork& kernel) {
  using Key = std::tuple<const char*, const char*, const void*>;
  static auto& mutex = *new std::mutex();
  static auto& names = *new std::map<Key, const char*>();
  const LaunchSite& site = kernel.kernel->site;
  const Key key{site.kernel, site.function, kernel.config.kernel};
  const std::lock_guard lock(mutex);
  const char*& name = names[key];
  if (name == nullptr) name = interned(kernel_name(site, kernel.config.kernel));
  return name;
}

// Fields that all records of device work share.
template <class Record>
Record device_record(SIMTpti_ActivityKind kind, const Stream& stream, const Running& running) {
  Record record{};
  record.kind = kind;
  record.correlationId = running.correlation;
  record.start = running.start;
  record.end = now();
  record.deviceId = static_cast<std::uint32_t>(stream.device.ordinal);
  record.contextId = 1;
  record.streamId = static_cast<std::uint32_t>(stream.id);
  return record;
}

SIMTpti_ActivityKernel4 kernel_record(const Stream& stream, const Running& running,
                                      const Work& work) {
  auto record = device_record<SIMTpti_ActivityKernel4>(
      SIMTPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, stream, running);
  if (const auto* kernel = std::get_if<KernelWork>(&work)) {
    const LaunchConfig& config = kernel->config;
    record.name = name_of(*kernel);
    record.gridX = static_cast<std::int32_t>(config.grid.x);
    record.gridY = static_cast<std::int32_t>(config.grid.y);
    record.gridZ = static_cast<std::int32_t>(config.grid.z);
    record.blockX = static_cast<std::int32_t>(config.block.x);
    record.blockY = static_cast<std::int32_t>(config.block.y);
    record.blockZ = static_cast<std::int32_t>(config.block.z);
    record.dynamicSharedMemory = static_cast<std::int32_t>(config.shared_bytes);
  } else if (const auto* later = std::get_if<LaterWork>(&work)) {
    record.name = interned(later->name);
  } else {
    record.name = interned(std::get<TaskWork>(work).name);
  }
  return record;
}

bool records_kernels() {
  return is_enabled(SIMTPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) ||
         is_enabled(SIMTPTI_ACTIVITY_KIND_KERNEL);
}

}  // namespace

std::uint64_t now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

void Submission::begin(const Work& work) {
  const Call* call = call_of(work);
  if (call == nullptr) return;
  call_ = call->id;
  start_ = now();
  // Correlation id 0 means "not recorded", and is skipped.
  do {
    correlation_ = next_correlation.fetch_add(1, std::memory_order_relaxed);
  } while (correlation_ == 0);
  if (is_enabled(SIMTPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) write_external_ids(correlation_);
}

void Submission::end() {
  if (!is_enabled(SIMTPTI_ACTIVITY_KIND_RUNTIME)) return;
  SIMTpti_ActivityAPI record{};
  record.kind = SIMTPTI_ACTIVITY_KIND_RUNTIME;
  record.correlationId = correlation_;
  record.start = start_;
  record.end = now();
  record.cbid = call_;
  record.processId = static_cast<std::uint32_t>(getpid());
  record.threadId = static_cast<std::uint32_t>(syscall(SYS_gettid));
  Buffers::instance().write(record);
}

void end(const Stream& stream, const Running& running) {
  const Call* call = call_of(*running.work);
  switch (call->record) {
    case SIMTPTI_ACTIVITY_KIND_MEMCPY:
      if (!is_enabled(call->record)) return;
      return Buffers::instance().write(
          device_record<SIMTpti_ActivityMemcpy>(call->record, stream, running));
    case SIMTPTI_ACTIVITY_KIND_MEMSET:
      if (!is_enabled(call->record)) return;
      return Buffers::instance().write(
          device_record<SIMTpti_ActivityMemset>(call->record, stream, running));
    default:
      if (!records_kernels()) return;
      return Buffers::instance().write(kernel_record(stream, running, *running.work));
  }
}

}  // namespace simtrt::activity
