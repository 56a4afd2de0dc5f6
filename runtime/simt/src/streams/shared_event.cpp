// Sources: fcntl_locking(2), futex(2).
#include "streams/shared_event.h"

#include "process/runtime_thread.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <ctime>
#include <mutex>
#include <vector>

namespace simtrt {

/// State of one event.
struct alignas(64) EventSlot {
  std::atomic<std::uint64_t> generation;
  std::atomic<std::uint64_t> last;     ///< number and process of the last record
  std::atomic<std::uint64_t> reached;  ///< largest number of a record that a stream has reached
  std::atomic<std::uint64_t> failed;   ///< largest number of a record that no stream will reach
  std::atomic<std::uint32_t> changes;  ///< futex on which waiting threads sleep
};

/// Mapped file of events. The descriptor stays open: the process's lock ends when the process closes
/// any descriptor of the file, so that each file is opened once.
struct EventFile {
  int descriptor = -1;
  FileAddress address;
  EventSlot* slots = nullptr;

  ~EventFile();
};

namespace {

constexpr char kMagic[9] = "SIMTIPCE";
constexpr std::uint32_t kSlots = 256;
constexpr std::size_t kFileBytes = kSlots * sizeof(EventSlot);
/// Numbers of processes are smaller (proc(5), kernel.pid_max: at most 2^22).
constexpr unsigned kProcessBits = 23;
constexpr long kCheckNanoseconds = 50'000'000;  ///< time between tests whether a process lives

struct Files {
  std::mutex mutex;
  std::vector<std::weak_ptr<EventFile>> opened;  ///< files of other processes
  std::shared_ptr<EventFile> current;            ///< file of this process with unused slots
  std::uint32_t used = kSlots;                   ///< number of slots of `current` that were used
  std::vector<std::pair<std::shared_ptr<EventFile>, std::uint32_t>> free;
};
Files& files() {
  static Files& all = *new Files();
  return all;
}

struct flock lock_of(pid_t process) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = process;
  lock.l_len = 1;
  return lock;
}

bool is_alive(const EventFile& file, pid_t process) {
  if (process == getpid()) return true;
  struct flock lock = lock_of(process);
  return fcntl(file.descriptor, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

// Takes over the descriptor. Returns null without address space.
std::shared_ptr<EventFile> map_file(int descriptor, const FileAddress& address) {
  auto file = std::make_shared<EventFile>();
  file->descriptor = descriptor;
  file->address = address;
  void* slots = mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (slots == MAP_FAILED) return nullptr;
  file->slots = static_cast<EventSlot*>(slots);
  struct flock lock = lock_of(getpid());
  return fcntl(descriptor, F_SETLK, &lock) == 0 ? file : nullptr;
}

void raise_to(std::atomic<std::uint64_t>& value, std::uint64_t number) {
  std::uint64_t before = value.load();
  while (before < number && !value.compare_exchange_weak(before, number)) {
  }
}

void wake(EventSlot& slot) {
  slot.changes.fetch_add(1);
  syscall(SYS_futex, &slot.changes, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

simtError_t find_file(const EventHandle& handle, std::shared_ptr<EventFile>* found) {
  Files& all = files();
  const std::lock_guard lock(all.mutex);
  auto& opened = all.opened;
  for (auto it = opened.begin(); it != opened.end();) {
    *found = it->lock();
    if (*found != nullptr && (*found)->address.same_file(handle.file)) return simtSuccess;
    it = *found == nullptr ? opened.erase(it) : std::next(it);
  }
  const int descriptor = open_shared_file(handle.file);
  if (descriptor < 0) return simtErrorInvalidResourceHandle;
  if (size_of_file(descriptor) != kFileBytes) {
    close(descriptor);
    return simtErrorInvalidValue;
  }
  *found = map_file(descriptor, handle.file);
  if (*found == nullptr) return simtErrorMapBufferObjectFailed;
  opened.push_back(*found);
  return simtSuccess;
}

}  // namespace

EventFile::~EventFile() {
  if (slots != nullptr) munmap(slots, kFileBytes);
  close(descriptor);
}

std::shared_ptr<SharedEvent> SharedEvent::make() {
  Files& all = files();
  const std::lock_guard lock(all.mutex);
  if (!all.free.empty()) {
    const auto [file, slot] = all.free.back();
    all.free.pop_back();
    return std::make_shared<SharedEvent>(file, slot, true);
  }
  if (all.used == kSlots) {
    const int descriptor = make_shared_file("simt-events", kFileBytes);
    auto made = descriptor < 0 ? nullptr : map_file(descriptor, address_of_file(descriptor));
    if (made == nullptr) return nullptr;
    all.current = std::move(made);
    all.used = 0;
  }
  return std::make_shared<SharedEvent>(all.current, all.used++, true);
}

simtError_t SharedEvent::open(const EventHandle& handle, std::shared_ptr<SharedEvent>* event) {
  if (std::memcmp(handle.magic, kMagic, sizeof handle.magic) != 0 || handle.slot >= kSlots)
    return simtErrorInvalidValue;
  if (handle.file.process == getpid()) return simtErrorDeviceUninitialized;
  std::shared_ptr<EventFile> file;
  if (const simtError_t error = find_file(handle, &file)) return error;
  if (file->slots[handle.slot].generation.load() != handle.generation)
    return simtErrorInvalidResourceHandle;
  *event = std::make_shared<SharedEvent>(std::move(file), handle.slot, false);
  return simtSuccess;
}

SharedEvent::SharedEvent(std::shared_ptr<EventFile> file, std::uint32_t slot, bool own)
    : file_(std::move(file)),
      slot_(slot),
      own_(own),
      generation_(file_->slots[slot].generation.load()) {}

SharedEvent::~SharedEvent() {
  if (!own_) return;
  // Other processes see the new generation, and no longer wait for the slot.
  slot().generation.fetch_add(1);
  slot().last.store(0);
  slot().reached.store(0);
  slot().failed.store(0);
  wake(slot());
  Files& all = files();
  const std::lock_guard lock(all.mutex);
  all.free.emplace_back(file_, slot_);
}

EventSlot& SharedEvent::slot() const { return file_->slots[slot_]; }

EventHandle SharedEvent::handle() const {
  EventHandle made{};
  std::memcpy(made.magic, kMagic, sizeof made.magic);
  made.file = file_->address;
  made.generation = generation_;
  made.slot = slot_;
  return made;
}

std::uint64_t SharedEvent::begin_record() {
  std::uint64_t before = slot().last.load();
  const auto process = static_cast<std::uint64_t>(getpid());
  for (;;) {
    const std::uint64_t number = (before >> kProcessBits) + 1;
    if (slot().last.compare_exchange_weak(before, number << kProcessBits | process)) return number;
  }
}

void SharedEvent::end_record(std::uint64_t number, bool reached) {
  if (slot().generation.load() != generation_) return;
  raise_to(reached ? slot().reached : slot().failed, number);
  wake(slot());
}

SharedEvent::Record SharedEvent::last() const {
  const std::uint64_t last = slot().last.load();
  if (slot().generation.load() != generation_) return {};
  return {last >> kProcessBits, static_cast<pid_t>(last & ((1U << kProcessBits) - 1))};
}

bool SharedEvent::is_reached(const Record& record) const {
  return record.number <= slot().reached.load() || slot().generation.load() != generation_;
}

simtError_t SharedEvent::state(const Record& record) const {
  if (is_reached(record)) return simtSuccess;
  if (record.number <= slot().failed.load()) return simtErrorLaunchFailure;
  if (is_alive(*file_, record.process)) return simtErrorNotReady;
  // The process may have reached the record before it ended.
  return is_reached(record) ? simtSuccess : simtErrorLaunchFailure;
}

simtError_t SharedEvent::wait(const Record& record) const {
  for (;;) {
    const std::uint32_t changes = slot().changes.load();
    const simtError_t now = state(record);
    if (now != simtErrorNotReady) return now;
    const timespec limit{0, kCheckNanoseconds};
    syscall(SYS_futex, &slot().changes, FUTEX_WAIT, changes, &limit, nullptr, 0);
    stop_if_process_ends();
  }
}

}  // namespace simtrt
