#include "kernel/static_shared.h"

#include "check/events.h"
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace simtrt {
namespace {

// Pointer to the thread's object, or null: a single load shows if the thread has an object. A
// thread-local object would need a check of its initialisation at each access.
__attribute__((tls_model("initial-exec"))) thread_local StaticShared* known = nullptr;

/// Frees the thread's copies when the thread ends.
struct Owner {
  StaticShared object;
  ~Owner() { known = nullptr; }
};

int add_zero_segments(dl_phdr_info* module, std::size_t, void* found) {
  for (int index = 0; index < module->dlpi_phnum; ++index) {
    const auto& header = module->dlpi_phdr[index];
    if (header.p_type != PT_LOAD || header.p_memsz <= header.p_filesz) continue;
    static_cast<std::vector<ZeroSegment>*>(found)->push_back(
        {module->dlpi_addr + header.p_vaddr + header.p_filesz, header.p_memsz - header.p_filesz});
  }
  return 0;
}

[[noreturn]] void end_process(const char* why) {
  std::fprintf(stderr, "simt: static shared memory: %s\n", why);
  std::abort();
}

}  // namespace

StaticShared& StaticShared::of_thread() {
  if (known == nullptr) {
    thread_local Owner owner;
    known = &owner.object;
  }
  return *known;
}

std::ptrdiff_t StaticShared::distance_of_new(std::uintptr_t variable, std::size_t bytes) {
  // Largest page size of supported systems. The copy begins at the same offset in its page as the
  // variables, which preserves their alignment.
  constexpr std::uintptr_t kPage = 64 * 1024;
  std::vector<ZeroSegment> segments;
  dl_iterate_phdr(add_zero_segments, &segments);
  const auto is_loaded = [&](const Copy& copy) {
    return std::find(segments.begin(), segments.end(), copy.segment) != segments.end();
  };
  // Removes copies of unloaded modules, because a module that is loaded later may occupy their
  // addresses.
  copies_.erase(std::partition(copies_.begin(), copies_.end(), is_loaded), copies_.end());
  const auto here = std::find_if(segments.begin(), segments.end(), [&](const ZeroSegment& one) {
    return one.holds(variable, bytes);
  });
  if (here == segments.end()) end_process("a variable lies outside of its module's zeros");
  try {
    const std::uintptr_t begin = here->begin / kPage * kPage;
    auto memory = std::make_unique<SharedWindow>(here->begin - begin + here->bytes);
    const auto distance = reinterpret_cast<std::intptr_t>(memory->begin()) -
                          static_cast<std::intptr_t>(begin);
    copies_.push_back({*here, distance, std::move(memory)});
    return distance;
  } catch (const std::bad_alloc&) {
    end_process("the machine has no memory left for it");
  }
}

void StaticShared::note_variable(std::uintptr_t variable, std::size_t bytes) const {
  for (const Copy& copy : copies_) {
    if (!copy.segment.holds(variable, bytes)) continue;
    const auto window = reinterpret_cast<std::uintptr_t>(copy.memory->begin());
    check::shared_variable(window, copy.memory->size(), variable + static_cast<std::uintptr_t>(copy.distance), bytes);
  }
}

bool StaticShared::holds(const volatile void* address) {
  return known != nullptr &&
         std::any_of(known->copies_.begin(), known->copies_.end(),
                     [&](const Copy& copy) { return copy.memory->holds(address); });
}

bool StaticShared::reach(const void* address) {
  return known != nullptr &&
         std::any_of(known->copies_.begin(), known->copies_.end(),
                     [&](Copy& copy) { return copy.memory->reach(address); });
}

}  // namespace simtrt

std::ptrdiff_t simtrt_shared_distance(const void* variable, std::size_t bytes) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(variable);
  auto& memory = simtrt::StaticShared::of_thread();
  const std::ptrdiff_t distance = memory.distance(address, bytes);
  if (simtrt::check::active) memory.note_variable(address, bytes);
  return distance;
}
