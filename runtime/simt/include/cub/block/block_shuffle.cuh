// cub::BlockShuffle: items move to other threads of a block. Interface: CUDA 12.4, cub/block/block_shuffle.cuh.
#pragma once

#include <simtrt/cub/neighbours.h>

CUB_NAMESPACE_BEGIN

/// TempStorage may be reused after a __syncthreads().
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockShuffle {
  using Edges = detail::Neighbours<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

 public:
  struct TempStorage : detail::Uninitialized<typename Edges::Storage> {};

  BlockShuffle() : BlockShuffle(private_storage()) {}
  explicit BlockShuffle(TempStorage& storage) : storage_(storage.Alias()), edges_(storage_) {}

  /// The item of the thread `distance` further; no change if there is no such thread.
  void Offset(T input, T& output, int distance = 1) {
    const int source = share(input) + distance;
    if (source >= 0 && source < kThreads) output = storage_.first.items()[source];
  }
  /// The item of the thread `distance` further, counted in a circle.
  void Rotate(T input, T& output, unsigned int distance = 1) {
    const unsigned source = static_cast<unsigned>(share(input)) + distance;
    output = storage_.first.items()[source % kThreads];
  }

  /// Items move to the next place of the tile; the first place is not written.
  template <int ITEMS>
  void Up(T (&input)[ITEMS], T (&prev)[ITEMS]) {
    edges_.share(input);
    for (int i = ITEMS - 1; i > 0; --i) prev[i] = input[i - 1];
    if (const T* before = edges_.before(nullptr)) prev[0] = *before;
  }
  template <int ITEMS>
  void Up(T (&input)[ITEMS], T (&prev)[ITEMS], T& block_suffix) {
    Up(input, prev);
    block_suffix = edges_.last_of_tile();
  }
  /// Items move to the previous place of the tile; the last place is not written.
  template <int ITEMS>
  void Down(T (&input)[ITEMS], T (&next)[ITEMS]) {
    edges_.share(input);
    for (int i = 0; i + 1 < ITEMS; ++i) next[i] = input[i + 1];
    if (const T* after = edges_.after(nullptr)) next[ITEMS - 1] = *after;
  }
  template <int ITEMS>
  void Down(T (&input)[ITEMS], T (&next)[ITEMS], T& block_prefix) {
    Down(input, next);
    block_prefix = edges_.first_of_tile();
  }

 private:
  static TempStorage& private_storage() {
    __shared__ TempStorage storage;
    return storage;
  }

  int share(const T& input) {
    const T items[1] = {input};
    edges_.share(items);
    return edges_.thread();
  }

  typename Edges::Storage& storage_;
  Edges edges_;
};

CUB_NAMESPACE_END
