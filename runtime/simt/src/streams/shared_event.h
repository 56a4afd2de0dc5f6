// Events that several processes record and wait for (simtEventInterprocess). The state of an event
// is a slot in a file without a name, which the processes map.
//
// A slot has the numbers of the last record and of the last record that a stream has reached. Each
// process that uses the file holds a lock on the byte with its own process number. The kernel
// releases the lock when the process ends, also when it is killed: a wait for the record of a process that
// has ended fails, and does not hang.
//
// Ownership: an event shares ownership of the file. The process that made a file never destroys it,
// and reuses its slots.
// Threads: any thread, and threads of other processes. A mutex protects the tables of files.
// Memory ordering: the atomics of a slot are sequentially consistent.
#pragma once

#include "process/shared_file.h"

#include <simt_runtime_api.h>

#include <sys/types.h>

#include <cstdint>
#include <memory>

namespace simtrt {

struct EventFile;
struct EventSlot;

/// Content of a simtIpcEventHandle_t.
struct EventHandle {
  char magic[8];
  FileAddress file;
  std::uint64_t generation;  ///< distinguishes the events that use a slot one after the other
  std::uint32_t slot;
  std::uint32_t unused;
};
static_assert(sizeof(EventHandle) <= sizeof(simtIpcEventHandle_t));

/// View of one process on the state of an event.
class SharedEvent {
 public:
  /// One record of the event, by its number and its process; the number is 0 before the first record.
  struct Record {
    std::uint64_t number = 0;
    pid_t process = 0;
  };

  /// Makes an event. Returns null without memory or descriptors.
  static std::shared_ptr<SharedEvent> make();
  /// Opens an event of another process. Errors: simtErrorInvalidValue for bytes that are no handle,
  /// simtErrorDeviceUninitialized for a handle of this process, simtErrorInvalidResourceHandle if the process has ended
  /// or has destroyed the event, simtErrorMapBufferObjectFailed without address space.
  static simtError_t open(const EventHandle& handle, std::shared_ptr<SharedEvent>* event);

  SharedEvent(std::shared_ptr<EventFile> file, std::uint32_t slot, bool own);
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent();

  /// True in the process that made the event.
  bool is_own() const { return own_; }
  EventHandle handle() const;

  /// Begins a record by this process and returns its number.
  std::uint64_t begin_record();
  /// Called when a stream has reached a record, or will not reach it because of a fault (`reached` is
  /// false).
  void end_record(std::uint64_t number, bool reached);

  Record last() const;
  bool is_reached(const Record& record) const;
  /// Result of a record: simtSuccess if a stream has reached it, simtErrorNotReady, or
  /// simtErrorLaunchFailure if none will reach it: its process has ended, or its device has a fault.
  simtError_t state(const Record& record) const;
  /// Waits until state() is not simtErrorNotReady, and returns it.
  simtError_t wait(const Record& record) const;

 private:
  EventSlot& slot() const;

  const std::shared_ptr<EventFile> file_;
  const std::uint32_t slot_;
  const bool own_;
  const std::uint64_t generation_;
};

}  // namespace simtrt
