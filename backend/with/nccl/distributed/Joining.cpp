#include "../../../csrc/distributed/Joining.h"

#include <c10/util/Exception.h>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <thread>
#include <vector>

namespace at::cuda::backend::distributed {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Shortest and longest time between two requests of a waiting rank to the store.
constexpr milliseconds kShortest{1};
constexpr milliseconds kLongest{100};

/// Start time of a process, in ticks since the boot; empty if the process has ended. A process whose parent has not
/// yet waited for it has ended, too.
std::string start_time(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string line;
  std::getline(file, line);
  // proc(5): the second field is a name in parentheses, the third one the state, and the 22nd one the start time.
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) {
    return "";
  }
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") {
    return "";
  }
  for (int number = 4; number <= 22; ++number) {
    fields >> field;
  }
  return field;
}

/// Processes that announced themselves on this machine, by the store of a process group.
class LocalProcesses {
 public:
  explicit LocalProcesses(c10d::Store& store) : store_(store), key_("processes/" + machine()) {}

  void announce(int rank) {
    const std::string process = std::to_string(getpid());
    const auto number = store_.add(key_, 1);
    store_.set(key_of(number), std::to_string(rank) + " " + process + " " + start_time(process));
  }

  /// Number of the process of a rank if the process has ended; else an empty text.
  std::string ended(int rank) {
    read();
    const auto found = by_rank_.find(rank);
    if (found == by_rank_.end() || start_time(found->second.number) == found->second.start) {
      return "";
    }
    return found->second.number;
  }

 private:
  struct Process {
    std::string number;
    std::string start;
  };

  /// Boot and PID namespace: processes with equal values see each other's numbers.
  static std::string machine() {
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    char space[64] = "";
    const auto size = readlink("/proc/self/ns/pid", space, sizeof space);
    return boot + "/" + std::string(space, size > 0 ? static_cast<size_t>(size) : 0);
  }

  std::string key_of(int64_t number) const {
    return key_ + "/" + std::to_string(number);
  }

  /// Reads new announcements. The last one of a rank is valid: a restarted rank announces itself again.
  void read() {
    while (store_.check({key_of(read_ + 1)})) {
      std::istringstream text(store_.get_to_str(key_of(++read_)));
      int rank = 0;
      Process process;
      text >> rank >> process.number >> process.start;
      by_rank_[rank] = process;
    }
  }

  c10d::Store& store_;
  const std::string key_;
  int64_t read_ = 0;
  std::map<int, Process> by_rank_;
};

/// Counts, in the store, of the calls of wait_for_ranks by the members of a communicator. A key may be used again:
/// the members have then called once more.
class Arrivals {
 public:
  /// Counts the call of a rank. If an earlier caller expects another number of members, all callers get the error.
  Arrivals(c10d::Store& store, const std::string& key, size_t members, int rank)
      : store_(store), key_("joining/" + key), rank_(rank), calls_(store.add(key_of(rank), 1)) {
    const auto expected = std::to_string(members);
    const auto first_expects = first_of("members", expected);
    if (first_expects != expected) {
      store_.set(
          end(),
          "rank " + std::to_string(rank) + " expects " + expected + " ranks, another expects " + first_expects);
    } else if (store_.add(key_, 1) == calls_ * static_cast<int64_t>(members)) {
      store_.set(end(), "");
    }
  }

  /// True after all members have called, or after an error.
  bool ended() {
    return store_.check({end()});
  }
  /// Error of all callers after the end; empty if all members have called.
  std::string error() {
    return store_.get_to_str(end());
  }
  bool has(int member) {
    return store_.add(key_of(member), 0) >= calls_;
  }
  void withdraw() {
    store_.add(key_, -1);
    store_.add(key_of(rank_), -1);
  }

 private:
  std::string key_of(int member) const {
    return key_ + "/" + std::to_string(member);
  }
  std::string end() const {
    return key_ + "/end/" + std::to_string(calls_);
  }
  /// Value of the first caller.
  std::string first_of(const std::string& name, const std::string& value) {
    using Bytes = std::vector<uint8_t>;
    const auto first = store_.compareSet(
        key_ + "/" + name + "/" + std::to_string(calls_), Bytes(), Bytes(value.begin(), value.end()));
    return std::string(first.begin(), first.end());
  }

  c10d::Store& store_;
  const std::string key_;
  const int rank_;
  const int64_t calls_;
};

/// Ranks that call wait_for_ranks with the key.
std::vector<int> members_of(const std::string& key, int size) {
  int lower = 0;
  int higher = 0;
  char colon = 0;
  std::istringstream text(key);
  if (text >> lower >> colon >> higher && colon == ':') {
    return {lower, higher};
  }
  std::vector<int> all(static_cast<size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Text that names the first member whose process has ended; empty if there is none.
std::string ended_member(LocalProcesses& processes, const std::vector<int>& members) {
  for (const int member : members) {
    const std::string process = processes.ended(member);
    if (!process.empty()) {
      return "rank " + std::to_string(member) + " has ended before it joined the communicator: its process " +
          process + " is gone";
    }
  }
  return "";
}

/// Text that names the members that have not called.
std::string late_members(Arrivals& arrivals, const std::vector<int>& members, milliseconds timeout) {
  std::string missing;
  for (const int member : members) {
    if (!arrivals.has(member)) {
      missing += (missing.empty() ? "" : ", ") + std::to_string(member);
    }
  }
  return "after " + std::to_string(timeout.count()) +
      " ms, the timeout of the process group, these ranks had not joined the communicator: " + missing;
}

}  // namespace

void announce_process(c10d::Store& store, int rank) {
  LocalProcesses(store).announce(rank);
}

void wait_for_ranks(
    c10d::Store& store,
    const std::string& key,
    int size,
    int rank,
    milliseconds timeout) {
  const auto members = members_of(key, size);
  if (members.size() == 1) {
    // Groups of one rank each may have the same name, and thus the same keys of the store, in all processes.
    return;
  }
  const auto end = steady_clock::now() + timeout;
  LocalProcesses processes(store);
  Arrivals arrivals(store, key, members.size(), rank);
  for (auto pause = kShortest; !arrivals.ended(); pause = std::min(2 * pause, kLongest)) {
    std::string failure;
    if (pause == kLongest) {
      failure = ended_member(processes, members);
    }
    if (failure.empty() && steady_clock::now() > end) {
      failure = late_members(arrivals, members, timeout);
    }
    // The last rank may have called, and ended, after the question whether all have called.
    if (!failure.empty() && !arrivals.ended()) {
      arrivals.withdraw();
      TORCH_CHECK_WITH(DistBackendError, false, failure);
    }
    std::this_thread::sleep_for(pause);
  }
  const std::string error = arrivals.error();
  TORCH_CHECK_WITH(DistBackendError, error.empty(), error);
}

}  // namespace at::cuda::backend::distributed
