#include "memory/arena.h"

#include "memory/shared_mapping.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <iterator>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace simtrt {
namespace {

constexpr std::size_t kUnit = 512;
constexpr std::size_t kMapping = 2 << 20;
constexpr std::size_t kGuard = 1 << 20;
/// Allocations of at least this size in bytes have their own mapping.
constexpr std::size_t kLarge = 1 << 20;
constexpr std::size_t kPage = 4096;
/// Each guard splits a mapping twice, and Linux limits a process to some 65,000 mappings.
constexpr std::size_t kMostGuards = 16384;
/// Number of empty mappings that are kept for later allocations.
constexpr std::size_t kEmptyMappingsKept = 1;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

char* map(std::size_t bytes) {
  void* whole = mmap(nullptr, kGuard + bytes + kGuard, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  char* begin = static_cast<char*>(whole) + kGuard;
  if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) == 0) return begin;
  munmap(whole, kGuard + bytes + kGuard);
  return nullptr;
}

// Marks the bytes as inaccessible, so that AddressSanitizer detects the first byte of an overrun.
void forbid([[maybe_unused]] char* begin, [[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(begin, size);
#endif
}
void permit([[maybe_unused]] char* begin, [[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(begin, size);
#endif
}

}  // namespace

Arena& Arena::instance() {
  // Never destroyed: the program may free memory while it ends.
  static Arena& arena = *new Arena();
  return arena;
}

char* Arena::allocate(std::size_t bytes) {
  const bool large = bytes > kLarge - kUnit;
  const std::size_t size = round_up(bytes, large ? kMapping : kUnit);
  if (size < bytes) return nullptr;
  const std::lock_guard lock(mutex_);
  char* begin = large ? map(size) : allocate_small(size);
  if (begin == nullptr) return nullptr;
  used_.emplace(begin, size);
  permit(begin, bytes);
  forbid(begin + bytes, size - bytes);
  return begin;
}

char* Arena::allocate_guarded(std::size_t bytes) {
  const std::size_t size = round_up(bytes, kUnit);
  const std::size_t pages = round_up(size, kPage);
  if (size < bytes || pages < size) return nullptr;
  // The block begins anywhere in its first page.
  char* block = allocate(pages + 2 * kPage);
  if (block == nullptr) return nullptr;
  const std::lock_guard lock(mutex_);
  if (guarded_.size() >= kMostGuards) return block;
  auto* first = reinterpret_cast<char*>(round_up(reinterpret_cast<std::uintptr_t>(block), kPage));
  char* guard = first + pages;
  if (mprotect(guard, kPage, PROT_NONE) != 0) return block;
  guarded_[guard - size] = {block, first, guard};
  return guard - size;
}

std::pair<char*, char*> Arena::pages_of(char* begin) {
  const std::lock_guard lock(mutex_);
  const auto it = guarded_.find(begin);
  return it == guarded_.end() ? std::pair<char*, char*>() : std::pair(it->second.pages, it->second.guard);
}

char* Arena::block_of(char* begin) const {
  const auto it = guarded_.find(begin);
  return it == guarded_.end() ? begin : it->second.block;
}

// Makes the guards in a range accessible: its memory is free, or another process is to share it.
void Arena::remove_guards(char* begin, std::size_t size) {
  for (auto& [bytes, one] : guarded_) {
    if (one.block >= begin && one.block < begin + size)
      static_cast<void>(mprotect(one.pages, static_cast<std::size_t>(one.guard - one.pages) + kPage, PROT_READ | PROT_WRITE));
  }
}

void Arena::free(char* begin) {
  const std::lock_guard lock(mutex_);
  if (const auto guarded = guarded_.find(begin); guarded != guarded_.end()) {
    const Guarded one = guarded->second;
    static_cast<void>(mprotect(one.pages, static_cast<std::size_t>(one.guard - one.pages) + kPage, PROT_READ | PROT_WRITE));
    begin = one.block;
    guarded_.erase(guarded);
  }
  const auto it = used_.find(begin);
  const std::size_t size = it->second;
  used_.erase(it);
  if (size < kLarge) return free_small(begin, size);
  permit(begin, size);
  unmap(begin, size);
}

std::size_t Arena::size_of(char* begin) {
  const std::lock_guard lock(mutex_);
  char* block = block_of(begin);
  const auto it = used_.find(block);
  return it == used_.end() ? 0 : it->second - static_cast<std::size_t>(begin - block);
}

char* Arena::allocate_small(std::size_t size) {
  auto fitting = free_by_size_.lower_bound({size, nullptr});
  if (fitting == free_by_size_.end()) {
    char* mapping = map(kMapping);
    if (mapping == nullptr) return nullptr;
    forbid(mapping, kMapping);
    small_mappings_.insert(mapping);
    ++empty_mappings_;
    add_free(mapping, kMapping);
    fitting = free_by_size_.lower_bound({size, nullptr});
  }
  const auto [whole, begin] = *fitting;
  if (whole == kMapping) --empty_mappings_;
  remove_free(begin, whole);
  if (whole > size) add_free(begin + size, whole - size);
  return begin;
}

// Merges the range with free neighbours. Ranges of different mappings never merge, because guards separate mappings.
void Arena::free_small(char* begin, std::size_t size) {
  forbid(begin, size);
  const auto next = free_by_begin_.find(begin + size);
  if (next != free_by_begin_.end()) {
    const std::size_t more = next->second;
    remove_free(begin + size, more);
    size += more;
  }
  const auto behind = free_by_begin_.lower_bound(begin);
  if (behind != free_by_begin_.begin()) {
    const auto [before, length] = *std::prev(behind);
    if (before + length == begin) {
      remove_free(before, length);
      begin = before;
      size += length;
    }
  }
  if (size == kMapping && empty_mappings_ == kEmptyMappingsKept) {
    permit(begin, size);
    small_mappings_.erase(begin);
    return unmap(begin, size);
  }
  if (size == kMapping) ++empty_mappings_;
  add_free(begin, size);
}

std::optional<Arena::Shared> Arena::share(char* begin) {
  const std::lock_guard lock(mutex_);
  char* block = block_of(begin);
  const std::size_t size = used_.at(block);
  char* mapping = size < kLarge ? *std::prev(small_mappings_.upper_bound(block)) : block;
  auto known = shared_files_.find(mapping);
  if (known == shared_files_.end()) {
    remove_guards(mapping, size < kLarge ? kMapping : size);
    const int file = convert_to_shared(mapping, size < kLarge ? kMapping : size);
    if (file < 0) return std::nullopt;
    known = shared_files_.emplace(mapping, file).first;
  }
  return Shared{known->second, static_cast<std::size_t>(begin - mapping)};
}

// Other processes keep the file of a shared mapping as long as they use it.
void Arena::unmap(char* begin, std::size_t size) {
  forget_shared(begin);
  munmap(begin - kGuard, kGuard + size + kGuard);
  const auto shared = shared_files_.find(begin);
  if (shared == shared_files_.end()) return;
  close(shared->second);
  shared_files_.erase(shared);
}

void Arena::add_free(char* begin, std::size_t size) {
  free_by_begin_.emplace(begin, size);
  free_by_size_.emplace(size, begin);
}

void Arena::remove_free(char* begin, std::size_t size) {
  free_by_begin_.erase(begin);
  free_by_size_.erase({size, begin});
}

}  // namespace simtrt
