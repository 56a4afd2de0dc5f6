// Devices: their number, properties and default streams, and the error that a failed kernel leaves.
//
// Ownership: the first use creates the devices, and they are never destroyed. A device owns its
// default stream; it has weak references to its other streams.
// Threads: any thread. current() and set_current() concern the calling thread.
// Memory ordering: `sticky_` has the first error until reset(). A compare-exchange sets it, and an
// acquire load reads it: a thread that sees the error also sees all earlier writes of the thread
// that set it. `flags` is a number that orders no other access. `mutex_` guards the lists of
// streams. `order_mutex_` guards submissions that order the default stream and other streams.
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
  Device(int ordinal, int number);

  /// Number of devices that the process sees: those of SIMT_DEVICE_COUNT (1 if the variable is unset) that
  /// SIMT_VISIBLE_DEVICES lists.
  static int count();
  /// Device with this ordinal; null for an invalid ordinal.
  static Device* get(int ordinal);
  /// Device with this number of the machine; null if the process does not see the device.
  static Device* with_number(int number);
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

  /// Submits work to a stream of this device and applies the rules of the default stream: work of
  /// the default stream waits for all streams that are not simtStreamNonBlocking, and work of these
  /// streams waits for the default stream.
  std::uint64_t submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Work> work,
                       std::vector<Dependency> after = {});
  /// Waits until all submitted work of the device is complete.
  void synchronize();
  /// Waits until all submitted work of a stream is complete; for the default stream, also the work
  /// of the streams for which the default stream waits.
  void synchronize(const std::shared_ptr<Stream>& stream);
  bool is_idle(const std::shared_ptr<Stream>& stream) const;

  /// Error of a failed kernel, which all calls return until simtDeviceReset; simtSuccess if no
  /// kernel has failed.
  simtError_t sticky() const { return sticky_.load(std::memory_order_acquire); }
  void set_sticky(simtError_t error);
  /// Clears the error. The caller frees the device's memory and streams.
  void reset();

  const int ordinal;  ///< number in this process
  const int number;   ///< number in the machine, the same in all processes
  std::atomic<unsigned> flags{simtDeviceScheduleAuto | simtDeviceMapHost};

 private:
  /// Incomplete work of the streams that are not simtStreamNonBlocking, without the default stream.
  std::vector<Dependency> pending_of_blocking_streams() const;

  simtDeviceProp properties_;
  std::shared_ptr<Stream> default_stream_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_;           ///< all but the default stream
  std::vector<std::weak_ptr<Stream>> blocking_streams_;  ///< those that are not simtStreamNonBlocking
  std::mutex order_mutex_;
  std::atomic<simtError_t> sticky_{simtSuccess};
};

}  // namespace simtrt
