// Storage of sorts in which the threads of a block or warp share one tile of items.
#pragma once

#include <simtrt/cub/thread.h>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Items of a tile, first the keys, then the values, and the new position of each item in the sorted tile.
template <class KeyT, class ValueT, int TILE>
struct SortStorage {
  union {
    UninitializedArray<KeyT, TILE> keys;
    UninitializedArray<ValueT, TILE> values;
  };
  int ranks[TILE];
};

}  // namespace detail

CUB_NAMESPACE_END
