// Buffers of the profiler, and the records in them.
//
// Ownership: the profiler owns a buffer before it hands it over and after it gets it back; Buffers
// owns it in between. Buffers is one object that is never destroyed.
// Threads: any thread. The profiler's callbacks are called under the mutex, so they must not write
// records. Memory ordering: the mutex; there are no atomics.
#pragma once

#include <simtpti.h>

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace simtrt::activity {

/// The buffer that records are written into. A full one goes back to the profiler at once.
class Buffers {
 public:
  static Buffers& instance();

  void set_callbacks(SIMTpti_BuffersCallbackRequestFunc request,
                     SIMTpti_BuffersCallbackCompleteFunc complete);
  bool has_callbacks() const;

  template <class Record>
  void write(const Record& record) {
    write(&record, sizeof record);
  }
  void flush();
  std::size_t take_dropped();

  /// The record after `record` in a buffer that was given back, the first one after null; null
  /// behind the last.
  static SIMTpti_Activity* next(std::uint8_t* buffer, std::size_t valid, SIMTpti_Activity* record);

 private:
  void write(const void* record, std::size_t size);
  bool make_room(std::size_t size);
  void give_back();

  mutable std::mutex mutex_;
  SIMTpti_BuffersCallbackRequestFunc request_ = nullptr;
  SIMTpti_BuffersCallbackCompleteFunc complete_ = nullptr;
  std::uint8_t* buffer_ = nullptr;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t records_left_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace simtrt::activity
