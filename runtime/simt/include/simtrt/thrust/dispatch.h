// Execution of an algorithm of thrust: immediately on the calling thread, or in stream order.
//
// Ownership: the caller owns the ranges until the algorithm has run.
// Threads: any thread of the host; in a kernel, an algorithm runs immediately on the calling
// thread.
// Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtrt/enqueue.h>
#include <simtrt/thrust/iterator.h>
#include <thrust/execution_policy.h>

// Programs rely on these headers, because CUDA's headers of algorithms include them.
#include <thrust/advance.h>
#include <thrust/device_ptr.h>
#include <thrust/distance.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/error.h>
#include <thrust/tuple.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace simtrt {

/// Runs `work` in the order of `stream` and waits for it. Throws the
/// exceptions of `work`, and thrust::system_error if the stream is unusable or
/// captured.
template <class Work>
void run_in_order(simtStream_t stream, Work& work) {
  const auto check = [](simtError_t error) {
    if (error != simtSuccess)
      throw THRUST_NS_QUALIFIER::system_error(error, THRUST_NS_QUALIFIER::cuda_category(), "thrust");
  };
  simtStreamCaptureStatus capture = simtStreamCaptureStatusNone;
  check(simtStreamIsCapturing(stream, &capture));
  if (capture != simtStreamCaptureStatusNone) check(simtErrorStreamCaptureUnsupported);
  std::exception_ptr thrown;
  check(enqueue(stream, "thrust", [&] {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
  }));
  check(simtStreamSynchronize(stream));
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace simtrt

THRUST_NAMESPACE_BEGIN

namespace detail {

template <class T>
inline constexpr bool is_policy = std::is_base_of<AnyPolicy, std::decay_t<T>>::value;

template <class Policy, class = void>
struct PolicyStream {
  static simtStream_t of(const Policy&) { return nullptr; }
};
template <class Policy>
struct PolicyStream<Policy, std::void_t<decltype(std::declval<const Policy&>().stream())>> {
  static simtStream_t of(const Policy& policy) { return policy.stream(); }
};

/// Runs `work` on the system (host or device) that `policy` selects; on the device, in the policy's
/// stream. Returns the result of `work`.
template <class Policy, class Work>
auto run(const Policy& policy, Work work) {
  using Result = std::decay_t<decltype(work())>;
  if constexpr (!std::is_base_of<DevicePolicy, Policy>::value) {
    return static_cast<Result>(work());
  } else if constexpr (std::is_void<Result>::value) {
    if (simtrt::runs_device_work()) return work();
    simtrt::run_in_order(PolicyStream<Policy>::of(policy), work);
  } else {
    if (simtrt::runs_device_work()) return static_cast<Result>(work());
    std::optional<Result> result;
    auto keep = [&] { result.emplace(work()); };
    simtrt::run_in_order(PolicyStream<Policy>::of(policy), keep);
    return *std::move(result);
  }
}

/// Calls `algorithm` with the arguments. If the first argument is an execution policy, the
/// algorithm runs with this policy; otherwise it runs on the system (host or device) of the
/// iterators.
template <class Algorithm, class First, class... Rest>
auto dispatch(Algorithm algorithm, First&& first, Rest&&... rest) {
  if constexpr (is_policy<First>) {
    return run(first, [&] { return algorithm(rest...); });
  } else if constexpr (is_on_device<std::decay_t<First>> ||
                       (is_on_device<std::decay_t<Rest>> || ...)) {
    return run(device_system_tag{}, [&] { return algorithm(first, rest...); });
  } else {
    return algorithm(first, rest...);
  }
}

}  // namespace detail

THRUST_NAMESPACE_END

/// Declares thrust::name with the parameters of detail::algorithm::name, optionally after a
/// policy.
#define SIMTRT_THRUST_ALGORITHM(name)                                              \
  template <class First, class... Rest>                                            \
  auto name(First&& first, Rest&&... rest) {                                       \
    return detail::dispatch(detail::algorithm::name{}, std::forward<First>(first), \
                            std::forward<Rest>(rest)...);                          \
  }
