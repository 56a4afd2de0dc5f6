#include "kernel/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <new>

namespace simtrt {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Size of the lower guard. A frame larger than the guard may reach beyond it, into other memory.
// The guard reserves addresses, but occupies no memory.
constexpr std::size_t kGuardBelow = 1024 * 1024;

// Every guard splits a mapping, and Linux limits a process to some 65,000 mappings. Thousands of
// stacks on a machine with very many cores could exceed that limit. When the guards of the process
// reach half the limit, further stacks have no guards: the kernel can then run, but without
// detection of overruns.
std::atomic<long> guards_in_use{0};

long guards_to_have() {
  static const long limit = [] {
    std::ifstream file("/proc/sys/vm/max_map_count");
    long mappings = 65530;  // Linux's default (Documentation/admin-guide/sysctl/vm.rst)
    file >> mappings;
    return mappings / 2;
  }();
  return limit;
}

}  // namespace

GuardedMemory::GuardedMemory(std::size_t bytes)
    : size_((bytes + page_size() - 1) / page_size() * page_size()) {
  void* mapping = mmap(nullptr, kGuardBelow + size_ + page_size(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  begin_ = static_cast<char*>(mapping) + kGuardBelow;
  if (guards_in_use.fetch_add(2) >= guards_to_have()) return;
  static_cast<void>(mprotect(mapping, kGuardBelow, PROT_NONE));
  static_cast<void>(mprotect(begin_ + size_, page_size(), PROT_NONE));
}

GuardedMemory::~GuardedMemory() {
  munmap(begin_ - kGuardBelow, kGuardBelow + size_ + page_size());
  guards_in_use.fetch_sub(2);
}

bool GuardedMemory::guards_below(const void* address) const {
  const auto* byte = static_cast<const char*>(address);
  return byte >= begin_ - kGuardBelow && byte < begin_;
}

}  // namespace simtrt
