#include "memory/shared_mapping.h"

#include "kernel/fault_signals.h"
#include "process/shared_file.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace simtrt {
namespace {

constexpr std::size_t kPage = 4096;

enum class SlotState : int { kFree, kConverting, kConverted };

/// Range of a converted mapping. A write that failed during the conversion may reach its signal handler afterwards, so
/// that converted mappings stay in the list. Slots are reused, never deleted: handlers read the list at any time.
struct Slot {
  std::atomic<SlotState> state{SlotState::kFree};
  std::atomic<const char*> begin{nullptr};
  std::atomic<const char*> end{nullptr};
  Slot* next = nullptr;
};
std::atomic<Slot*> slots{nullptr};

Slot& free_slot() {
  for (Slot* slot = slots.load(); slot != nullptr; slot = slot->next) {
    if (slot->state.load() == SlotState::kFree) return *slot;
  }
  auto* made = new Slot();
  made->next = slots.load();
  slots.store(made, std::memory_order_release);
  return *made;
}

// Sanitizers would report the read: the mapping has bytes between allocations, which are
// inaccessible to programs, and a kernel may write to the page at the same time.
#if defined(__SANITIZE_THREAD__)
__attribute__((no_sanitize("thread")))
#else
__attribute__((no_sanitize("address")))
#endif
bool is_zero(const char* page) {
  const auto* words = reinterpret_cast<const volatile std::uint64_t*>(page);
  for (std::size_t index = 0; index < kPage / sizeof *words; ++index) {
    if (words[index] != 0) return false;
  }
  return true;
}

// Writes all pages that are not zero to the file, which is zeroed: pages that the program never used
// stay without memory. The system call is made directly, because sanitizers check the bytes that the
// C library's function reads.
bool copy_pages(int file, const char* begin, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kPage) {
    if (is_zero(begin + at)) continue;
    if (syscall(SYS_pwrite64, file, begin + at, kPage, at) != static_cast<long>(kPage)) return false;
  }
  return true;
}

// The system call is made directly, because ThreadSanitizer takes a call of mmap for a write of the
// memory, which running kernels read.
bool replace(int file, char* begin, std::size_t bytes) {
  constexpr int kFlags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
  return copy_pages(file, begin, bytes) &&
         syscall(SYS_mmap, begin, bytes, PROT_READ | PROT_WRITE, kFlags, file, 0) ==
             reinterpret_cast<long>(begin);
}

}  // namespace

int convert_to_shared(char* begin, std::size_t bytes) {
  install_fault_handlers();
  const int file = make_shared_file("simt", bytes);
  if (file < 0) return -1;
  Slot& slot = free_slot();
  slot.begin.store(begin);
  slot.end.store(begin + bytes);
  slot.state.store(SlotState::kConverting, std::memory_order_release);
  const bool replaced = mprotect(begin, bytes, PROT_READ) == 0 && replace(file, begin, bytes);
  if (!replaced) mprotect(begin, bytes, PROT_READ | PROT_WRITE);
  // Also after a failure: a thread may be on its way to the signal handler.
  slot.state.store(SlotState::kConverted, std::memory_order_release);
  if (replaced) return file;
  close(file);
  return -1;
}

void forget_shared(const char* begin) {
  for (Slot* slot = slots.load(); slot != nullptr; slot = slot->next) {
    if (slot->state.load() != SlotState::kFree && slot->begin.load() == begin)
      slot->state.store(SlotState::kFree, std::memory_order_release);
  }
}

bool wait_for_conversion(const void* address) {
  const auto* at = static_cast<const char*>(address);
  for (Slot* slot = slots.load(std::memory_order_acquire); slot != nullptr; slot = slot->next) {
    if (slot->state.load(std::memory_order_acquire) == SlotState::kFree) continue;
    if (at < slot->begin.load() || at >= slot->end.load()) continue;
    while (slot->state.load(std::memory_order_acquire) == SlotState::kConverting) sched_yield();
    return true;
  }
  return false;
}

}  // namespace simtrt
