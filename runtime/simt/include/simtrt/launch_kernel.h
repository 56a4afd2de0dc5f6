// simtLaunchKernel and simtLaunchCooperativeKernel for kernels given as functions.
#pragma once

#include <simtrt/launch.h>

#include <tuple>
#include <utility>

namespace simtrt {

/// Launches the kernel at an address with arguments by their addresses, as the API of C does.
using Launcher = simtError_t (*)(const void* kernel, const LaunchConfig& config, void** arguments,
                                 simtStream_t stream, bool cooperative);

/// From now on simtLaunchKernel knows how to launch the kernel by its address.
SIMTRT_EXPORT void register_launcher(const void* kernel, Launcher launcher);

template <class R, class... P, std::size_t... Index>
simtError_t launch_by_address(const void* address, const LaunchConfig& config,
                              [[maybe_unused]] void** arguments, simtStream_t stream,
                              bool cooperative, std::index_sequence<Index...>) {
  auto* kernel = reinterpret_cast<R (*)(P...)>(const_cast<void*>(address));
  auto call = [kernel, values = std::tuple<std::decay_t<P>...>(*static_cast<std::decay_t<P>*>(
                           arguments[Index])...)]() mutable { std::apply(kernel, values); };
  const LaunchSite site{"(by address)", nullptr, 0, nullptr};
  return launch(kernel_call(std::move(call)), site, config, stream, cooperative);
}

template <class R, class... P>
simtError_t launch_function(R (*kernel)(P...), const LaunchConfig& config, void** arguments,
                            simtStream_t stream, bool cooperative) {
  const auto* address = reinterpret_cast<const void*>(kernel);
  const Launcher launcher = [](const void* known, const LaunchConfig& how, void** values,
                               simtStream_t where, bool together) {
    return launch_by_address<R, P...>(known, how, values, where, together,
                                      std::index_sequence_for<P...>());
  };
  register_launcher(address, launcher);
  return launcher(address, {config.grid, config.block, config.shared_bytes, address}, arguments,
                  stream, cooperative);
}

}  // namespace simtrt

template <class R, class... P>
simtError_t simtLaunchKernel(R (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, simtStream_t stream = nullptr) {
  return simtrt::launch_function(kernel, {grid, block, shared_bytes}, arguments, stream, false);
}

template <class R, class... P>
simtError_t simtLaunchCooperativeKernel(R (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes = 0,
                                        simtStream_t stream = nullptr) {
  return simtrt::launch_function(kernel, {grid, block, shared_bytes}, arguments, stream, true);
}
