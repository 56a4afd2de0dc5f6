#include "check/order.h"

#include "check/findings.h"
#include "check/host_protection.h"
#include "check/session.h"
#include "check/settings.h"
#include "kernel/block_scheduler.h"
#include "process/runtime_thread.h"
#include "streams/device.h"
#include "streams/stream.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace simtrt::check {
namespace {

/// Stands for the host, whose numbers are clocks.
constexpr std::uint64_t kHostStream = 0;

/// Number of the last work of each stream that precedes something.
using Seen = std::unordered_map<std::uint64_t, std::uint64_t>;

void note(Seen& seen, std::uint64_t stream, std::uint64_t number) {
  auto& known = seen[stream];
  known = std::max(known, number);
}

void join(Seen& into, const Seen& other) {
  for (const auto& [stream, number] : other) note(into, stream, number);
}

bool has_seen(const Seen& seen, std::uint64_t stream, std::uint64_t number) {
  const auto known = seen.find(stream);
  return known != seen.end() && known->second >= number;
}

struct Submitted {
  std::shared_ptr<const Seen> seen;
  std::uintptr_t call = 0;
  std::uint64_t note = 0;
};

struct StreamOrder {
  int device = 0;
  bool legacy = false;
  bool blocking = false;
  std::uint64_t last = 0;
  Seen seen;
  std::map<std::uint64_t, Submitted> work;
};

struct RunInfo {
  std::string name;
  std::uint64_t stream = 0;
  std::uint64_t number = 0;
  std::shared_ptr<const Seen> seen;
  std::uintptr_t call = 0;
  bool nested = false;
  std::uint32_t grid_x = 1, grid_y = 1, block_x = 1, block_y = 1;
  std::uint64_t note = 0;
};

struct Order {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, StreamOrder> streams;
  std::deque<RunInfo> runs{RunInfo{}};
  Seen host;
  std::uint32_t host_clock = 1;
};
Order& order() {
  static auto& made = *new Order();
  return made;
}

StreamOrder& of(Order& all, const Stream& stream) {
  StreamOrder& known = all.streams[stream.id];
  known.device = stream.device.ordinal;
  known.legacy = stream.legacy;
  known.blocking = (stream.flags & simtStreamNonBlocking) == 0;
  return known;
}

bool on_host() { return RuntimeThread::current() == nullptr && BlockScheduler::current() == nullptr; }

std::string coordinates(std::uint64_t index, std::uint64_t x, std::uint64_t y) {
  return "(" + std::to_string(index % x) + "," + std::to_string(index / x % y) + "," +
         std::to_string(index / x / y) + ")";
}

}  // namespace

void submitted(const Stream& stream, std::uint64_t number) {
  const auto frames = program_frames();
  const std::uint64_t noted = on_host() ? current_note() : 0;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  StreamOrder& known = of(all, stream);
  if (on_host()) {
    join(known.seen, all.host);
    known.seen[kHostStream] = all.host_clock++;
  }
  // As Device::submit orders work, but for complete work too.
  for (auto& [id, other] : all.streams) {
    if (id == stream.id || other.device != known.device) continue;
    if ((known.legacy && other.blocking) || (known.blocking && other.legacy)) {
      join(known.seen, other.seen);
      note(known.seen, id, other.last);
    }
  }
  known.last = number;
  known.seen[stream.id] = number;
  // Events and waits refer to recent work.
  constexpr std::size_t kMost = 10000;
  if (known.work.size() >= kMost) known.work.erase(known.work.begin());
  known.work[number] = {std::make_shared<const Seen>(known.seen), frames.empty() ? 0 : frames.front(), noted};
}

void stream_waits(const Stream& stream, std::uint64_t other_stream, std::uint64_t number) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  StreamOrder& known = of(all, stream);
  note(known.seen, other_stream, number);
  const auto other = all.streams.find(other_stream);
  if (other == all.streams.end()) return;
  const auto work = other->second.work.find(number);
  if (work != other->second.work.end()) join(known.seen, *work->second.seen);
}

void host_waited(const Stream& stream, std::uint64_t number) {
  if (!on_host()) return;
  if (kinds.host) protect_again();
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  StreamOrder& known = of(all, stream);
  note(all.host, stream.id, number);
  const auto work = known.work.upper_bound(number);
  if (work != known.work.begin()) join(all.host, *std::prev(work)->second.seen);
}

Run begin_run(const Stream& stream, std::uint64_t number, const std::string& name, bool nested,
              std::uint32_t grid_x, std::uint32_t grid_y, std::uint32_t block_x, std::uint32_t block_y) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  RunInfo info{name, stream.id, number, nullptr, 0, nested, grid_x, grid_y, block_x, block_y, 0};
  StreamOrder& known = of(all, stream);
  if (const auto work = known.work.find(number); work != known.work.end()) {
    info.seen = work->second.seen;
    info.call = work->second.call;
    info.note = work->second.note;
  } else {
    info.nested = true;
  }
  all.runs.push_back(std::move(info));
  return static_cast<Run>(all.runs.size() - 1);
}

std::uint32_t host_clock() {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  return all.host_clock;
}

bool is_ordered(Run earlier, std::uint32_t clock, Run later) {
  if (earlier == later) return true;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  const RunInfo& before = all.runs[earlier];
  const RunInfo& after = all.runs[later];
  if (before.nested || after.nested) return true;
  if (earlier == kHostRun) return has_seen(*after.seen, kHostStream, clock);
  if (later == kHostRun) return has_seen(all.host, before.stream, before.number);
  if (before.stream == after.stream) return before.number <= after.number;
  return has_seen(*after.seen, before.stream, before.number);
}

bool is_after(Run run, std::uint64_t stream, std::uint64_t number) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  const RunInfo& info = all.runs[run];
  if (info.nested) return false;
  return has_seen(run == kHostRun ? all.host : *info.seen, stream, number);
}

std::string describe(Run run, std::uint64_t block, unsigned thread) {
  if (run == kHostRun) return "the host";
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  const RunInfo& info = all.runs[run];
  if (info.name.rfind("kernel ", 0) != 0) return info.name;
  return info.name + ", block " + coordinates(block, info.grid_x, info.grid_y) + ", thread " +
         coordinates(thread, info.block_x, info.block_y);
}

std::uintptr_t call_of(Run run) {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  return all.runs[run].call;
}

std::uint64_t note_of(Run run) {
  if (run == kHostRun) return 0;
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  return all.runs[run].note;
}

std::set<std::uintptr_t> launching_calls() {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  std::set<std::uintptr_t> found;
  for (const RunInfo& info : all.runs) {
    if (info.call != 0 && info.name.rfind("kernel ", 0) == 0) found.insert(info.call);
  }
  return found;
}

void forget_order() {
  Order& all = order();
  const std::lock_guard lock(all.mutex);
  all.streams.clear();
  all.runs.assign(1, RunInfo{});
  all.host.clear();
  all.host_clock = 1;
}

}  // namespace simtrt::check
