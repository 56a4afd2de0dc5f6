// cub::WarpMergeSort: a warp sorts the keys of its lanes by a comparison, optionally with values.
// Interface: CUDA 12.4, cub/warp/warp_merge_sort.cuh and cub/block/block_merge_sort.cuh.
#pragma once

#include <simtrt/cub/arrangement.h>

#include <algorithm>
#include <numeric>
#include <vector>

CUB_NAMESPACE_BEGIN

/// Keys and values are in blocked arrangement. Sort and StableSort both keep the order of equal
/// keys. TempStorage, one for each logical warp, may be reused after a __syncwarp().
template <class KeyT, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = simtrt::kWarpSize,
          class ValueT = NullType, int PTX_ARCH = 0>
class WarpMergeSort {
  static constexpr int kItems = ITEMS_PER_THREAD;
  static constexpr int kTile = LOGICAL_WARP_THREADS * ITEMS_PER_THREAD;

  struct Storage {
    union {
      detail::UninitializedArray<KeyT, kTile> keys;
      detail::UninitializedArray<ValueT, kTile> values;
    };
    int ranks[kTile];
  };

 public:
  struct TempStorage : detail::Uninitialized<Storage> {};

  explicit WarpMergeSort(TempStorage& storage) : storage_(storage.Alias()) {}

  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], CompareOp compare_op) {
    sort(keys, compare_op);
  }
  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], ValueT (&values)[kItems], CompareOp compare_op) {
    sort(keys, compare_op);
    follow(values);
  }

  /// Keys from `valid_items` on count as `oob_default`, which must not precede any valid key.
  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], CompareOp compare_op, int valid_items, KeyT oob_default) {
    cut(keys, valid_items, oob_default);
    sort(keys, compare_op);
  }
  template <class CompareOp>
  void Sort(KeyT (&keys)[kItems], ValueT (&values)[kItems], CompareOp compare_op, int valid_items,
            KeyT oob_default) {
    cut(keys, valid_items, oob_default);
    sort(keys, compare_op);
    follow(values);
  }

  template <class CompareOp>
  void StableSort(KeyT (&keys)[kItems], CompareOp compare_op) {
    Sort(keys, compare_op);
  }
  template <class CompareOp>
  void StableSort(KeyT (&keys)[kItems], ValueT (&values)[kItems], CompareOp compare_op) {
    Sort(keys, values, compare_op);
  }
  template <class CompareOp>
  void StableSort(KeyT (&keys)[kItems], CompareOp compare_op, int valid_items, KeyT oob_default) {
    Sort(keys, compare_op, valid_items, oob_default);
  }
  template <class CompareOp>
  void StableSort(KeyT (&keys)[kItems], ValueT (&values)[kItems], CompareOp compare_op,
                  int valid_items, KeyT oob_default) {
    Sort(keys, values, compare_op, valid_items, oob_default);
  }

  simtrt::lanemask_t get_member_mask() const { return warp_.mask(); }

 private:
  void cut(KeyT (&keys)[kItems], int valid_items, const KeyT& oob_default) {
    for (int i = 0; i < kItems; ++i) {
      if (detail::blocked<kItems>(warp_.lane(), i) >= valid_items) keys[i] = oob_default;
    }
  }

  /// Writes the new position of each item of the tile to `ranks`.
  template <class CompareOp>
  void sort(KeyT (&keys)[kItems], CompareOp& compare_op) {
    KeyT* tile = storage_.keys.items();
    for (int i = 0; i < kItems; ++i) tile[detail::blocked<kItems>(warp_.lane(), i)] = keys[i];
    warp_.sync();
    if (warp_.lane() == 0) {
      std::vector<int> sources(kTile);
      std::iota(sources.begin(), sources.end(), 0);
      std::stable_sort(sources.begin(), sources.end(), [&](int a, int b) {
        return static_cast<bool>(compare_op(tile[a], tile[b]));
      });
      const std::vector<KeyT> unsorted(tile, tile + kTile);
      for (int place = 0; place < kTile; ++place) {
        tile[place] = unsorted[sources[place]];
        storage_.ranks[sources[place]] = place;
      }
    }
    warp_.sync();
    for (int i = 0; i < kItems; ++i) keys[i] = tile[detail::blocked<kItems>(warp_.lane(), i)];
  }

  /// Moves the values to the new positions of their keys.
  void follow(ValueT (&values)[kItems]) {
    ValueT* tile = storage_.values.items();
    warp_.sync();
    for (int i = 0; i < kItems; ++i) {
      tile[storage_.ranks[detail::blocked<kItems>(warp_.lane(), i)]] = values[i];
    }
    warp_.sync();
    for (int i = 0; i < kItems; ++i) values[i] = tile[detail::blocked<kItems>(warp_.lane(), i)];
  }

  Storage& storage_;
  detail::LogicalWarp<LOGICAL_WARP_THREADS> warp_;
};

CUB_NAMESPACE_END
