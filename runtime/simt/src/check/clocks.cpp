#include "check/clocks.h"

#include "device_limits.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace simtrt::check {
namespace {

constexpr unsigned kGridShift = 22;  // clocks between two barriers of a grid

std::atomic<std::uint64_t> next_epoch{1};

void raise(std::uint32_t& value, std::uint32_t other) { value = std::max(value, other); }

}  // namespace

void Knowledge::join(const Knowledge& other) {
  for (const auto& [one, clock] : other.threads) raise(threads[one], clock);
  for (const auto& [one, clock] : other.blocks) raise(blocks[one], clock);
}

bool Knowledge::covers(Actor one, std::uint32_t clock) const {
  const auto thread = threads.find(one);
  if (thread != threads.end() && clock <= thread->second) return true;
  const auto block = blocks.find(one - thread_of(one));
  return block != blocks.end() && clock <= block->second;
}

Learnt joined(const Learnt& one, const Learnt& other) {
  if (one == other || other == nullptr) return one;
  if (one == nullptr) return other;
  auto made = std::make_shared<Knowledge>(*one);
  made->join(*other);
  return made;
}

namespace {

/// Sum of what threads have learnt. Copies knowledge at the second different part only.
class Sum {
 public:
  explicit Sum(Learnt first = nullptr) : known_(std::move(first)) {}
  void add(const Learnt& part) {
    if (part == nullptr || part == known_) return;
    if (known_ == nullptr) {
      known_ = part;
      return;
    }
    if (own_ == nullptr) known_ = own_ = std::make_shared<Knowledge>(*known_);
    own_->join(*part);
  }
  const Learnt& get() const { return known_; }

 private:
  Learnt known_;
  std::shared_ptr<Knowledge> own_;
};

}  // namespace

BlockClocks& BlockClocks::current() {
  // A pointer: a program's thread-local memory has no room for the clocks (tests/runtime/test_simt_process.py).
  static thread_local const auto clocks = std::make_unique<BlockClocks>();
  return *clocks;
}

void BlockClocks::begin(Run new_run, std::uint64_t new_block) {
  threads_.resize(kMaxThreadsPerBlock);
  knowledge_.resize(kMaxThreadsPerBlock);
  if (run != new_run) earlier_.fill({});
  run = new_run;
  block = new_block;
  first_ = actor(run, block, 0);
  serial = epoch_ = next_epoch.fetch_add(1);
  base_clock_ = most_ = 1;
  base_known_ = grid_floor_ = 0;
  base_learnt_ = base_released_ = base_acquired_ = nullptr;
  any_knowledge_ = false;
}

void BlockClocks::renew(ThreadKnowledge& one) {
  if (one.epoch < serial) one.lanes_known.fill(0);  // of a thread of an earlier block
  one.epoch = epoch_;
  one.learnt = base_learnt_;
  one.released = base_released_;
  one.acquired = base_acquired_;
  any_knowledge_ = true;
}

void BlockClocks::barrier() {
  if (any_knowledge_) {
    Sum learnt(base_learnt_), released(base_released_), acquired(base_acquired_);
    for (const ThreadKnowledge& one : knowledge_) {
      if (one.epoch < serial) continue;
      learnt.add(one.learnt);
      released.add(one.released);
      acquired.add(one.acquired);
    }
    base_learnt_ = learnt.get();
    base_released_ = released.get();
    base_acquired_ = acquired.get();
  }
  base_known_ = most_;
  base_clock_ = ++most_;
  epoch_ = next_epoch.fetch_add(1);
}

void BlockClocks::grid_barrier() {
  const std::uint32_t generation = (grid_floor_ >> kGridShift) + 1;
  grid_floor_ = generation << kGridShift;
  raise(most_, grid_floor_);
}

void BlockClocks::warp_sync(unsigned warp, lanemask_t lanes) {
  std::array<std::uint32_t, kWarpSize> known{};
  std::uint32_t block_known = 0;
  Sum learnt, released, acquired;
  const auto each = [&](auto visit) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const unsigned number = warp * kWarpSize + lane;
      if ((lanes >> lane & 1) != 0) visit(lane, thread(number), knowledge(number));
    }
  };
  each([&](unsigned lane, const ThreadClock& one, const ThreadKnowledge& its) {
    for (unsigned other = 0; other < kWarpSize; ++other) raise(known[other], its.lanes_known[other]);
    raise(known[lane], one.clock);
    raise(block_known, one.block_known);
    learnt.add(its.learnt);
    released.add(its.released);
    acquired.add(its.acquired);
  });
  each([&](unsigned, ThreadClock& one, ThreadKnowledge& its) {
    its.lanes_known = known;
    one.block_known = block_known;
    its.learnt = learnt.get();
    its.released = released.get();
    its.acquired = acquired.get();
    raise(most_, ++one.clock);
  });
}

bool BlockClocks::is_of_earlier_run(Run earlier, std::uint32_t clock) {
  if (!check::is_ordered(earlier, clock, run)) return false;
  // The clock matters for the host only: all of another run precedes, or nothing.
  earlier_[earlier % earlier_.size()] = {earlier, earlier == kHostRun ? clock : std::numeric_limits<std::uint32_t>::max()};
  return true;
}

bool BlockClocks::is_ordered_in_run(Actor earlier, std::uint32_t clock, unsigned number) {
  const bool is_near = is_of_block(earlier);
  if (!is_near && clock < grid_floor_) return true;
  if (base_learnt_ == nullptr && knowledge_[number].epoch < serial) return false;
  const ThreadKnowledge& one = knowledge(number);
  if (is_near) {
    const unsigned other = thread_of(earlier);
    if (other / kWarpSize == number / kWarpSize && clock <= one.lanes_known[other % kWarpSize]) return true;
  }
  return one.learnt != nullptr && one.learnt->covers(earlier, clock);
}

Learnt BlockClocks::snapshot(unsigned number) {
  const ThreadClock& one = thread(number);
  const ThreadKnowledge& its = knowledge(number);
  auto made = its.learnt == nullptr ? std::make_shared<Knowledge>() : std::make_shared<Knowledge>(*its.learnt);
  raise(made->threads[actor_of(number)], one.clock);
  raise(made->blocks[first_], one.block_known);
  const unsigned first = number / kWarpSize * kWarpSize;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (its.lanes_known[lane] > one.block_known && first + lane != number)
      raise(made->threads[actor_of(first + lane)], its.lanes_known[lane]);
  }
  return made;
}

void BlockClocks::advance(unsigned number) { raise(most_, ++thread(number).clock); }

}  // namespace simtrt::check
