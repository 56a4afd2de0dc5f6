// Devices: their number, properties and default streams, and the error that a failed kernel leaves.
//
// Ownership: devices are made at the first use and never destroyed. A device owns its default stream
// and knows its other streams by weak references.
// Threads: any thread. current() and set_current() are about the calling thread.
// Memory ordering: `sticky_` keeps the first error until reset(): it is set by a compare-exchange
// and read by acquire. A thread that
// sees the error sees what came before it. `flags` is a number that orders nothing else. The list of
// streams belongs to `mutex_`; the order of default and other streams to `order_mutex_`.
#pragma once

#include "streams/stream.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace simtrt {

class MemoryPool;

class Device {
 public:
  explicit Device(int ordinal);

  /// SIMT_DEVICE_COUNT of them, 1 where that is not set.
  static int count();
  /// The device with this number; null where there is none.
  static Device* get(int ordinal);
  /// Of the calling thread: simtSetDevice.
  static Device& current();
  static int current_ordinal();
  static simtError_t set_current(int ordinal);

  const simtDeviceProp& properties() const { return properties_; }
  simtError_t attribute(simtDeviceAttr attribute, int* value) const;

  const std::shared_ptr<Stream>& default_stream() const { return default_stream_; }
  std::shared_ptr<Stream> make_stream(unsigned flags, int priority);
  /// All streams that may have work on them, the default one included.
  std::vector<std::shared_ptr<Stream>> streams() const;

  /// Puts work on a stream of this device, after what the default stream's rules ask for: it waits
  /// for all streams that are not simtStreamNonBlocking, and they for it.
  std::uint64_t submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Work> work,
                       std::vector<Dependency> after = {});
  /// Waits until all that was put on the device is done.
  void synchronize();
  /// Waits until all that was put on a stream is done; of the default stream all that it waits for,
  /// too.
  void synchronize(const std::shared_ptr<Stream>& stream);
  bool is_idle(const std::shared_ptr<Stream>& stream) const;

  /// The error of a kernel that failed: all calls give it until simtDeviceReset. simtSuccess while
  /// there is none.
  simtError_t sticky() const { return sticky_.load(std::memory_order_acquire); }
  void set_sticky(simtError_t error);
  /// Forgets the error; memory and streams are the caller's to free.
  void reset();

  const int ordinal;
  std::atomic<unsigned> flags{simtDeviceScheduleAuto | simtDeviceMapHost};

 private:
  /// Work that is not done on the streams that are not simtStreamNonBlocking, without the default one.
  std::vector<Dependency> pending_of_blocking_streams() const;

  simtDeviceProp properties_;
  std::shared_ptr<Stream> default_stream_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_;
  std::mutex order_mutex_;
  std::atomic<simtError_t> sticky_{simtSuccess};
};

}  // namespace simtrt
