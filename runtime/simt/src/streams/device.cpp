#include "streams/device.h"

#include "check/events.h"
#include "environment.h"
#include "device_limits.h"
#include "memory/memory.h"
#include "process/state.h"
#include "streams/visible_devices.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace simtrt {
namespace {

thread_local int current_device = 0;

std::vector<std::unique_ptr<Device>>& all() {
  // Never destroyed: streams refer to their device as long as workers run.
  static auto& devices = *[] {
    auto* made = new std::vector<std::unique_ptr<Device>>();
    const auto count = environment_number("SIMT_DEVICE_COUNT", 1, 0, std::int64_t{kMaxDevices});
    for (const int number : visible_devices(static_cast<int>(count)))
      made->push_back(std::make_unique<Device>(static_cast<int>(made->size()), number));
    return made;
  }();
  return devices;
}

// Properties of compute capability 7.0 (CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability"). Other properties are those of a Tesla V100 (NVIDIA's architecture paper
// WP-08608-001, 2017). Kernels that derive their grid from these properties therefore have the same
// grid as on a V100, and consume the same random numbers.
simtDeviceProp make_properties(int number) {
  simtDeviceProp made;
  std::memset(&made, 0, sizeof made);
  std::snprintf(made.name, sizeof made.name, "simt (CUDA semantics on the host CPU)");
  made.uuid = device_uuid(number);
  made.totalGlobalMem = device_memory_bytes();
  made.sharedMemPerBlock = kMaxSharedByDefault;
  made.sharedMemPerBlockOptin = kMaxSharedPerBlock;
  made.sharedMemPerMultiprocessor = kMaxSharedPerBlock;
  made.regsPerBlock = 65536;
  made.regsPerMultiprocessor = 65536;
  made.warpSize = kWarpSize;
  made.memPitch = 2147483647;
  made.maxThreadsPerBlock = kMaxThreadsPerBlock;
  made.maxThreadsDim[0] = 1024;
  made.maxThreadsDim[1] = 1024;
  made.maxThreadsDim[2] = 64;
  made.maxGridSize[0] = 2147483647;
  made.maxGridSize[1] = 65535;
  made.maxGridSize[2] = 65535;
  made.clockRate = kClockKilohertz;
  made.totalConstMem = 64 * 1024;
  const ComputeCapability capability = environment_compute_capability();
  made.major = capability.major;
  made.minor = capability.minor;
  made.textureAlignment = kTextureAlignment;
  made.texturePitchAlignment = kTexturePitchAlignment;
  made.surfaceAlignment = 512;
  made.multiProcessorCount =
      static_cast<int>(environment_number("SIMT_MULTIPROCESSORS", 80, 1, 1024));
  made.integrated = 1;
  made.canMapHostMemory = 1;
  made.concurrentKernels = 1;
  made.asyncEngineCount = 2;
  made.unifiedAddressing = 1;
  made.memoryClockRate = 877000;
  made.memoryBusWidth = 4096;
  made.l2CacheSize = 6 * 1024 * 1024;
  made.maxThreadsPerMultiProcessor = 2048;
  made.maxBlocksPerMultiProcessor = 32;
  made.streamPrioritiesSupported = 1;
  made.globalL1CacheSupported = 1;
  made.localL1CacheSupported = 1;
  made.managedMemory = 1;
  made.concurrentManagedAccess = 1;
  made.pageableMemoryAccess = 1;
  made.pageableMemoryAccessUsesHostPageTables = 1;
  made.directManagedMemAccessFromHost = 1;
  made.hostNativeAtomicSupported = 1;
  made.canUseHostPointerForRegisteredMem = 1;
  made.hostRegisterSupported = 1;
  made.cooperativeLaunch = 1;
  made.computePreemptionSupported = 1;
  made.memoryPoolsSupported = 1;
  made.ipcEventSupported = 1;
  made.singleToDoublePrecisionPerfRatio = 2;
  made.pciDeviceID = number;
  return made;
}

}  // namespace

Device::Device(int ordinal, int number)
    : ordinal(ordinal),
      number(number),
      properties_(make_properties(number)),
      default_stream_(std::make_shared<Stream>(*this, simtStreamDefault, 0, /*legacy=*/true)) {}

int Device::count() { return static_cast<int>(all().size()); }

Device* Device::get(int ordinal) {
  return ordinal >= 0 && ordinal < count() ? all()[static_cast<std::size_t>(ordinal)].get()
                                           : nullptr;
}

Device* Device::with_number(int number) {
  const auto found = std::find_if(all().begin(), all().end(),
                                  [&](const auto& device) { return device->number == number; });
  return found == all().end() ? nullptr : found->get();
}

Device& Device::current() { return *all()[static_cast<std::size_t>(current_device)]; }
int Device::current_ordinal() { return current_device; }

simtError_t Device::set_current(int ordinal) {
  if (count() == 0) return simtErrorNoDevice;
  if (get(ordinal) == nullptr) return simtErrorInvalidDevice;
  current_device = ordinal;
  return simtSuccess;
}

std::shared_ptr<Stream> Device::make_stream(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(*this, flags, priority, /*legacy=*/false);
  const auto add = [&stream](std::vector<std::weak_ptr<Stream>>& known) {
    const auto expired = [](const auto& one) { return one.expired(); };
    known.erase(std::remove_if(known.begin(), known.end(), expired), known.end());
    known.push_back(stream);
  };
  const std::lock_guard lock(mutex_);
  add(streams_);
  if ((flags & simtStreamNonBlocking) == 0) add(blocking_streams_);
  return stream;
}

std::vector<std::shared_ptr<Stream>> Device::streams() const {
  std::vector<std::shared_ptr<Stream>> live{default_stream_};
  const std::lock_guard lock(mutex_);
  for (const auto& known : streams_) {
    if (auto stream = known.lock()) live.push_back(std::move(stream));
  }
  return live;
}

std::uint64_t Device::submit(const std::shared_ptr<Stream>& stream,
                             std::shared_ptr<const Work> work, std::vector<Dependency> after) {
  if ((stream->flags & simtStreamNonBlocking) != 0)
    return stream->push(std::move(work), std::move(after));
  const std::lock_guard lock(order_mutex_);
  if (stream->legacy) {
    for (auto& pending : pending_of_blocking_streams()) after.push_back(std::move(pending));
  } else {
    const std::uint64_t last = default_stream_->last();
    if (last > stream->legacy_seen && !default_stream_->reached(last))
      after.push_back({default_stream_, last});
    stream->legacy_seen = last;
  }
  return stream->push(std::move(work), std::move(after));
}

std::vector<Dependency> Device::pending_of_blocking_streams() const {
  std::vector<Dependency> pending;
  const std::lock_guard lock(mutex_);
  for (const auto& known : blocking_streams_) {
    auto stream = known.lock();
    if (stream == nullptr) continue;
    const std::uint64_t last = stream->last();
    if (!stream->reached(last)) pending.push_back({std::move(stream), last});
  }
  return pending;
}

void Device::synchronize(const std::shared_ptr<Stream>& stream) {
  if (stream->legacy) {
    for (const auto& pending : pending_of_blocking_streams()) pending.stream->wait(pending.count);
  }
  stream->wait(stream->last());
}

bool Device::is_idle(const std::shared_ptr<Stream>& stream) const {
  const bool idle = stream->idle() && (!stream->legacy || pending_of_blocking_streams().empty());
  if (check::active && idle) check::host_waited(*stream, stream->last());
  return idle;
}

void Device::synchronize() {
  for (const auto& stream : streams()) stream->wait(stream->last());
}

void Device::set_sticky(simtError_t error) {
  simtError_t none = simtSuccess;
  sticky_.compare_exchange_strong(none, error);
  note_fault_of_process();
}

void Device::reset() { sticky_.store(simtSuccess); }

}  // namespace simtrt
