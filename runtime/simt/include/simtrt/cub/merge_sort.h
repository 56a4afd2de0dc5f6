// Sort of the keys of a group of threads by a comparison, for BlockMergeSort and WarpMergeSort.
#pragma once

#include <simtrt/cub/arrangement.h>
#include <simtrt/cub/sort_storage.h>

#include <algorithm>
#include <numeric>
#include <vector>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Keys and values are in blocked arrangement. Sort and StableSort both keep the order of equal keys. `Group` has a
/// function sync(), a barrier of the group's THREADS threads.
template <class Group, int THREADS, class KeyT, int ITEMS, class ValueT>
class MergeSort {
  static constexpr int kTile = THREADS * ITEMS;
  using Storage = SortStorage<KeyT, ValueT, kTile>;

 public:
  struct TempStorage : Uninitialized<Storage> {};

  template <class CompareOp>
  void Sort(KeyT (&keys)[ITEMS], CompareOp compare_op) {
    sort(keys, compare_op);
  }
  template <class CompareOp>
  void Sort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], CompareOp compare_op) {
    sort(keys, compare_op);
    follow(values);
  }
  /// Keys from `valid_items` on count as `oob_default`, which must not precede any valid key.
  template <class CompareOp>
  void Sort(KeyT (&keys)[ITEMS], CompareOp compare_op, int valid_items, KeyT oob_default) {
    cut(keys, valid_items, oob_default);
    sort(keys, compare_op);
  }
  template <class CompareOp>
  void Sort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], CompareOp compare_op, int valid_items,
            KeyT oob_default) {
    cut(keys, valid_items, oob_default);
    sort(keys, compare_op);
    follow(values);
  }

  template <class CompareOp>
  void StableSort(KeyT (&keys)[ITEMS], CompareOp compare_op) {
    Sort(keys, compare_op);
  }
  template <class CompareOp>
  void StableSort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], CompareOp compare_op) {
    Sort(keys, values, compare_op);
  }
  template <class CompareOp>
  void StableSort(KeyT (&keys)[ITEMS], CompareOp compare_op, int valid_items, KeyT oob_default) {
    Sort(keys, compare_op, valid_items, oob_default);
  }
  template <class CompareOp>
  void StableSort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], CompareOp compare_op,
                  int valid_items, KeyT oob_default) {
    Sort(keys, values, compare_op, valid_items, oob_default);
  }

 protected:
  MergeSort(TempStorage& storage, const Group& group, int thread)
      : storage_(storage.Alias()), group_(group), thread_(thread) {}

  const Group& group() const { return group_; }

 private:
  int place(int item) const { return blocked<ITEMS>(thread_, item); }

  void cut(KeyT (&keys)[ITEMS], int valid_items, const KeyT& oob_default) {
    for (int i = 0; i < ITEMS; ++i) {
      if (place(i) >= valid_items) keys[i] = oob_default;
    }
  }

  /// Writes the new position of each item of the tile to `ranks`.
  template <class CompareOp>
  void sort(KeyT (&keys)[ITEMS], CompareOp& compare_op) {
    KeyT* tile = storage_.keys.items();
    for (int i = 0; i < ITEMS; ++i) tile[place(i)] = keys[i];
    group_.sync();
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
    group_.sync();
    for (int i = 0; i < ITEMS; ++i) keys[i] = tile[place(i)];
  }

  /// Moves the values to the new positions of their keys.
  void follow(ValueT (&values)[ITEMS]) {
    ValueT* tile = storage_.values.items();
    group_.sync();
    for (int i = 0; i < ITEMS; ++i) tile[storage_.ranks[place(i)]] = values[i];
    group_.sync();
    for (int i = 0; i < ITEMS; ++i) values[i] = tile[place(i)];
  }

  Storage& storage_;
  Group group_;
  int thread_;
};

}  // namespace detail

CUB_NAMESPACE_END
