#include "profile/profile.h"

#include "profile/report.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

namespace simtrt::profile {
namespace {

std::uint64_t nanoseconds() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

// Never destroyed: work may still run while the process ends.
Record& record() {
  static auto& one = *new Record();
  return one;
}

Totals& totals_of(const LaunchSite& site, const void* address) {
  using Key = std::tuple<const char*, const char*, const void*>;
  static auto& known = *new std::map<Key, Totals*>();
  Record& all = record();
  const std::lock_guard lock(all.mutex);
  Totals*& totals = known[Key{site.kernel, site.function, address}];
  if (totals == nullptr) totals = &all.kernels.emplace_back(site, address);
  return *totals;
}

}  // namespace

bool active = false;

std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return nanoseconds();
#endif
}

Launch::Launch(const LaunchSite& site, const LaunchConfig& config, int device, std::uint64_t stream)
    : totals_(totals_of(site, config.kernel)), config_(config), device_(device), stream_(stream), start_(ticks()) {}

void Launch::add(const Counts& counts, std::uint64_t time) const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  totals_.blocks.fetch_add(1, kRelaxed);
  totals_.ticks.fetch_add(time, kRelaxed);
  totals_.switches.fetch_add(counts.switches, kRelaxed);
  totals_.switch_ticks.fetch_add(counts.switch_ticks, kRelaxed);
  totals_.barriers.fetch_add(counts.barriers, kRelaxed);
  totals_.collectives.fetch_add(counts.collectives, kRelaxed);
}

void Launch::end() const {
  const std::uint64_t now = ticks();
  Record& all = record();
  const std::lock_guard lock(all.mutex);
  ++totals_.launches;
  totals_.threads += config_.blocks() * config_.threads_per_block();
  totals_.shared_bytes = std::max(totals_.shared_bytes, config_.shared_bytes);
  if (all.file.empty()) return;
  if (all.events.size() < kMostEvents)
    all.events.push_back({&totals_, start_, now, device_, stream_, config_.grid, config_.block});
  else
    ++all.lost_events;
}

void write_report() {
  Record& all = record();
  const std::lock_guard lock(all.mutex);
  const double scale = static_cast<double>(nanoseconds() - all.begin_nanoseconds) /
                       static_cast<double>(ticks() - all.begin_ticks);
  write_table(all, scale);
  if (!all.file.empty()) write_trace(all, scale);
}

namespace {

__attribute__((constructor)) void read_environment() {
  const char* text = std::getenv("SIMT_PROFILE");
  if (text == nullptr || *text == '\0' || std::strcmp(text, "0") == 0) return;
  active = true;
  Record& all = record();
  if (std::strcmp(text, "1") != 0) all.file = text;
  all.begin_nanoseconds = nanoseconds();
  all.begin_ticks = ticks();
}

}  // namespace

}  // namespace simtrt::profile
