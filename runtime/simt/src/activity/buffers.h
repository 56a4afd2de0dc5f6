// Buffers of the profiler, and their records.
//
// Ownership: Buffers owns a buffer while the profiler has lent it; before and after that time, the
// profiler owns the buffer. Buffers is one object that is never destroyed.
// Threads: any thread. The profiler's callbacks run under the mutex and therefore must not write
// records.
// Memory ordering: a mutex protects all data; there are no atomics.
#pragma once

#include <simtpti.h>

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace simtrt::activity {

/// Manages the buffer that receives records. A full buffer is returned to the profiler immediately.
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

  /// Record after `record` in a returned buffer; the first record if `record` is null; null after
  /// the last record.
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
