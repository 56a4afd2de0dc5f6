// cub::BlockRadixSort: a block sorts the keys of its threads, optionally with values. Interface:
// CUDA 12.4, cub/block/block_radix_sort.cuh.
#pragma once

#include <cub/block/block_scan.cuh>
#include <simtrt/cub/arrangement.h>
#include <simtrt/cub/radix.h>
#include <simtrt/cub/sort_storage.h>

CUB_NAMESPACE_BEGIN

/// Keys and values are in blocked arrangement before and after the sort, unless a function states
/// otherwise. Equal keys keep their order. TempStorage may be reused after a __syncthreads().
/// Parameters that tune a GPU's ranking of digits are ignored.
template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType,
          int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          simtSharedMemConfig SMEM_CONFIG = simtSharedMemBankSizeFourByte, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort {
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static constexpr int kItems = ITEMS_PER_THREAD;
  static constexpr int kTile = kThreads * kItems;
  static constexpr int kKeyBits = static_cast<int>(sizeof(KeyT) * 8);

  using Storage = detail::SortStorage<KeyT, ValueT, kTile>;

 public:
  struct TempStorage : detail::Uninitialized<Storage> {};

  BlockRadixSort() : BlockRadixSort(private_storage()) {}
  explicit BlockRadixSort(TempStorage& storage)
      : storage_(storage.Alias()), thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

  void Sort(KeyT (&keys)[kItems], int begin_bit = 0, int end_bit = kKeyBits) {
    sort<false>(keys, {begin_bit, end_bit, false});
  }
  void Sort(KeyT (&keys)[kItems], ValueT (&values)[kItems], int begin_bit = 0,
            int end_bit = kKeyBits) {
    sort<false>(keys, {begin_bit, end_bit, false});
    follow<false>(values);
  }
  void SortDescending(KeyT (&keys)[kItems], int begin_bit = 0, int end_bit = kKeyBits) {
    sort<false>(keys, {begin_bit, end_bit, true});
  }
  void SortDescending(KeyT (&keys)[kItems], ValueT (&values)[kItems], int begin_bit = 0,
                      int end_bit = kKeyBits) {
    sort<false>(keys, {begin_bit, end_bit, true});
    follow<false>(values);
  }

  /// The result is in striped arrangement.
  void SortBlockedToStriped(KeyT (&keys)[kItems], int begin_bit = 0, int end_bit = kKeyBits) {
    sort<true>(keys, {begin_bit, end_bit, false});
  }
  void SortBlockedToStriped(KeyT (&keys)[kItems], ValueT (&values)[kItems], int begin_bit = 0,
                            int end_bit = kKeyBits) {
    sort<true>(keys, {begin_bit, end_bit, false});
    follow<true>(values);
  }
  void SortDescendingBlockedToStriped(KeyT (&keys)[kItems], int begin_bit = 0,
                                      int end_bit = kKeyBits) {
    sort<true>(keys, {begin_bit, end_bit, true});
  }
  void SortDescendingBlockedToStriped(KeyT (&keys)[kItems], ValueT (&values)[kItems],
                                      int begin_bit = 0, int end_bit = kKeyBits) {
    sort<true>(keys, {begin_bit, end_bit, true});
    follow<true>(values);
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  /// Writes the new position of each item of the tile to `ranks`.
  template <bool STRIPED>
  void sort(KeyT (&keys)[kItems], detail::RadixOrder order) {
    KeyT* tile = storage_.keys.items();
    for (int i = 0; i < kItems; ++i) tile[detail::blocked<kItems>(thread_, i)] = keys[i];
    __syncthreads();
    if (thread_ == 0) {
      const std::vector<KeyT> unsorted(tile, tile + kTile);
      detail::radix_order(tile, kTile, order, [&](std::size_t place, std::size_t source) {
        storage_.ranks[source] = static_cast<int>(place);
      });
      for (int i = 0; i < kTile; ++i) tile[storage_.ranks[i]] = unsorted[i];
    }
    __syncthreads();
    for (int i = 0; i < kItems; ++i) {
      keys[i] = tile[detail::place<STRIPED, kThreads, kItems>(thread_, i)];
    }
  }

  /// Moves the values to the new positions of their keys.
  template <bool STRIPED>
  void follow(ValueT (&values)[kItems]) {
    ValueT* tile = storage_.values.items();
    __syncthreads();
    for (int i = 0; i < kItems; ++i) {
      tile[storage_.ranks[detail::blocked<kItems>(thread_, i)]] = values[i];
    }
    __syncthreads();
    for (int i = 0; i < kItems; ++i) {
      values[i] = tile[detail::place<STRIPED, kThreads, kItems>(thread_, i)];
    }
  }

  Storage& storage_;
  int thread_;
};

CUB_NAMESPACE_END
