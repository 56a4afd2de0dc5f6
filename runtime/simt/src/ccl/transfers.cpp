#include "ccl/transfers.h"

#include "ccl/errors.h"
#include "process/runtime_thread.h"

#include <chrono>
#include <cstring>
#include <deque>
#include <string>

namespace simtrt::ccl {
namespace {

constexpr std::chrono::milliseconds kCheck{20};  ///< time between tests whether peers are alive

/// Transfers that are not yet performed, by peer and direction, in the order of the list.
class Pending {
 public:
  Pending(int ranks, const std::vector<Transfer>& transfers)
      : in_(static_cast<std::size_t>(ranks)), out_(static_cast<std::size_t>(ranks)) {
    for (const Transfer& transfer : transfers) {
      if (transfer.from >= 0) in(transfer.from).push_back(&transfer);
      if (transfer.to >= 0) out(transfer.to).push_back(&transfer);
      if (transfer.from < 0 && transfer.to < 0) own_.push_back(&transfer);
      left_ += 1;
    }
    for (int peer = 0; peer < ranks; ++peer) {
      if (!in(peer).empty() || !out(peer).empty()) peers_.push_back(peer);
    }
  }

  bool empty() const { return left_ == 0; }
  const std::vector<int>& peers() const { return peers_; }
  std::deque<const Transfer*>& in(int peer) { return in_[static_cast<std::size_t>(peer)]; }
  std::deque<const Transfer*>& out(int peer) { return out_[static_cast<std::size_t>(peer)]; }
  std::vector<const Transfer*>& own() { return own_; }

  void remove(const Transfer& transfer) {
    if (transfer.from >= 0) in(transfer.from).pop_front();
    if (transfer.to >= 0) out(transfer.to).pop_front();
    --left_;
  }

 private:
  std::vector<std::deque<const Transfer*>> in_;
  std::vector<std::deque<const Transfer*>> out_;
  std::vector<const Transfer*> own_;
  std::vector<int> peers_;
  std::size_t left_ = 0;
};

class Performer {
 public:
  Performer(const Endpoint& endpoint, const std::vector<Transfer>& transfers)
      : at_(endpoint), pending_(endpoint.peers.ranks(), transfers) {}

  void run() {
    for (const Transfer* transfer : pending_.own()) {
      move(*transfer, nullptr, nullptr);
      pending_.remove(*transfer);
    }
    while (!pending_.empty()) {
      const std::uint32_t heard = doorbell().load();
      if (!advance()) pause(heard);
    }
    for (;;) {
      const std::uint32_t heard = doorbell().load();
      if (at_.peers.has_sent_all()) return;
      pause(heard);
    }
  }

 private:
  std::atomic<std::uint32_t>& doorbell() { return at_.peers.state().doorbell; }

  /// Performs the transfers that can be performed now; false if there are none.
  bool advance() {
    const Working working;
    bool advanced = false;
    for (const int peer : pending_.peers()) {
      while (!pending_.in(peer).empty() && try_one(*pending_.in(peer).front())) advanced = true;
      while (!pending_.out(peer).empty() && pending_.out(peer).front()->from < 0 &&
             try_one(*pending_.out(peer).front())) {
        advanced = true;
      }
    }
    return advanced;
  }

  bool try_one(const Transfer& transfer) {
    Channel* in = nullptr;
    Channel* out = nullptr;
    if (transfer.to >= 0) {
      if (pending_.out(transfer.to).front() != &transfer) return false;
      out = &at_.peers.to(transfer.to);
      const auto read = out->read.load(std::memory_order_acquire);
      if (out->written.load(std::memory_order_relaxed) - read == kSlots) return false;
    }
    if (transfer.from >= 0) {
      in = &at_.peers.from(transfer.from);
      const auto written = in->written.load(std::memory_order_acquire);
      if (in->read.load(std::memory_order_relaxed) == written) return false;
      check(transfer, *in);
    }
    move(transfer, in, out);
    if (in != nullptr) {
      in->read.fetch_add(1, std::memory_order_release);
      at_.peers.notify(transfer.from);
    }
    if (out != nullptr) {
      out->written.fetch_add(1, std::memory_order_release);
      at_.peers.notify(transfer.to);
    }
    pending_.remove(transfer);
    return true;
  }

  /// Compares the received block with the expected one.
  void check(const Transfer& transfer, const Channel& in) {
    const auto& header = in.headers[in.read.load(std::memory_order_relaxed) % kSlots];
    if (header.description == *transfer.description &&
        header.bytes == transfer.count * transfer.element) {
      return;
    }
    const std::string reason = "ranks call different operations: rank " +
                               std::to_string(transfer.from) + " calls " +
                               header.description.text() + ", rank " + std::to_string(at_.peers.rank()) +
                               " calls " + transfer.description->text();
    at_.peers.fail(simtcclInvalidUsage, reason);
    throw Failure(simtcclInvalidUsage, reason);
  }

  static char* slot(Channel& channel, const std::atomic<std::uint64_t>& position) {
    return channel.data[position.load(std::memory_order_relaxed) % kSlots];
  }

  void move(const Transfer& transfer, Channel* in, Channel* out) {
    const std::size_t bytes = transfer.count * transfer.element;
    const char* block = in != nullptr ? slot(*in, in->read) : transfer.own;
    char* result = transfer.out;
    if (out != nullptr) {
      result = slot(*out, out->written);
      out->headers[out->written.load(std::memory_order_relaxed) % kSlots] = {*transfer.description,
                                                                           bytes};
    }
    compute(transfer, block, in != nullptr, result);
    const bool in_place = transfer.reduction == nullptr && transfer.out == block;
    if (transfer.out != nullptr && transfer.out != result && !in_place)
      std::memcpy(transfer.out, result, bytes);
  }

  void compute(const Transfer& transfer, const char* block, bool received, char* result) {
    if (transfer.count == 0) return;
    const Reduction* reduction = transfer.reduction;
    if (reduction == nullptr) {
      if (block != result) std::memmove(result, block, transfer.count * transfer.element);
      return;
    }
    if (!received) {
      reduction->begin(result, block, transfer.count);
    } else {
      reduction->combine(result, block, transfer.own, transfer.count);
    }
    if (transfer.last) reduction->finish(result, transfer.count);
  }

  /// Waits until a peer rings this rank's doorbell.
  void pause(std::uint32_t heard) {
    if (at_.patience.wait(at_.peers.state(), heard)) return;
    at_.peers.wait(heard, kCheck);
    if (doorbell().load() == heard || at_.aborted.load()) examine();
  }

  /// Ends the wait by an exception if the process ends, or if a peer or the communicator has failed.
  void examine() {
    stop_if_process_ends();
    if (at_.aborted.load()) throw Aborted();
    if (const auto result = at_.peers.failure(); result != simtcclSuccess)
      throw Failure(result, at_.peers.reason());
    for (const int peer : pending_.peers()) {
      if (peer == at_.peers.rank() || (pending_.in(peer).empty() && pending_.out(peer).empty())) continue;
      const std::string absence = at_.peers.absence(peer);
      if (absence.empty() || !needs(peer)) continue;
      const std::string reason = "rank " + std::to_string(peer) + " " + absence;
      at_.peers.fail(simtcclRemoteError, reason);
      throw Failure(simtcclRemoteError, reason);
    }
  }

  /// Test whether the transfers need more of a peer than the blocks that it has written. A rank may leave when its own
  /// part is done, while its blocks wait here until the next rank takes them.
  bool needs(int peer) {
    const Channel& in = at_.peers.from(peer);
    const auto blocks = in.written.load(std::memory_order_acquire) - in.read.load(std::memory_order_relaxed);
    if (pending_.in(peer).size() > blocks) return true;
    const Channel& out = at_.peers.to(peer);
    const auto unread = out.written.load(std::memory_order_relaxed) - out.read.load(std::memory_order_acquire);
    return !pending_.out(peer).empty() && unread == kSlots;
  }

  const Endpoint at_;
  Pending pending_;
};

}  // namespace

void perform(const Endpoint& endpoint, const std::vector<Transfer>& transfers) {
  Performer(endpoint, transfers).run();
}

}  // namespace simtrt::ccl
