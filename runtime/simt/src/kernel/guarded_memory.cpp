#include "kernel/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace simtrt {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

GuardedMemory::GuardedMemory(std::size_t bytes)
    : size_((bytes + page_size() - 1) / page_size() * page_size()) {
  const std::size_t page = page_size();
  void* mapping = mmap(nullptr, size_ + 2 * page, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<char*>(mapping) + page;
  if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, size_ + 2 * page);
    throw std::bad_alloc();
  }
}

GuardedMemory::~GuardedMemory() { munmap(begin_ - page_size(), size_ + 2 * page_size()); }

bool GuardedMemory::guards_below(const void* address) const {
  const auto* byte = static_cast<const char*>(address);
  return byte >= begin_ - page_size() && byte < begin_;
}

}  // namespace simtrt
