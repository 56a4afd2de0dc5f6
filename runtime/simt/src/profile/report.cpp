#include "profile/report.h"

#include "activity/kernel_name.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace simtrt::profile {
namespace {

/// Rows of the table; the other kernels are one row.
constexpr std::size_t kRows = 40;

std::string name_of(const Totals& kernel) { return activity::kernel_name(kernel.site, kernel.address); }

double milliseconds(std::uint64_t ticks, double scale) { return static_cast<double>(ticks) * scale / 1e6; }

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

void write_row(const Totals& kernel, std::uint64_t all, double scale) {
  const std::uint64_t time = kernel.ticks;
  const double threads = std::max<double>(1, static_cast<double>(kernel.threads));
  std::fprintf(stderr, "%10.3f %6.1f %8llu %9llu %10llu %9.1f %8.1f %9.1f %9.1f %9.1f %7zu  %s\n", milliseconds(time, scale),
               percent(time, all), static_cast<unsigned long long>(kernel.launches),
               static_cast<unsigned long long>(kernel.blocks.load()), static_cast<unsigned long long>(kernel.threads),
               static_cast<double>(time) * scale / threads, percent(kernel.switch_ticks, time),
               static_cast<double>(kernel.switches) / threads, static_cast<double>(kernel.barriers) / threads,
               static_cast<double>(kernel.collectives) / threads, kernel.shared_bytes, name_of(kernel).c_str());
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) result += c;
  }
  return result + '"';
}

std::string with_process(std::string path) {
  if (const std::size_t place = path.find("%p"); place != std::string::npos)
    path.replace(place, 2, std::to_string(getpid()));
  return path;
}

std::string text_of(const dim3& size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

}  // namespace

void write_table(const Record& record, double scale) {
  std::vector<const Totals*> order;
  std::uint64_t all = 0;
  for (const Totals& kernel : record.kernels) {
    order.push_back(&kernel);
    all += kernel.ticks;
  }
  std::sort(order.begin(), order.end(), [](const Totals* a, const Totals* b) { return a->ticks > b->ticks; });
  std::fprintf(stderr, "simt profile: workers ran %zu kernels for %.3f ms\n", order.size(), milliseconds(all, scale));
  if (order.empty()) return;
  std::fprintf(stderr, "%10s %6s %8s %9s %10s %9s %8s %9s %9s %9s %7s  %s\n", "ms", "%", "launches", "blocks", "threads",
               "ns/thread", "switch %", "switches", "barriers", "of warps", "shared", "kernel");
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < kRows)
      write_row(*order[i], all, scale);
    else
      rest += order[i]->ticks;
  }
  if (order.size() > kRows)
    std::fprintf(stderr, "%10.3f %6.1f  %zu more kernels\n", milliseconds(rest, scale), percent(rest, all),
                 order.size() - kRows);
  std::fputs("switch %: time from the begin of a wait until another thread runs. switches, barriers and collectives of\n"
             "warps are numbers for each thread; shared: bytes of dynamic shared memory.\n",
             stderr);
}

void write_trace(const Record& record, double scale) {
  const std::string path = with_process(record.file);
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (out == nullptr) {
    std::fprintf(stderr, "simt: SIMT_PROFILE: %s cannot be written\n", path.c_str());
    return;
  }
  std::fputs("{\"traceEvents\": [", out);
  const char* separator = "\n";
  for (const Event& event : record.events) {
    const double start = static_cast<double>(event.start - record.begin_ticks) * scale / 1e3;
    const double length = static_cast<double>(event.end - event.start) * scale / 1e3;
    std::fprintf(out,
                 "%s{\"name\": %s, \"ph\": \"X\", \"pid\": %d, \"tid\": %llu, \"ts\": %.3f, \"dur\": %.3f, "
                 "\"args\": {\"grid\": \"%s\", \"block\": \"%s\"}}",
                 separator, quoted(name_of(*event.kernel)).c_str(), event.device,
                 static_cast<unsigned long long>(event.stream), start, length, text_of(event.grid).c_str(),
                 text_of(event.block).c_str());
    separator = ",\n";
  }
  std::fprintf(out, "\n], \"displayTimeUnit\": \"ns\", \"otherData\": {\"launches without an event\": %llu}}\n",
               static_cast<unsigned long long>(record.lost_events));
  const bool written = std::ferror(out) == 0;
  if (std::fclose(out) != 0 || !written)
    std::fprintf(stderr, "simt: SIMT_PROFILE: %s cannot be written\n", path.c_str());
}

}  // namespace simtrt::profile
