// Allocations, frees, copies and shared memory.
#include "check/access.h"
#include "check/events.h"
#include "check/host_protection.h"
#include "check/races.h"
#include "check/session.h"
#include "kernel/block_scheduler.h"
#include "memory/arena.h"
#include "memory/copy.h"
#include "memory/memory.h"
#include "process/loaded_module.h"
#include "streams/stream.h"

#include <simtrt/check_access.h>

#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace simtrt::check {
namespace {

const char* name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kManaged: return "managed memory";
    case MemoryKind::kHost: return "pinned memory";
    default: return "device memory";
  }
}

/// Writable memory of a module, for the kernels' accesses to __device__ variables.
int add_writable(dl_phdr_info* module, std::size_t, void* address) {
  bool here = false;
  for (int index = 0; index < module->dlpi_phnum; ++index) {
    const auto& header = module->dlpi_phdr[index];
    const std::uintptr_t begin = module->dlpi_addr + header.p_vaddr;
    here = here || (header.p_type == PT_LOAD && place(address) - begin < header.p_memsz);
  }
  for (int index = 0; here && index < module->dlpi_phnum; ++index) {
    const auto& header = module->dlpi_phdr[index];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    check::Region region;
    region.begin = module->dlpi_addr + header.p_vaddr;
    region.end = region.limit = region.begin + header.p_memsz;
    region.space = Space::kVariable;
    region.name = "the program's variables";
    region.host_may_access = true;
    if (Regions::instance().find(region.begin) == nullptr) Regions::instance().add(std::move(region));
  }
  return here ? 1 : 0;
}

/// Addresses in the modules that contain instrumented code. The lock guards the list.
std::vector<const void*>& instrumented_modules() {
  static auto& made = *new std::vector<const void*>();
  return made;
}

std::atomic<bool> is_instrumented{false};

/// Region of an allocation, without bytes behind it.
check::Region region_of(const Allocation& allocation) {
  check::Region region;
  region.begin = place(allocation.begin);
  region.end = region.limit = region.begin + allocation.size;
  region.name = name_of(allocation.kind);
  region.host_may_access = allocation.kind != MemoryKind::kDevice;
  return region;
}

void check_rows(Context& here, const simtrt::Region& rows, const Extent& extent, unsigned flags) {
  const std::uint32_t site = site_of(reinterpret_cast<const void*>(call_of(here.run)));
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y)
      check_range(here, place(rows.begin + z * rows.slice + y * rows.pitch), extent.width, flags, site);
  }
}

}  // namespace

bool uses_guard_pages() { return (kinds.memory || kinds.host) && !is_instrumented; }

void add_module(const void* address_in_module) {
  const std::lock_guard guard(lock());
  instrumented_modules().push_back(address_in_module);
  is_instrumented = true;
  if (kinds.race) dl_iterate_phdr(add_writable, const_cast<void*>(address_in_module));
}

bool is_instrumented_code(const void* address) {
  const void* const code = module_at(address).begin;
  const std::lock_guard guard(lock());
  const auto& modules = instrumented_modules();
  return code != nullptr &&
         std::any_of(modules.begin(), modules.end(), [&](const void* one) { return module_at(one).begin == code; });
}

void add_known_memory() {
  if (kinds.race) {
    const std::lock_guard guard(lock());
    for (const void* address : instrumented_modules()) dl_iterate_phdr(add_writable, const_cast<void*>(address));
  }
  for (const Allocation& allocation : MemoryMap::instance().all()) {
    if (allocation.kind == MemoryKind::kSymbol || allocation.kind == MemoryKind::kRegistered) continue;
    Regions::instance().add(region_of(allocation));
  }
}

void allocated(const Allocation& allocation) {
  check::Region region = region_of(allocation);
  // A block of a pool may be older than the session, without a red zone.
  region.limit = std::max(region.end, std::min(region.end + kRedZone,
                                               region.begin + Arena::instance().size_of(allocation.begin)));
  region.tracks_writes = kinds.init && allocation.kind == MemoryKind::kDevice;
  region.allocated_at = program_frames();
  if (kinds.host && allocation.kind == MemoryKind::kDevice) protect_from_host(allocation.begin);
  const std::lock_guard guard(lock());
  Regions::instance().add(std::move(region));
}

void freed(const Allocation& allocation) {
  if (kinds.host) forget_protection(allocation.begin);
  auto frames = program_frames();
  const std::lock_guard guard(lock());
  const auto region = Regions::instance().find(place(allocation.begin));
  if (region == nullptr) return;
  region->freed = true;
  region->freed_at = std::move(frames);
  Regions::instance().changed(*region);
}

void forgotten(const void* begin) {
  const std::lock_guard guard(lock());
  Regions::instance().remove(place(begin));
}

void freed_in_stream(const void* begin, const Stream& stream, std::uint64_t number) {
  auto frames = program_frames();
  const std::lock_guard guard(lock());
  const auto region = Regions::instance().find(place(begin));
  if (region == nullptr) return;
  region->freeing_stream = stream.id;
  region->freeing_number = number;
  Regions::instance().changed(*region);
  region->freed_at = std::move(frames);
}

void bad_free(const void* pointer) {
  if (!kinds.memory) return;
  auto frames = program_frames();
  const std::lock_guard guard(lock());
  const auto region = Regions::instance().find(place(pointer));
  const bool twice = region != nullptr && (region->freed || region->freeing_number != 0) && region->begin == place(pointer);
  Finding finding{"memory", twice ? "double-free" : "invalid-free",
                  twice ? "memory is freed again" : "a pointer is freed that no allocation returned",
                  region == nullptr ? "" : region->describe(place(pointer)),
                  {{"free", "the host", std::move(frames), "", current_note()}}};
  if (twice) finding.places.push_back({"first free", "", region->freed_at, ""});
  add(std::move(finding));
}

void bad_copy(const char* what, const void* pointer, std::size_t size) {
  if (!kinds.memory) return;
  auto frames = program_frames();
  const std::lock_guard guard(lock());
  const auto region = Regions::instance().find(place(pointer));
  if (region == nullptr) return;
  add({"memory", region->freed ? "freed" : "copy",
       region->freed ? "a copy or fill of freed memory" : "a copy or fill that ends outside of the memory",
       region->describe(place(pointer)),
       {{std::string(what) + " of " + std::to_string(size) + " bytes", "the host", std::move(frames), "", current_note()}}});
}

void shared_variable(std::uintptr_t window, std::size_t window_bytes, std::uintptr_t copy, std::size_t bytes) {
  static thread_local std::array<std::uintptr_t, 16> last{};
  static thread_local unsigned session = 0;
  // A session begins without regions.
  if (session != session_number()) last = {};
  session = session_number();
  auto& known = last[copy / 4 % last.size()];
  if (known == copy + bytes) return;
  known = copy + bytes;
  const std::lock_guard guard(lock());
  auto region = Regions::instance().find(window);
  if (region == nullptr || region->begin != window || region->space != Space::kShared) {
    check::Region made;
    made.begin = window;
    made.end = made.limit = window + window_bytes;
    made.space = Space::kShared;
    made.name = "static shared memory";
    region = Regions::instance().add(std::move(made));
  }
  auto& size = region->variables[copy - window];
  if (size >= bytes) return;
  size = bytes;
  Regions::instance().changed(*region);
}

void copied(const simtrt::Region& to, const simtrt::Region& from, const Extent& extent) {
  Context& here = context();
  if (is_unknown(here)) return;
  const std::lock_guard guard(lock());
  settle_pending(here);
  check_rows(here, from, extent, kRead);
  check_rows(here, to, extent, kWrite);
}

void filled(const simtrt::Region& to, const Extent& extent) {
  Context& here = context();
  if (is_unknown(here)) return;
  const std::lock_guard guard(lock());
  settle_pending(here);
  check_rows(here, to, extent, kWrite);
}

bool kernel_malloc(std::size_t size, void** pointer, const void* pc) {
  if (!active || !context().in_block) return false;
  *pointer = Arena::instance().allocate(size + kRedZone);
  if (*pointer == nullptr) return true;
  check::Region region;
  region.begin = place(*pointer);
  region.end = region.begin + size;
  region.limit = region.end + kRedZone;
  region.name = "memory of malloc in a kernel";
  region.tracks_writes = kinds.init;
  region.allocated_at = {place(pc)};
  const std::lock_guard guard(lock());
  Regions::instance().add(std::move(region));
  return true;
}

bool kernel_free(void* pointer, const void* pc) {
  if (!active || !context().in_block || pointer == nullptr) return false;
  const std::lock_guard guard(lock());
  const auto region = Regions::instance().find(place(pointer));
  if (region == nullptr || region->space != Space::kGlobal) return false;
  if (region->freed && kinds.memory) {
    add({"memory", "double-free", "memory is freed again", region->describe(place(pointer)),
         {{"free", describe_caller(), stack_from(pc), ""}, {"first free", "", region->freed_at, ""}}});
  }
  region->freed = true;
  region->freed_at = stack_from(pc);
  Regions::instance().changed(*region);
  return true;
}

}  // namespace simtrt::check
