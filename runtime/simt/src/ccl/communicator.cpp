#include "ccl/communicator.h"

#include "ccl/rendezvous.h"
#include "environment.h"
#include "process/runtime_thread.h"
#include "streams/graph.h"
#include "streams/helping_thread.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

namespace simtrt::ccl {
namespace {

using Steady = std::chrono::steady_clock;

/// Longest time for which a failed operation stays unfinished without simtcclCommAbort.
std::chrono::seconds failure_limit() {
  static const auto limit = environment_number("SIMTCCL_FAILURE_SECONDS", 30, 0, 1 << 30);
  return std::chrono::seconds(limit);
}

}  // namespace

Communicator::Communicator(int ranks, int rank, Device& device, bool blocking)
    : ranks(ranks), rank(rank), device(device), blocking(blocking) {}

Communicator::~Communicator() = default;

std::shared_ptr<Communicator> Communicator::start(const simtcclUniqueId& id, int ranks, int rank,
                                                  Device& device, bool blocking) {
  auto made = std::make_shared<Communicator>(ranks, rank, device, blocking);
  start_thread([made, id] { made->run(id); }).detach();
  return made;
}

void Communicator::run(const simtcclUniqueId& id) {
  const RuntimeThread thread;
  Device::set_current(device.ordinal);
  try {
    join(id);
  } catch (const Failure& failure) {
    fail(failure.result, failure.what());
  } catch (const Aborted&) {
    fail(simtcclInvalidUsage, "the communicator was aborted");
  }
  while (const LaunchPointer launch = next()) perform_launch(*launch);
  if (peers_ != nullptr) peers_->leave(aborted_ ? RankStatus::kAborted : RankStatus::kLeft);
  end_all();
}

void Communicator::join(const simtcclUniqueId& id) {
  const Membership membership = join_meeting(id, ranks, rank, aborted_);
  const Wait wait{Steady::now() + init_limit(), &aborted_, [&] { membership.check_ranks(); }};
  auto peers = std::make_unique<Peers>(membership, wait);
  membership.finish();
  const std::lock_guard lock(mutex_);
  peers_ = std::move(peers);
  ready_ = true;
  changed_.notify_all();
}

void Communicator::fail(simtcclResult_t result, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_.emplace(result, reason);
  changed_.notify_all();
}

void Communicator::wait_until_ready() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_ || failure_.has_value(); });
  if (failure_) throw Failure(*failure_);
}

bool Communicator::is_joining(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, limit, [this] { return ready_ || failure_.has_value(); });
}

void Communicator::abandon_join(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (ready_ || failure_) return;
  failure_.emplace(simtcclRemoteError, reason);
  aborted_ = true;  // ends the waits of join()
  changed_.notify_all();
  wake_.notify_all();
}

simtcclResult_t Communicator::state() {
  const std::lock_guard lock(mutex_);
  if (failure_) return failure_->result;
  return ready_ ? peers_->failure() : simtcclInProgress;
}

std::string Communicator::reason() {
  const std::lock_guard lock(mutex_);
  if (failure_) return failure_->what();
  return ready_ ? peers_->reason() : "";
}

void Communicator::check() {
  const simtcclResult_t result = state();
  if (result == simtcclInProgress)
    throw Failure(simtcclInvalidUsage, "the communicator is not ready: its ranks have not all joined");
  if (result != simtcclSuccess) throw Failure(result, reason());
}

Communicator::LaunchPointer Communicator::next() {
  std::unique_lock lock(mutex_);
  for (;;) {
    stop_if_process_ends();
    if (!performs_) {
      const bool ends = aborted_ || (queue_.empty() && closing_);
      performs_ = ends || (!queue_.empty() && queue_.front()->reached);  // after the end, nobody performs a launch
      if (ends) return nullptr;
      if (performs_) return queue_.front();
    }
    wake_.wait_for(lock, std::chrono::seconds(1));
  }
}

void Communicator::perform_by_waiting_thread(const LaunchPointer& launch) {
  {
    const std::lock_guard lock(mutex_);
    const bool has_turn = !performs_ && !queue_.empty() && queue_.front() == launch;
    if (!has_turn || aborted_) return wake_.notify_all();
    performs_ = true;
  }
  perform_launch(*launch);
}

void Communicator::perform_launch(Launch& launch) {
  try {
    if (const simtcclResult_t result = state(); result != simtcclSuccess) {
      throw Failure(result, reason());
    }
    if (launch.error != simtSuccess) {
      const std::string reason = "a kernel has failed on the device of rank " + std::to_string(rank);
      peers_->fail(simtcclRemoteError, reason);
      throw Failure(simtcclUnhandledSimtError, reason);
    }
    if (launch.job) {
      launch.job();
    } else {
      perform_operations(*launch.operations);
    }
  } catch (const Failure& failure) {
    fail(failure.result, failure.what());
    if (!launch.job) hold_failure();
  } catch (const Aborted&) {
  } catch (const std::bad_alloc&) {
    peers_->fail(simtcclSystemError, "rank " + std::to_string(rank) + " has no memory left");
    fail(simtcclSystemError, "no memory is left");
    if (!launch.job) hold_failure();
  }
  {
    const std::lock_guard lock(mutex_);
    queue_.pop_front();
    performs_ = false;
    changed_.notify_all();
    if (!queue_.empty() || closing_) wake_.notify_all();
  }
  launch.done();
}

void Communicator::hold_failure() {
  std::unique_lock lock(mutex_);
  if (!held_until_) held_until_ = Steady::now() + failure_limit();
  const bool aborted =
      changed_.wait_until(lock, *held_until_, [this] { return aborted_.load(); });
  if (aborted) return;
  std::fprintf(stderr, "simtccl: rank %d: %s\n", rank, failure_->what());
  device.set_sticky(simtErrorLaunchFailure);
}

void Communicator::perform_operations(const Operations& operations) {
  std::vector<Operation> own(operations);
  std::vector<Transfer> collectives;
  std::vector<Transfer> messages;
  for (Operation& operation : own) {
    Reduction& reduction = operation.reduction;
    if (reduction.scalar_on_device != nullptr)
      std::memcpy(reduction.scalar, reduction.scalar_on_device, size_of(operation.type));
    const bool message = operation.kind == Kind::kSend;
    operation.description.number = message ? 0 : ++collectives_;
    append_transfers(operation, rank, ranks, message ? messages : collectives);
  }
  perform(endpoint(), collectives);
  perform(endpoint(), messages);
}

simtError_t Communicator::submit(const std::shared_ptr<Stream>& stream, Operations operations) {
  const char* name = "simtccl";
  if (operations.size() == 1) name = name_of_kind(static_cast<std::uint32_t>(operations[0].kind));
  const auto shared = std::make_shared<const Operations>(std::move(operations));
  const auto self = shared_from_this();
  // Operations of a graph run in the order in which the graph's launches reach them.
  if (graph_of_capture(stream) != nullptr) {
    captured_ = true;
    const auto start = [self, shared](simtError_t error, std::function<void()> done) {
      auto launch = std::make_shared<Launch>();
      launch->operations = shared;
      {
        const std::lock_guard lock(self->mutex_);
        if (!self->ended_) self->queue_.push_back(launch);
      }
      self->reach(launch, error, std::move(done));
    };
    return simtrt::submit(stream, LaterWork{name, start}, simtGraphNodeTypeKernel);
  }
  auto launch = std::make_shared<Launch>();
  launch->operations = shared;
  const auto start = [self, launch](simtError_t error, std::function<void()> done) {
    self->reach(launch, error, std::move(done));
  };
  // The stream may reach the work during submit(), so that the launch must be in the queue before.
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) queue_.push_back(launch);
  }
  const simtError_t error =
      simtrt::submit(stream, LaterWork{name, start}, simtGraphNodeTypeKernel);
  if (error != simtSuccess) {
    const std::lock_guard lock(mutex_);
    queue_.erase(std::remove(queue_.begin(), queue_.end(), launch), queue_.end());
  }
  return error;
}

void Communicator::reach(const LaunchPointer& launch, simtError_t error,
                         std::function<void()> done) {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      launch->reached = true;
      launch->error = error;
      launch->done = std::move(done);
      const auto perform = [self = shared_from_this(), launch] { self->perform_by_waiting_thread(launch); };
      if (!HelpingThread::afterwards(perform)) wake_.notify_all();
      return;
    }
  }
  done();
}

void Communicator::end_all() {
  std::deque<LaunchPointer> left;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    left.swap(queue_);
    changed_.notify_all();
  }
  for (const LaunchPointer& launch : left) {
    if (launch->reached) launch->done();
  }
}

void Communicator::finalize() {
  // Operations of a graph enter the queue only when a stream reaches them.
  if (captured_) device.synchronize();
  std::unique_lock lock(mutex_);
  // A failed operation stays in the queue until the communicator is aborted.
  changed_.wait(lock, [this] { return queue_.empty() || ended_ || failure_.has_value(); });
  if (failure_) throw Failure(*failure_);
}

void Communicator::close(bool abort) {
  std::unique_lock lock(mutex_);
  closing_ = true;
  if (abort) aborted_ = true;
  // A thread that has no segment yet tests `aborted_` periodically (join_meeting).
  if (peers_ != nullptr) peers_->wake();
  changed_.notify_all();
  wake_.notify_all();
  changed_.wait(lock, [this] { return ended_; });
}

simtcclRedOp_t Communicator::add_scaled_sum(const Reduction& reduction) {
  const std::lock_guard lock(mutex_);
  auto place = std::find(scaled_sums_.begin(), scaled_sums_.end(), std::nullopt);
  if (place == scaled_sums_.end()) place = scaled_sums_.insert(place, std::nullopt);
  *place = reduction;
  return static_cast<simtcclRedOp_t>(simtcclNumOps + (place - scaled_sums_.begin()));
}

bool Communicator::remove_scaled_sum(simtcclRedOp_t op) {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(op) - simtcclNumOps;
  if (op < simtcclNumOps || index >= scaled_sums_.size() || !scaled_sums_[index]) return false;
  scaled_sums_[index].reset();
  return true;
}

std::optional<Reduction> Communicator::reduction(simtcclRedOp_t op, simtcclDataType_t type) {
  Reduction made;
  made.type = type;
  if (op < simtcclSum) return std::nullopt;
  if (op < simtcclAvg) {
    made.op = op;
    return made;
  }
  if (op == simtcclAvg) {
    made.scaled = reciprocal(type, ranks, made.scalar);
    if (!made.scaled) made.divisor = ranks;
    return made;
  }
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(op) - simtcclNumOps;
  if (index >= scaled_sums_.size() || !scaled_sums_[index]) return std::nullopt;
  if (scaled_sums_[index]->type != type) return std::nullopt;
  return scaled_sums_[index];
}

}  // namespace simtrt::ccl
