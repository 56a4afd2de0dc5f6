// Tiles of several warps. CUDA C++ Programming Guide, "Cooperative Groups", section "Thread Block
// Tile". simt_cooperative_groups.h includes this file.
#pragma once

#include <cstddef>
#include <type_traits>

namespace cooperative_groups {

/// Memory in which CUDA's tiles of several warps exchange values. Tiles of this target have memory of
/// their own, so that a program may omit it.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  char unused[1];
};

template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

}  // namespace cooperative_groups

namespace simtrt {

/// `Size` adjacent threads of a block, more than a warp's. Tile i meets at the block's barrier i,
/// which the kernel must not use at the same time (PTX `bar.sync`).
template <unsigned Size, class Parent>
class BlockTile {
 public:
  explicit BlockTile(const Parent&) {}

  static void sync() { meet(Barrier::kPlain, false); }
  static int any(int predicate) { return meet(Barrier::kOr, predicate != 0) != 0; }
  static int all(int predicate) { return meet(Barrier::kAnd, predicate != 0) != 0; }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return cooperative_groups::thread_block::thread_rank() % Size; }
  /// Number of tiles in the parent, and number of this tile.
  static unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }
  static unsigned meta_group_rank() { return Parent::thread_rank() / Size; }

  template <class T>
  T shfl(T value, unsigned rank) const {
    T* const slot = slots<T>() + number();
    if (thread_rank() == rank % Size) *slot = value;
    sync();
    const T result = *slot;
    sync();
    return result;
  }

  /// Values of the tile's warps combined in their order; `value` is the same in all lanes of a warp.
  template <class T, class Combine>
  static T combine_warps(T value, Combine combine) {
    constexpr unsigned kWarps = Size / static_cast<unsigned>(kWarpSize);
    T* const slot = slots<T>() + number() * kWarps;
    if (lane_id() == 0) slot[thread_rank() / static_cast<unsigned>(kWarpSize)] = value;
    sync();
    T result = slot[0];
    const unsigned warps = threads() / static_cast<unsigned>(kWarpSize);
    for (unsigned warp = 1; warp < warps; ++warp) result = combine(result, slot[warp]);
    sync();
    return result;
  }

 private:
  static unsigned number() { return cooperative_groups::thread_block::thread_rank() / Size; }
  /// Threads of the tile: fewer if the block ends in it.
  static unsigned threads() {
    const unsigned rest = cooperative_groups::thread_block::size() - number() * Size;
    return rest < Size ? rest : Size;
  }
  static int meet(Barrier kind, bool predicate) {
    return named_barrier(number(), threads(), kind, predicate, true);
  }
  template <class T>
  static T* slots() {
    static_assert(std::is_trivially_copyable_v<T>, "tiles exchange values that can be copied as bytes");
    constexpr unsigned kMostWarps = 1024 / static_cast<unsigned>(kWarpSize);
    struct alignas(T) Bytes {
      char bytes[sizeof(T) * kMostWarps];
    };
    __shared__ Bytes values;
    return reinterpret_cast<T*>(values.bytes);
  }
};

}  // namespace simtrt
