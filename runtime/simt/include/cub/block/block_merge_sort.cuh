// cub::BlockMergeSort: a block sorts the keys of its threads by a comparison, optionally with values. Interface: CUDA
// 12.4, cub/block/block_merge_sort.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

#include <algorithm>
#include <numeric>
#include <vector>

CUB_NAMESPACE_BEGIN

/// Keys and values are in blocked arrangement. Sort and StableSort both keep the order of equal keys. TempStorage may
/// be reused after a __syncthreads().
template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockMergeSort {
  static constexpr int kItems = ITEMS_PER_THREAD;
  static constexpr int kTile = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z * ITEMS_PER_THREAD;

  struct Storage {
    union {
      detail::UninitializedArray<KeyT, kTile> keys;
      detail::UninitializedArray<ValueT, kTile> values;
    };
    int ranks[kTile];
  };

 public:
  struct TempStorage : detail::Uninitialized<Storage> {};

  BlockMergeSort() : BlockMergeSort(private_storage()) {}
  explicit BlockMergeSort(TempStorage& storage)
      : storage_(storage.Alias()), thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], CompareOp compare_op) {
    sort(keys, compare_op);
  }
  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], ValueT (&items)[kItems], CompareOp compare_op) {
    sort(keys, compare_op);
    follow(items);
  }
  /// Keys from `valid_items` on count as `oob_default`, which must not precede any valid key.
  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], CompareOp compare_op, int valid_items, KeyT oob_default) {
    cut(keys, valid_items, oob_default);
    sort(keys, compare_op);
  }
  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], ValueT (&items)[kItems], CompareOp compare_op, int valid_items,
            KeyT oob_default) {
    cut(keys, valid_items, oob_default);
    sort(keys, compare_op);
    follow(items);
  }
  template <class... Arguments>
  void StableSort(Arguments&&... arguments) {
    Sort(static_cast<Arguments&&>(arguments)...);
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  int place(int item) const { return thread_ * kItems + item; }

  void cut(KeyT (&keys)[kItems], int valid_items, const KeyT& oob_default) {
    for (int i = 0; i < kItems; ++i) {
      if (place(i) >= valid_items) keys[i] = oob_default;
    }
  }

  /// Writes the new position of each item of the tile to `ranks`.
  template <class CompareOp>
  void sort(KeyT (&keys)[kItems], CompareOp& compare_op) {
    KeyT* tile = storage_.keys.items();
    for (int i = 0; i < kItems; ++i) tile[place(i)] = keys[i];
    __syncthreads();
    if (thread_ == 0) {
      std::vector<int> sources(kTile);
      std::iota(sources.begin(), sources.end(), 0);
      std::stable_sort(sources.begin(), sources.end(), [&](int a, int b) {
        return static_cast<bool>(compare_op(tile[a], tile[b]));
      });
      const std::vector<KeyT> unsorted(tile, tile + kTile);
      for (int target = 0; target < kTile; ++target) {
        tile[target] = unsorted[sources[target]];
        storage_.ranks[sources[target]] = target;
      }
    }
    __syncthreads();
    for (int i = 0; i < kItems; ++i) keys[i] = tile[place(i)];
  }

  /// Moves the values to the new positions of their keys.
  void follow(ValueT (&values)[kItems]) {
    ValueT* tile = storage_.values.items();
    __syncthreads();
    for (int i = 0; i < kItems; ++i) tile[storage_.ranks[place(i)]] = values[i];
    __syncthreads();
    for (int i = 0; i < kItems; ++i) values[i] = tile[place(i)];
  }

  Storage& storage_;
  int thread_;
};

CUB_NAMESPACE_END
