// Splits of communicators (simtcclCommSplit).
#include "ccl/communicator.h"
#include "ccl/rendezvous.h"
#include "process/runtime_thread.h"

#include <algorithm>
#include <future>
#include <utility>

namespace simtrt::ccl {
namespace {

using Steady = std::chrono::steady_clock;

/// Time between two tests for the end of a rank that joins the communicator of a split.
constexpr std::chrono::milliseconds kWatch{50};
/// Time in which ranks that have connected to the meeting join. A member may leave the old communicator during it.
constexpr std::chrono::seconds kJoin{5};

}  // namespace

void Communicator::gather(const void* send, void* receive, std::size_t bytes) {
  Operation operation;
  operation.kind = Kind::kSplit;
  operation.send = static_cast<const char*>(send);
  operation.receive = static_cast<char*>(receive);
  operation.count = bytes;
  operation.description = {static_cast<std::uint32_t>(Kind::kSplit), simtcclInt8, kNoOp, -1, bytes,
                           ++collectives_};
  std::vector<Transfer> transfers;
  append_transfers(operation, rank, ranks, transfers);
  perform(endpoint(), transfers);
}

std::shared_ptr<Communicator> Communicator::split_on_thread(int color, int key, bool blocking,
                                                            std::vector<int>& members) {
  struct Choice {
    int color;
    int key;
  };
  const Choice own{color, key};
  std::vector<Choice> choices(static_cast<std::size_t>(ranks));
  gather(&own, choices.data(), sizeof own);
  for (int member = 0; member < ranks; ++member) {
    if (choices[static_cast<std::size_t>(member)].color == color) members.push_back(member);
  }
  std::stable_sort(members.begin(), members.end(), [&](int a, int b) {
    return choices[static_cast<std::size_t>(a)].key < choices[static_cast<std::size_t>(b)].key;
  });
  simtcclUniqueId id{};
  if (color >= 0 && members.front() == rank) id = open_meeting();
  std::vector<simtcclUniqueId> ids(static_cast<std::size_t>(ranks));
  gather(&id, ids.data(), sizeof id);
  if (color < 0) return nullptr;
  const auto place = std::find(members.begin(), members.end(), rank) - members.begin();
  return start(ids[static_cast<std::size_t>(members.front())], static_cast<int>(members.size()),
               static_cast<int>(place), device, blocking);
}

void Communicator::watch_split(Communicator& made, const std::vector<int>& members) {
  std::optional<Steady::time_point> end;
  while (!aborted_ && made.is_joining(kWatch)) {
    stop_if_process_ends();
    for (const int member : members) {
      const std::string absence = member == rank ? "" : peers_->absence(member);
      if (absence.empty()) continue;
      if (!end) end = Steady::now() + kJoin;
      if (Steady::now() > *end)
        made.abandon_join("rank " + std::to_string(member) + " of the communicator that is split " + absence);
    }
  }
}

Communicator::Split Communicator::split(int color, int key, bool blocking) {
  auto result = std::make_shared<std::promise<std::shared_ptr<Communicator>>>();
  auto answered = std::make_shared<bool>(false);
  auto launch = std::make_shared<Launch>();
  launch->reached = true;
  launch->job = [this, result, answered, color, key, blocking] {
    std::vector<int> members;
    const auto made = split_on_thread(color, key, blocking, members);
    *answered = true;
    result->set_value(made);
    if (made != nullptr) watch_split(*made, members);
  };
  launch->done = [result, answered] {
    if (!*answered) result->set_value(nullptr);
  };
  {
    const std::lock_guard lock(mutex_);
    if (ended_) throw Failure(simtcclInvalidUsage, "the communicator is closed");
    queue_.push_back(launch);
    wake_.notify_all();
  }
  const auto self = shared_from_this();
  return {[self, result, color, blocking] {
    auto child = result->get_future().get();
    if (child == nullptr) {
      self->check();
      if (color >= 0) throw Failure(simtcclInvalidUsage, "the communicator was aborted");
    } else if (blocking) {
      child->wait_until_ready();
    }
    return child;
  }};
}

}  // namespace simtrt::ccl
