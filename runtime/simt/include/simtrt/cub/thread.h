// Position of a thread in its block and warp, and the storage that a block or warp shares.
//
// Ownership: the storage is shared memory of the block; a collective of cub refers to it only during
// a call. Threads: threads of a running kernel. Memory ordering: barriers of the block or warp
// (simtrt/kernel/block.h, simtrt/kernel/warp.h) order the accesses; there are no atomics.
#pragma once

#include <simtrt/kernel/block.h>
#include <simtrt/cub/types.h>
#include <simtrt/kernel/variables.h>
#include <simtrt/kernel/warp.h>

#include <cstdint>
#include <cstring>
#include <new>

CUB_NAMESPACE_BEGIN

/// Number of the calling thread in its warp.
inline unsigned int LaneId() { return simtrt::lane_id(); }

/// Rank of the calling thread in a block of these dimensions, x fastest.
inline int RowMajorTid(int block_dim_x, int block_dim_y, int /*block_dim_z*/) {
  return static_cast<int>((threadIdx.z * block_dim_y + threadIdx.y) * block_dim_x + threadIdx.x);
}

namespace detail {

/// Minimum alignment of a TempStorage. CUB's storage for exchanges has this alignment
/// (cub/block/block_exchange.cuh: __align__(16)), and kernels place 16-byte vectors directly after
/// a TempStorage.
inline constexpr std::size_t kStorageAlignment = 16;

/// Memory for a T whose constructor never runs, so that unions in shared memory can contain it.
template <class T>
struct Uninitialized {
  alignas(T) alignas(kStorageAlignment) unsigned char bytes[sizeof(T)];

  T& Alias() { return *std::launder(reinterpret_cast<T*>(bytes)); }
};

template <class T, int COUNT>
struct UninitializedArray {
  alignas(T) unsigned char bytes[sizeof(T) * COUNT];

  T* items() { return std::launder(reinterpret_cast<T*>(bytes)); }
};

/// Storage of an algorithm without shared data.
struct alignas(kStorageAlignment) NoStorage {};

/// Storage of COUNT items if EXCHANGES is true, because CUB's algorithm exchanges items through
/// such a storage. This runtime does not need it, but programs use a TempStorage for their own data
/// between calls and rely on its size.
template <bool EXCHANGES, class T, int COUNT>
using ExchangeStorage =
    std::conditional_t<EXCHANGES, Uninitialized<UninitializedArray<T, COUNT>>, NoStorage>;

/// Group of WIDTH adjacent lanes that contains the calling thread. It exchanges values without
/// storage.
template <int WIDTH>
class LogicalWarp {
  static_assert(WIDTH >= 1 && WIDTH <= simtrt::kWarpSize, "a logical warp fits into a warp");

 public:
  LogicalWarp() : lane_(simtrt::lane_id() % WIDTH), first_(simtrt::lane_id() - lane_) {}

  int lane() const { return static_cast<int>(lane_); }

  simtrt::lanemask_t mask() const {
    return WIDTH == simtrt::kWarpSize
               ? simtrt::kAllLanes
               : ((simtrt::lanemask_t{1} << (WIDTH % simtrt::kWarpSize)) - 1) << first_;
  }

  void sync() const { simtrt::warp_sync(mask()); }

  /// Sets `all[i]` to the value of lane i of the group. Returns the lanes that contributed a value,
  /// as a mask whose bit 0 is lane 0 of the group.
  template <class T>
  simtrt::lanemask_t gather(const T& value, T (&all)[WIDTH]) const {
    static_assert(std::is_trivially_destructible<T>::value, "a warp exchanges plain values");
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    simtrt::lanemask_t present = 0;
    std::uint64_t words[simtrt::kWarpSize];
    for (std::size_t offset = 0; offset < sizeof(T); offset += kWord) {
      const std::size_t size = sizeof(T) - offset < kWord ? sizeof(T) - offset : kWord;
      std::uint64_t word = 0;
      std::memcpy(&word, reinterpret_cast<const char*>(&value) + offset, size);
      present = simtrt::warp_gather(mask(), word, words);
      for (int i = 0; i < WIDTH && first_ + i < static_cast<unsigned>(simtrt::kWarpSize); ++i) {
        std::memcpy(reinterpret_cast<char*>(&all[i]) + offset, &words[first_ + i], size);
      }
    }
    return (present & mask()) >> first_;
  }

 private:
  unsigned lane_;
  unsigned first_;
};

}  // namespace detail

CUB_NAMESPACE_END
