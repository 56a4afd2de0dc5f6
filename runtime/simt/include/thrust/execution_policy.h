// Execution policies: thrust::host, thrust::seq, thrust::device, and thrust::cuda::par with a
// stream.
#pragma once

#include <simtrt/thrust/config.h>

THRUST_NAMESPACE_BEGIN

namespace detail {

struct AnyPolicy {};
struct DevicePolicy : AnyPolicy {};

}  // namespace detail

/// A program's own policy derives from one of these classes, with itself as Derived.
template <class Derived>
struct execution_policy : detail::AnyPolicy {};
template <class Derived>
struct host_execution_policy : detail::AnyPolicy {};

namespace system {
namespace cuda {

/// Runs in the order of the device's default stream, unless Derived has `simtStream_t stream()
/// const`.
template <class Derived>
struct execution_policy : detail::DevicePolicy {};

struct tag : execution_policy<tag> {};

namespace detail {

/// Runs in stream order; returns when the algorithm is complete.
class StreamPolicy : public execution_policy<StreamPolicy> {
 public:
  constexpr StreamPolicy() = default;
  constexpr explicit StreamPolicy(simtStream_t stream) : stream_(stream) {}

  constexpr StreamPolicy on(simtStream_t stream) const { return StreamPolicy(stream); }
  constexpr simtStream_t stream() const { return stream_; }

  /// Policy with an allocator for temporary memory. The allocator is ignored, because a host loop
  /// needs no temporary device memory.
  template <class Allocator>
  constexpr StreamPolicy operator()(Allocator&&) const {
    return *this;
  }

 private:
  simtStream_t stream_ = nullptr;
};

}  // namespace detail

inline constexpr detail::StreamPolicy par{};
/// In CUDA, an algorithm with this policy may return before completion; in this runtime it never
/// does.
inline constexpr detail::StreamPolicy par_nosync{};

}  // namespace cuda
}  // namespace system

namespace cuda {

using system::cuda::execution_policy;
using system::cuda::par;
using system::cuda::par_nosync;
using system::cuda::tag;

}  // namespace cuda

template <class Derived>
using device_execution_policy = system::cuda::execution_policy<Derived>;

struct host_system_tag : host_execution_policy<host_system_tag> {};
using device_system_tag = system::cuda::tag;

namespace detail {

/// System of iterators that work on host and device, for example counting iterators.
struct AnySystem {};

struct SequentialPolicy : host_execution_policy<SequentialPolicy> {};

}  // namespace detail

inline constexpr host_system_tag host{};
inline constexpr device_system_tag device{};
/// Policy for the calling thread; also valid in kernels.
inline constexpr detail::SequentialPolicy seq{};

THRUST_NAMESPACE_END
