// Cooperative groups: CUDA's namespace cooperative_groups. CUDA C++ Programming Guide, "Cooperative
// Groups".
//
// Not implemented: scans of tiles of several warps, and clusters. mappings/simt states the reasons.
#pragma once
#define SIMT_COOPERATIVE_GROUPS_H  // Programs test this macro: was the header included?

#include <simt_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace cooperative_groups {

/// All threads of the grid. sync() requires a launch by simtLaunchCooperativeKernel.
class grid_group {
 public:
  /// Split barrier: the wait of the threads is at barrier_wait.
  struct arrival_token {};
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&) const { sync(); }

  bool is_valid() const { return simtrt::is_cooperative_launch(); }
  void sync() const { simtrt::grid_barrier(); }
  unsigned long long size() const { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
  unsigned long long num_threads() const { return size(); }
  unsigned long long num_blocks() const {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  unsigned long long block_rank() const {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  unsigned long long thread_rank() const {
    return block_rank() * blockDim.x * blockDim.y * blockDim.z + threadIdx.x +
           blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  dim3 group_dim() const { return gridDim; }
  dim3 dim_blocks() const { return gridDim; }
  uint3 block_index() const { return blockIdx; }
};

/// All threads of the block.
class thread_block {
 public:
  /// Split barrier: the wait of the threads is at barrier_wait.
  struct arrival_token {};
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&) { __syncthreads(); }

  static void sync() { __syncthreads(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static uint3 thread_index() { return threadIdx; }
  static uint3 group_index() { return blockIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};

/// Lanes of one warp, given by a mask. A group that a partition has made knows its number among the `meta_size` groups.
class coalesced_group {
 public:
  explicit coalesced_group(simtrt::lanemask_t mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  void sync() const { __syncwarp(mask_); }
  unsigned size() const { return static_cast<unsigned>(__builtin_popcountll(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return rank_of(simtrt::lane_id()); }
  unsigned meta_group_size() const { return meta_size_; }
  unsigned meta_group_rank() const { return meta_rank_; }
  simtrt::lanemask_t mask() const { return mask_; }

  template <class T>
  T shfl(T value, int rank) const {
    return exchange(value, lane_of(static_cast<unsigned>(rank) % size()));
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return exchange(value, lane_of(rank >= delta ? rank - delta : rank));
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return exchange(value, lane_of(rank + delta < size() ? rank + delta : rank));
  }
  int any(int predicate) const { return __any_sync(mask_, predicate); }
  int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// One bit for each thread, by rank in the group.
  simtrt::lanemask_t ballot(int predicate) const {
    return by_rank(__ballot_sync(mask_, predicate));
  }
  template <class T>
  simtrt::lanemask_t match_any(T value) const {
    return by_rank(__match_any_sync(mask_, value));
  }
  template <class T>
  simtrt::lanemask_t match_all(T value, int& predicate) const {
    return by_rank(__match_all_sync(mask_, value, &predicate));
  }
  /// The `size` threads of the group whose ranks are from rank `first` on; fewer at the end.
  coalesced_group part(unsigned first, unsigned size) const {
    simtrt::lanemask_t lanes = 0;
    for (unsigned rank = first; rank < first + size && rank < this->size(); ++rank) {
      lanes |= simtrt::lanemask_t{1} << lane_of(rank);
    }
    return coalesced_group(lanes, first / size, (this->size() + size - 1) / size);
  }

 protected:
  unsigned rank_of(unsigned lane) const {
    return static_cast<unsigned>(__builtin_popcountll(mask_ & ((std::uint64_t{1} << lane) - 1)));
  }
  unsigned lane_of(unsigned rank) const {
    simtrt::lanemask_t left = mask_;
    while (rank-- != 0) left &= left - 1;
    return static_cast<unsigned>(__builtin_ctzll(left));
  }
  simtrt::lanemask_t by_rank(simtrt::lanemask_t lanes) const {
    simtrt::lanemask_t ranks = 0;
    for (unsigned rank = 0; rank < size(); ++rank) ranks |= (lanes >> lane_of(rank) & 1) << rank;
    return ranks;
  }
  template <class T>
  T exchange(T value, unsigned lane) const {
    if constexpr (sizeof(T) <= 8) {
      return simtrt::from_bits<T>(simtrt::warp_shuffle(mask_, simtrt::to_bits(value), lane));
    } else {
      constexpr std::size_t kParts = (sizeof(T) + 7) / 8;
      std::uint64_t parts[kParts] = {};
      std::memcpy(parts, static_cast<const void*>(&value), sizeof(T));
      for (std::uint64_t& part : parts) part = simtrt::warp_shuffle(mask_, part, lane);
      std::memcpy(static_cast<void*>(&value), parts, sizeof(T));
      return value;
    }
  }

 private:
  simtrt::lanemask_t mask_;
  unsigned meta_rank_;
  unsigned meta_size_;
};

}  // namespace cooperative_groups

#include <simtrt/cooperative_groups/block_tile.h>

namespace simtrt {

/// `Size` adjacent threads of a warp; Size is a power of two, at most the size of a warp.
template <unsigned Size, class Parent>
class WarpTile : public cooperative_groups::coalesced_group {
 public:
  explicit WarpTile(const Parent&) : coalesced_group(own_mask()) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return cooperative_groups::thread_block::thread_rank() % Size; }
  /// Number of tiles in the parent, and number of this tile.
  static unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }
  static unsigned meta_group_rank() { return Parent::thread_rank() / Size; }

  template <class T>
  T shfl_xor(T value, unsigned lanes) const {
    return exchange(value, lane_of((thread_rank() ^ lanes) % Size));
  }

 private:
  static lanemask_t own_mask() {
    const unsigned begin = lane_id() / Size * Size;
    const lanemask_t lanes = Size == static_cast<unsigned>(kWarpSize)
                                         ? kAllLanes
                                         : (lanemask_t{1} << Size % kWarpSize) - 1;
    return lanes << begin;
  }
};

template <unsigned Size, class Parent>
using Tile = std::conditional_t<(Size > static_cast<unsigned>(kWarpSize)), BlockTile<Size, Parent>,
                                WarpTile<Size, Parent>>;

}  // namespace simtrt

namespace cooperative_groups {

/// `Size` adjacent threads of a block; Size is a power of two.
template <unsigned Size, class Parent = thread_block>
class thread_block_tile : public simtrt::Tile<Size, Parent> {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 1024,
                "a tile has a power of two of threads");

 public:
  explicit thread_block_tile(const Parent& parent) : simtrt::Tile<Size, Parent>(parent) {}
};

/// Group of any kind, for code that is independent of the kind.
class thread_group {
 public:
  thread_group(const thread_block&) : mask_(0) {}
  thread_group(const coalesced_group& group) : mask_(group.mask()) {}

  void sync() const {
    if (mask_ == 0) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  unsigned size() const {
    return mask_ == 0 ? thread_block::size() : coalesced_group(mask_).size();
  }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return mask_ == 0 ? thread_block::thread_rank() : coalesced_group(mask_).thread_rank();
  }
  /// Lanes of the group; 0 for the whole block.
  simtrt::lanemask_t mask() const { return mask_; }

 private:
  simtrt::lanemask_t mask_;
};

inline grid_group this_grid() { return {}; }
inline thread_block this_thread_block() { return {}; }
inline thread_block_tile<1> this_thread() { return thread_block_tile<1>(thread_block()); }
__forceinline__ coalesced_group coalesced_threads(unsigned call = 0) {
  return coalesced_group(simtrt::warp_active(call));
}
// A macro, so that each call in a program is distinct (simtrt/kernel/warp.h, warp_active).
#define coalesced_threads() coalesced_threads(__COUNTER__)

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}

/// Tiles whose size is a run-time argument.
inline thread_group tiled_partition(const thread_block&, unsigned size) {
  const unsigned begin = simtrt::lane_id() / size * size;
  const simtrt::lanemask_t lanes = size >= static_cast<unsigned>(simtrt::kWarpSize)
                                       ? simtrt::kAllLanes
                                       : (simtrt::lanemask_t{1} << size) - 1;
  return coalesced_group(lanes << begin);
}
inline coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  return group.part(group.thread_rank() / size * size, size);
}
inline thread_group tiled_partition(const thread_group& group, unsigned size) {
  if (group.mask() == 0) return tiled_partition(thread_block(), size);
  return tiled_partition(coalesced_group(group.mask()), size);
}

inline coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
  const simtrt::lanemask_t votes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? votes : group.mask() & ~votes, predicate ? 1 : 0, 2);
}
template <class Label>
coalesced_group labeled_partition(const coalesced_group& group, Label label) {
  const simtrt::lanemask_t lanes = __match_any_sync(group.mask(), label);
  // The first lanes of all groups number the groups.
  const simtrt::lanemask_t own = simtrt::lanemask_t{1} << simtrt::lane_id();
  const simtrt::lanemask_t first = lanes & -lanes;
  const simtrt::lanemask_t firsts = __ballot_sync(group.mask(), own == first);
  return coalesced_group(lanes, static_cast<unsigned>(__builtin_popcountll(firsts & (first - 1))),
                         static_cast<unsigned>(__builtin_popcountll(firsts)));
}

template <class Group>
void sync(const Group& group) {
  group.sync();
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

/// Combines the values of all threads of the group by `combine`, in rank order. Every thread
/// receives the result.
template <class T, class Combine>
T reduce(const coalesced_group& group, T value, Combine combine) {
  T result = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    result = combine(result, group.shfl(value, static_cast<int>(rank)));
  }
  return result;
}
template <unsigned Size, class Parent, class T, class Combine>
T reduce(const thread_block_tile<Size, Parent>& tile, T value, Combine combine) {
  if constexpr (Size > static_cast<unsigned>(simtrt::kWarpSize)) {
    const simtrt::WarpTile<simtrt::kWarpSize, thread_block> warp{thread_block()};
    return tile.combine_warps(reduce(static_cast<const coalesced_group&>(warp), value, combine),
                              combine);
  } else {
    return reduce(static_cast<const coalesced_group&>(tile), value, combine);
  }
}
/// Inclusive scan: combines the values of the threads up to and including the calling thread.
template <class T, class Combine = plus<T>>
T inclusive_scan(const coalesced_group& group, T value, Combine combine = Combine()) {
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T before = group.shfl_up(value, delta);
    if (group.thread_rank() >= delta) value = combine(before, value);
  }
  return value;
}
/// Exclusive scan: combines the values of the threads before the calling thread. The first thread
/// receives a value-initialised T.
template <class T, class Combine = plus<T>>
T exclusive_scan(const coalesced_group& group, T value, Combine combine = Combine()) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T{} : before;
}

}  // namespace cooperative_groups

#include <simtrt/cooperative_groups/collectives.h>
