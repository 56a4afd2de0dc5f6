// thrust::inclusive_scan and exclusive_scan, and both by key. The output may be the input.
#pragma once

#include <simtrt/thrust/dispatch.h>
#include <thrust/functional.h>

THRUST_NAMESPACE_BEGIN

namespace detail {
namespace algorithm {

/// Type of a scan's intermediate results.
template <class Function, class Init, class Iterator>
using scanned_t = std::decay_t<std::invoke_result_t<Function&, Init, iterator_value_t<Iterator>>>;

struct inclusive_scan {
  template <class In, class Out>
  Out operator()(In first, In last, Out out) const {
    return operator()(first, last, out, plus<>());
  }
  template <class In, class Out, class Function>
  Out operator()(In first, In last, Out out, Function function) const {
    using Value = iterator_value_t<In>;
    if (first == last) return out;
    scanned_t<Function, Value, In> running = static_cast<Value>(at(first));
    *out = running;
    for (++first, ++out; first != last; ++first, ++out) {
      running = function(running, static_cast<Value>(at(first)));
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
    scanned_t<Function, T, In> running = init;
    for (; first != last; ++first, ++out) {
      const iterator_value_t<In> value = at(first);
      *out = running;
      running = function(running, value);
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
    scanned_t<Function, Value, Values> running = static_cast<Value>(at(values));
    *out = running;
    for (++first, ++values, ++out; first != last; ++first, ++values, ++out) {
      Key key = at(first);
      const Value value = at(values);
      if (equal(previous, key)) {
        running = function(running, value);
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
    scanned_t<Function, T, Values> running = init;
    for (; first != last; ++first, ++values, ++out) {
      Key key = at(first);
      const iterator_value_t<Values> value = at(values);
      if (!equal(previous, key)) running = init;
      *out = running;
      running = function(running, value);
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
