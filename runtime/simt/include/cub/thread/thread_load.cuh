// cub::ThreadLoad: a read through a cache of the GPU. Interface: CUDA 12.4,
// cub/thread/thread_load.cuh.
#pragma once

#include <cub/config.cuh>

#include <iterator>
#include <type_traits>

CUB_NAMESPACE_BEGIN

/// Caches of a GPU. A host has one kind of read, so that only LOAD_VOLATILE differs: the compiler
/// reads memory again.
enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};

template <CacheLoadModifier MODIFIER, class InputIteratorT>
typename std::iterator_traits<InputIteratorT>::value_type ThreadLoad(InputIteratorT itr) {
  if constexpr (MODIFIER == LOAD_VOLATILE || MODIFIER == LOAD_CV) {
    using T = typename std::iterator_traits<InputIteratorT>::value_type;
    if constexpr (std::is_pointer_v<InputIteratorT> && std::is_arithmetic_v<T>) {
      return *static_cast<const volatile T*>(itr);
    }
  }
  return *itr;
}

CUB_NAMESPACE_END
