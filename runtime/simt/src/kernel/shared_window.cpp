#include "kernel/shared_window.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <new>

namespace simtrt {
namespace {

constexpr std::uintptr_t kWrap = std::uintptr_t{1} << 32;

// Size of the guards on both sides; a multiple of every page size. Guards reserve addresses only.
constexpr std::size_t kGuard = 1024 * 1024;

// Preferred address of a window, with 512 GiB of free addresses above it. Without a preference, the
// system would choose an address directly below other mappings. Windows of several workers share
// the free range: their addresses differ modulo 2^32. On machines with fewer address bits the
// preference is ignored.
void* wished_place() {
  constexpr std::uintptr_t kFirst = std::uintptr_t{1} << 45;
  constexpr std::uintptr_t kStep = std::uintptr_t{1} << 39;
  constexpr unsigned kPlaces = 64;
  constexpr std::uintptr_t kWindow = std::uintptr_t{1} << 26;
  constexpr unsigned kWindows = kWrap / kWindow;
  static std::atomic<unsigned> next{0};
  const unsigned number = next.fetch_add(1);
  const std::uintptr_t window = number / kPlaces % kWindows;
  return reinterpret_cast<void*>(kFirst + kStep * (number % kPlaces) + kWindow * window);
}

}  // namespace

// Maps the memory as shared, because only a shared mapping can be mapped at a second address.
SharedWindow::SharedWindow(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  size_ = (bytes + page - 1) / page * page;
  void* place = mmap(wished_place(), size_ + 2 * kGuard, PROT_NONE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<char*>(place);
  begin_ = mapping_ + kGuard;
  if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, size_ + 2 * kGuard);
    throw std::bad_alloc();
  }
}

SharedWindow::~SharedWindow() {
  for (std::size_t index = 0; index < alias_count_; ++index) munmap(aliases_[index], size_);
  munmap(mapping_, size_ + 2 * kGuard);
}

bool SharedWindow::reach(const void* address) {
#if defined(MAP_FIXED_NOREPLACE)
  const auto* byte = static_cast<const char*>(address);
  if (byte < begin_ + kWrap || alias_count_ == kMostAliases) return false;
  const auto distance = static_cast<std::uintptr_t>(byte - begin_);
  const std::uintptr_t above = distance / kWrap * kWrap;
  if (distance - above >= size_ || above > kFarthest * kWrap) return false;
  // Reserves the range before replacing it, because another thread may have mapped memory there.
  char* const alias = begin_ + above;
  if (mmap(alias, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) !=
      alias) {
    return false;
  }
  if (mremap(begin_, 0, size_, MREMAP_MAYMOVE | MREMAP_FIXED, alias) != alias) {
    munmap(alias, size_);
    return false;
  }
  aliases_[alias_count_++] = alias;
  return true;
#else
  static_cast<void>(address);
  return false;
#endif
}

}  // namespace simtrt
