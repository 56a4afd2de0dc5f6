// The first and last items of the threads of a block, for algorithms on neighbouring items of a tile.
#pragma once

#include <simtrt/cub/arrangement.h>

#include <type_traits>

CUB_NAMESPACE_BEGIN

namespace detail {

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y, int BLOCK_DIM_Z>
class Neighbours {
  static constexpr int kThreads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;

 public:
  struct Storage {
    UninitializedArray<T, kThreads> first;
    UninitializedArray<T, kThreads> last;
  };

  explicit Neighbours(Storage& storage)
      : storage_(storage), thread_(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

  int thread() const { return thread_; }

  /// Each thread of the block gives its items.
  template <int ITEMS>
  void share(const T (&items)[ITEMS]) {
    storage_.first.items()[thread_] = items[0];
    storage_.last.items()[thread_] = items[ITEMS - 1];
    __syncthreads();
  }

  /// The item before the thread's first one; `outside` for the first thread.
  const T* before(const T* outside) {
    return thread_ > 0 ? &storage_.last.items()[thread_ - 1] : outside;
  }
  /// The item after the thread's last one; `outside` for the last thread.
  const T* after(const T* outside) {
    return thread_ + 1 < kThreads ? &storage_.first.items()[thread_ + 1] : outside;
  }
  const T& first_of_tile() { return storage_.first.items()[0]; }
  const T& last_of_tile() { return storage_.last.items()[kThreads - 1]; }

 private:
  Storage& storage_;
  int thread_;
};

}  // namespace detail

CUB_NAMESPACE_END
