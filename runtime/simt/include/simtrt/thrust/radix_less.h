// Order of floating-point keys in sorts of thrust with `less` and `greater`. CUDA's thrust uses CUB's radix
// sort for these keys: negative NaNs, -inf to inf, positive NaNs; -0 and 0 are equal keys. A comparison
// by `<` is no order if a key is NaN. Source: CUDA 12.4, thrust/system/cuda/detail/sort.h.
#pragma once

#include <simtrt/cub/radix.h>
#include <thrust/functional.h>

#include <type_traits>

THRUST_NAMESPACE_BEGIN

namespace detail {

template <class Key, class Less>
inline constexpr bool is_ascending =
    std::is_same_v<Less, less<>> || std::is_same_v<Less, less<Key>>;
template <class Key, class Less>
inline constexpr bool is_descending =
    std::is_same_v<Less, greater<>> || std::is_same_v<Less, greater<Key>>;

/// The radix sort orders these keys differently from `Less`.
template <class Key, class Less>
inline constexpr bool is_radix_sorted =
    CUB_NS_QUALIFIER::Traits<Key>::CATEGORY == CUB_NS_QUALIFIER::FLOATING_POINT &&
    (is_ascending<Key, Less> || is_descending<Key, Less>);

template <class Key, class Less>
bool radix_less(const Key& a, const Key& b) {
  constexpr CUB_NS_QUALIFIER::detail::RadixOrder order{0, static_cast<int>(8 * sizeof(Key)),
                                                       is_descending<Key, Less>};
  return CUB_NS_QUALIFIER::detail::radix_digits(a, order) <
         CUB_NS_QUALIFIER::detail::radix_digits(b, order);
}

}  // namespace detail

THRUST_NAMESPACE_END
