// cub::ThreadStore: a write through a cache of the GPU. Interface: CUDA 12.4,
// cub/thread/thread_store.cuh.
#pragma once

#include <cub/config.cuh>

#include <type_traits>

CUB_NAMESPACE_BEGIN

/// Caches of a GPU. A host has one kind of write, so that only STORE_VOLATILE differs: the compiler
/// writes to memory at once.
enum CacheStoreModifier {
  STORE_DEFAULT,
  STORE_WB,
  STORE_CG,
  STORE_CS,
  STORE_WT,
  STORE_VOLATILE
};

template <CacheStoreModifier MODIFIER, class OutputIteratorT, class T>
void ThreadStore(OutputIteratorT itr, T value) {
  if constexpr (MODIFIER == STORE_VOLATILE && std::is_pointer_v<OutputIteratorT>) {
    using Item = std::remove_pointer_t<OutputIteratorT>;
    if constexpr (std::is_arithmetic_v<Item>) {
      *static_cast<volatile Item*>(itr) = value;
      return;
    }
  }
  *itr = value;
}

CUB_NAMESPACE_END
