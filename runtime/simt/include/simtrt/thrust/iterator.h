// Properties of an iterator: its types, its system (host or device), and the plain reference that
// replaces a device_reference.
#pragma once

#include <simtrt/config.h>
#include <thrust/execution_policy.h>

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

namespace simtrt {

/// True if the calling thread executes a kernel or other device work, and therefore must not wait
/// for a stream.
SIMTRT_EXPORT bool runs_device_work();

}  // namespace simtrt

THRUST_NAMESPACE_BEGIN

template <class T>
class device_ptr;
template <class T>
class device_reference;

template <class Iterator>
struct iterator_traits : std::iterator_traits<Iterator> {};

template <class Iterator>
struct iterator_value {
  using type = typename std::iterator_traits<Iterator>::value_type;
};
template <class Iterator>
struct iterator_pointer {
  using type = typename std::iterator_traits<Iterator>::pointer;
};
template <class Iterator>
struct iterator_reference {
  using type = typename std::iterator_traits<Iterator>::reference;
};
template <class Iterator>
struct iterator_difference {
  using type = typename std::iterator_traits<Iterator>::difference_type;
};

template <class Iterator>
using iterator_value_t = typename iterator_value<Iterator>::type;
template <class Iterator>
using iterator_pointer_t = typename iterator_pointer<Iterator>::type;
template <class Iterator>
using iterator_reference_t = typename iterator_reference<Iterator>::type;
template <class Iterator>
using iterator_difference_t = typename iterator_difference<Iterator>::type;

struct incrementable_traversal_tag {};
struct single_pass_traversal_tag : incrementable_traversal_tag {};
struct forward_traversal_tag : single_pass_traversal_tag {};
struct bidirectional_traversal_tag : forward_traversal_tag {};
struct random_access_traversal_tag : bidirectional_traversal_tag {};

namespace detail {

template <class Category>
using traversal_of_category = std::conditional_t<
    std::is_base_of<std::random_access_iterator_tag, Category>::value, random_access_traversal_tag,
    std::conditional_t<
        std::is_base_of<std::bidirectional_iterator_tag, Category>::value,
        bidirectional_traversal_tag,
        std::conditional_t<
            std::is_base_of<std::forward_iterator_tag, Category>::value, forward_traversal_tag,
            std::conditional_t<std::is_base_of<std::input_iterator_tag, Category>::value,
                               single_pass_traversal_tag, incrementable_traversal_tag>>>>;

template <class Traversal>
using category_of_traversal = std::conditional_t<
    std::is_base_of<random_access_traversal_tag, Traversal>::value, std::random_access_iterator_tag,
    std::conditional_t<std::is_base_of<bidirectional_traversal_tag, Traversal>::value,
                       std::bidirectional_iterator_tag,
                       std::conditional_t<std::is_base_of<forward_traversal_tag, Traversal>::value,
                                          std::forward_iterator_tag, std::input_iterator_tag>>>;

/// System that an iterator of this thrust declares. Any other iterator belongs to the host.
template <class Iterator, class = void>
struct system_of {
  using type = host_system_tag;
};
template <class Iterator>
struct system_of<Iterator, std::void_t<typename Iterator::system>> {
  using type = typename Iterator::system;
};
template <class Iterator>
struct system_of<std::reverse_iterator<Iterator>> : system_of<Iterator> {};

template <class T>
inline constexpr bool is_on_device =
    std::is_base_of<device_system_tag, typename system_of<T>::type>::value;

/// System of an iterator over several iterators: the device if one of them belongs to the device.
template <class... Iterators>
struct CommonSystem {
  using type = std::conditional_t<
      (is_on_device<Iterators> || ...), device_system_tag,
      std::conditional_t<(std::is_same<typename system_of<Iterators>::type, AnySystem>::value &&
                          ...),
                         AnySystem, host_system_tag>>;
};

}  // namespace detail

template <class Iterator>
struct iterator_system {
  using type = typename detail::system_of<Iterator>::type;
};
template <class Iterator>
using iterator_system_t = typename iterator_system<Iterator>::type;

template <class Iterator>
struct iterator_traversal {
  using type =
      detail::traversal_of_category<typename std::iterator_traits<Iterator>::iterator_category>;
};

/// Converts a device_reference to a plain reference; returns any other value unchanged.
template <class T>
T& raw_reference_cast(T& reference) {
  return reference;
}
template <class T>
T& raw_reference_cast(const device_reference<T>& reference);
template <class T>
T& raw_reference_cast(device_reference<T>& reference);

namespace detail {

template <class T>
struct RawReference {
  using type = T;
  static T&& of(T&& value) { return static_cast<T&&>(value); }
};
template <class T>
struct RawReference<T&> {
  using type = T&;
  static T& of(T& value) { return value; }
};
template <class T>
struct RawReference<device_reference<T>> {
  using type = T&;
  static T& of(const device_reference<T>& reference) { return raw_reference_cast(reference); }
};
template <class... Ts>
struct RawReference<std::tuple<Ts...>> {
  using type = std::tuple<typename RawReference<Ts>::type...>;
  static type of(std::tuple<Ts...>&& values) {
    return from(values, std::index_sequence_for<Ts...>());
  }

 private:
  template <std::size_t... I>
  static type from(std::tuple<Ts...>& values, std::index_sequence<I...>) {
    return type(RawReference<Ts>::of(static_cast<Ts&&>(std::get<I>(values)))...);
  }
};

/// True for iterators that take a step of any size at once.
template <class Iterator>
inline constexpr bool is_random_access =
    std::is_base_of<std::random_access_iterator_tag,
                    typename std::iterator_traits<Iterator>::iterator_category>::value;

/// Element at an iterator, as in a kernel: a plain reference, not a device_reference proxy.
template <class Iterator>
typename RawReference<decltype(*std::declval<Iterator&>())>::type at(Iterator& iterator) {
  return RawReference<decltype(*iterator)>::of(*iterator);
}

}  // namespace detail

THRUST_NAMESPACE_END
