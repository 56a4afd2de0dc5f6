// thrust::inclusive_scan and exclusive_scan, and both by key. The output may be the input.
#pragma once

#include <simtrt/partial_sums.h>
#include <simtrt/thrust/dispatch.h>
#include <thrust/functional.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

// The intermediate results of an inclusive scan have the type of the input's values, those of an exclusive
// scan have the type of the initial value, whatever the operator returns (CUDA,
// thrust/system/cuda/detail/scan.h).

/// Scan over partial results. Returns the end of the output.
template <bool INCLUSIVE, class Running, class In, class Out, class Function>
Out partially(In first, In last, Out out, Function& function, std::optional<Running> before) {
  const auto item = [&](std::int64_t i) -> Running {
    In here = first + i;
    return at(here);
  };
  const auto put = [&](std::int64_t, const Running& value) {
    *out = value;
    ++out;
  };
  simtrt::scan_partially<INCLUSIVE>(item, put, 0, last - first, function, before);
  return out;
}

struct inclusive_scan {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    return operator()(first, last, out, plus<>());
  }
  template <class In, class Out, class Function>
  Out operator()(In first, In last, Out out, Function function) const {
    using Value = iterator_value_t<In>;
    if (first == last) return out;
    if constexpr (is_random_access<In>) {
      return partially<true, Value>(first, last, out, function, std::nullopt);
    }
    Value running = static_cast<Value>(at(first));
    *out = running;
    for (++first, ++out; first != last; ++first, ++out) {
      running = static_cast<Value>(function(running, static_cast<Value>(at(first))));
      *out = running;
    }
    return out;
  }
};

struct exclusive_scan {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    return operator()(first, last, out, iterator_value_t<In>(), plus<>());
  }
  template <class In, class Out, class T>
  Out operator()(In first, In last, Out out, T init) const {
    return operator()(first, last, out, init, plus<>());
  }
  template <class In, class Out, class T, class Function>
  Out operator()(In first, In last, Out out, T init, Function function) const {
    if constexpr (std::is_same_v<T, iterator_value_t<In>> && is_random_access<In>) {
      return partially<false, T>(first, last, out, function, init);
    }
    T running = init;
    for (; first != last; ++first, ++out) {
      const iterator_value_t<In> value = at(first);
      *out = running;
      running = static_cast<T>(function(running, value));
    }
    return out;
  }
};

/// Separate scan of each run of adjacent equal keys.
struct inclusive_scan_by_key {
  template <class Keys, class Values, class Out>
  Out operator()(Keys first, Keys last, Values values, Out out) const {
    return operator()(first, last, values, out, equal_to<>(), plus<>());
  }
  template <class Keys, class Values, class Out, class Equal>
  Out operator()(Keys first, Keys last, Values values, Out out, Equal equal) const {
    return operator()(first, last, values, out, equal, plus<>());
  }
  template <class Keys, class Values, class Out, class Equal, class Function>
  Out operator()(Keys first, Keys last, Values values, Out out, Equal equal,
                 Function function) const {
    using Key = iterator_value_t<Keys>;
    using Value = iterator_value_t<Values>;
    if (first == last) return out;
    Key previous = at(first);
    Value running = static_cast<Value>(at(values));
    *out = running;
    for (++first, ++values, ++out; first != last; ++first, ++values, ++out) {
      Key key = at(first);
      const Value value = at(values);
      if (equal(previous, key)) {
        running = static_cast<Value>(function(running, value));
      } else {
        running = value;
      }
      *out = running;
      previous = key;
    }
    return out;
  }
};

/// Separate scan of each run of adjacent equal keys, each beginning with `init`.
struct exclusive_scan_by_key {
  template <class Keys, class Values, class Out>
  Out operator()(Keys first, Keys last, Values values, Out out) const {
    return operator()(first, last, values, out, iterator_value_t<Values>());
  }
  template <class Keys, class Values, class Out, class T>
  Out operator()(Keys first, Keys last, Values values, Out out, T init) const {
    return operator()(first, last, values, out, init, equal_to<>(), plus<>());
  }
  template <class Keys, class Values, class Out, class T, class Equal>
  Out operator()(Keys first, Keys last, Values values, Out out, T init, Equal equal) const {
    return operator()(first, last, values, out, init, equal, plus<>());
  }
  template <class Keys, class Values, class Out, class T, class Equal, class Function>
  Out operator()(Keys first, Keys last, Values values, Out out, T init, Equal equal,
                 Function function) const {
    using Key = iterator_value_t<Keys>;
    if (first == last) return out;
    Key previous = at(first);
    T running = init;
    for (; first != last; ++first, ++values, ++out) {
      Key key = at(first);
      const iterator_value_t<Values> value = at(values);
      if (!equal(previous, key)) running = init;
      *out = running;
      running = static_cast<T>(function(running, value));
      previous = key;
    }
    return out;
  }
};

}  // namespace algorithm
}  // namespace detail

SIMTRT_THRUST_ALGORITHM(inclusive_scan)
SIMTRT_THRUST_ALGORITHM(exclusive_scan)
SIMTRT_THRUST_ALGORITHM(inclusive_scan_by_key)
SIMTRT_THRUST_ALGORITHM(exclusive_scan_by_key)

THRUST_NAMESPACE_END
