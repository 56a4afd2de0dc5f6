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

  /// Number of devices: SIMT_DEVICE_COUNT; 1 if it is unset.
  static int count();
  /// Device with this number; null for an invalid number.
  static Device* get(int ordinal);
  /// Current device of the calling thread (simtSetDevice).
  static Device& current();
  static int current_ordinal();
  static simtError_t set_current(int ordinal);

  const simtDeviceProp& properties() const { return properties_; }
  simtError_t attribute(simtDeviceAttr attribute, int* value) const;

  const std::shared_ptr<Stream>& default_stream() const { return default_stream_; }
  std::shared_ptr<Stream> make_stream(unsigned flags, int priority);
  /// All streams that may have work, including the default stream.
  std::vector<std::shared_ptr<Stream>> streams() const;

  /// Submits work to a stream of this device and applies the rules of the default stream: its work waits for all
  /// streams that are not simtStreamNonBlocking, and their work waits for it.
  std::uint64_t submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Work> work,
                       std::vector<Dependency> after = {});
  /// Waits until all submitted work of the device is complete.
  void synchronize();
  /// Waits until all submitted work of a stream is complete; for the default stream, also the work for which it waits.
  void synchronize(const std::shared_ptr<Stream>& stream);
  bool is_idle(const std::shared_ptr<Stream>& stream) const;

  /// Error of a failed kernel, which all calls return until simtDeviceReset; simtSuccess without one.
  simtError_t sticky() const { return sticky_.load(std::memory_order_acquire); }
  void set_sticky(simtError_t error);
  /// Clears the error. The caller must free memory and streams.
  void reset();

  const int ordinal;
  std::atomic<unsigned> flags{simtDeviceScheduleAuto | simtDeviceMapHost};

 private:
  /// Incomplete work of the streams that are not simtStreamNonBlocking, without the default stream.
  std::vector<Dependency> pending_of_blocking_streams() const;

  simtDeviceProp properties_;
  std::shared_ptr<Stream> default_stream_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_;
  std::mutex order_mutex_;
  std::atomic<simtError_t> sticky_{simtSuccess};
};

}  // namespace simtrt
