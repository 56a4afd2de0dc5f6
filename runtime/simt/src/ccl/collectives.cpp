#include "ccl/collectives.h"

#include <algorithm>

namespace simtrt::ccl {
namespace {

/// Elements `first` to `first + count - 1` of the buffers.
struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Computes the transfers of one operation on one rank.
class Schedule {
 public:
  Schedule(const Operation& operation, int rank, int ranks, std::vector<Transfer>& transfers)
      : operation_(operation),
        rank_(rank),
        ranks_(ranks),
        element_(size_of(operation.type)),
        block_(kSlotBytes / element_),
        transfers_(transfers) {}

  void make() {
    if (operation_.count == 0) {
      if (operation_.kind != Kind::kSend) compare(rank_ != before(), rank_ != after());
      return;
    }
    switch (operation_.kind) {
      case Kind::kAllReduce: return ranks_ == 1 ? reduce_alone() : all_reduce();
      case Kind::kReduce:
        if (ranks_ == 1) return reduce_alone();
        compare(before() == operation_.peer, rank_ == operation_.peer);
        return in_blocks(&Schedule::reduce);
      case Kind::kReduceScatter:
        return ranks_ == 1 ? reduce_alone() : in_blocks(&Schedule::reduce_scatter);
      case Kind::kBroadcast:
        if (ranks_ > 1) compare(rank_ == operation_.peer, after() == operation_.peer);
        return in_blocks(&Schedule::broadcast);
      case Kind::kSplit:
      case Kind::kAllGather: return in_blocks(&Schedule::all_gather);
      case Kind::kSend: return in_blocks(&Schedule::send_or_receive);
    }
  }

 private:
  int before() const { return (rank_ + ranks_ - 1) % ranks_; }
  int after() const { return (rank_ + 1) % ranks_; }
  /// Rank `steps` before this one in the ring.
  int back(int steps) const { return ((rank_ - steps) % ranks_ + ranks_) % ranks_; }
  const char* sent(std::size_t element) const { return operation_.send + element * element_; }
  char* received(std::size_t element) const { return operation_.receive + element * element_; }

  Transfer transfer(Block block) const {
    Transfer made;
    made.count = block.count;
    made.element = element_;
    made.description = &operation_.description;
    return made;
  }
  Transfer reducing(Block block) const {
    Transfer made = transfer(block);
    made.reduction = &operation_.reduction;
    return made;
  }

  void in_blocks(void (Schedule::*make)(Block)) {
    for (std::size_t first = 0; first < operation_.count; first += block_)
      (this->*make)({first, std::min(block_, operation_.count - first)});
  }

  /// Empty blocks, by which ranks compare their operations where no data flows: without them, ranks
  /// that disagree about the root or about a count of 0 would return wrong values or wait for ever.
  void compare(bool receives, bool sends) {
    Transfer made = transfer({});
    if (sends) {
      made.to = after();
      transfers_.push_back(made);
    }
    if (receives) {
      made.to = -1;
      made.from = before();
      transfers_.push_back(made);
    }
  }

  void reduce_alone() {
    in_blocks(&Schedule::reduce_block_alone);
  }
  void reduce_block_alone(Block block) {
    Transfer made = reducing(block);
    made.own = sent(block.first);
    made.out = received(block.first);
    made.last = true;
    transfers_.push_back(made);
  }

  // Block c is reduced in ring order from rank c + 1 to rank c, whose result then passes round the ring.
  void all_reduce() {
    const auto ranks = static_cast<std::size_t>(ranks_);
    for (std::size_t first = 0; first < operation_.count; first += ranks * block_) {
      const std::size_t left = operation_.count - first;
      const std::size_t size = std::min(block_, (left + ranks - 1) / ranks);
      const auto block = [&](int index) {
        const std::size_t begin = std::min(static_cast<std::size_t>(index) * size, left);
        return Block{first + begin, std::min(size, left - begin)};
      };
      for (int step = 1; step < 2 * ranks_; ++step) all_reduce_step(step, block(back(step)));
    }
  }
  void all_reduce_step(int step, Block block) {
    if (block.count == 0) return;
    const bool reduces = step <= ranks_;
    Transfer made = reduces ? reducing(block) : transfer(block);
    if (step > 1) made.from = before();
    if (step < 2 * ranks_ - 1) made.to = after();
    if (reduces) made.own = sent(block.first);
    if (step >= ranks_) made.out = received(block.first);
    made.last = step == ranks_;
    transfers_.push_back(made);
  }

  // Reduces in ring order from the rank after the root to the root.
  void reduce(Block block) {
    Transfer made = reducing(block);
    made.own = sent(block.first);
    if (before() != operation_.peer) made.from = before();
    if (rank_ != operation_.peer) made.to = after();
    if (rank_ == operation_.peer) made.out = received(block.first);
    made.last = rank_ == operation_.peer;
    transfers_.push_back(made);
  }

  void reduce_scatter(Block block) {
    for (int step = 1; step <= ranks_; ++step) {
      Transfer made = reducing(block);
      const auto owner = static_cast<std::size_t>(back(step));
      made.own = sent(owner * operation_.count + block.first);
      if (step > 1) made.from = before();
      if (step < ranks_) made.to = after();
      if (step == ranks_) made.out = received(block.first);
      made.last = step == ranks_;
      transfers_.push_back(made);
    }
  }

  void broadcast(Block block) {
    Transfer made = transfer(block);
    if (rank_ == operation_.peer) {
      made.own = sent(block.first);
      made.out = received(block.first);
    } else {
      made.from = before();
      made.out = received(block.first);
    }
    if (after() != operation_.peer) made.to = after();
    if (made.to < 0 && made.from < 0 && made.own == made.out) return;
    transfers_.push_back(made);
  }

  void all_gather(Block block) {
    for (int step = 0; step < ranks_; ++step) {
      Transfer made = transfer(block);
      const auto owner = static_cast<std::size_t>(back(step));
      made.out = received(owner * operation_.count + block.first);
      if (step == 0) made.own = sent(block.first);
      if (step > 0) made.from = before();
      if (step < ranks_ - 1) made.to = after();
      transfers_.push_back(made);
    }
  }

  void send_or_receive(Block block) {
    Transfer made = transfer(block);
    if (operation_.receives) {
      made.from = operation_.peer;
      made.out = received(block.first);
    } else {
      made.to = operation_.peer;
      made.own = sent(block.first);
    }
    transfers_.push_back(made);
  }

  const Operation& operation_;
  const int rank_;
  const int ranks_;
  const std::size_t element_;
  const std::size_t block_;  ///< elements of a block
  std::vector<Transfer>& transfers_;
};

}  // namespace

void append_transfers(const Operation& operation, int rank, int ranks,
                      std::vector<Transfer>& transfers) {
  Schedule(operation, rank, ranks, transfers).make();
}

}  // namespace simtrt::ccl
