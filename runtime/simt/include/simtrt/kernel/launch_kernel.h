// simtLaunchKernel and simtLaunchCooperativeKernel, for kernels given as functions or only by
// address (docs/decisions/0009-kernels-by-address.md).
//
// Ownership: a launch copies the values behind `arguments` before it returns.
// Threads: any thread may launch. SIMT_KERNEL registers a kernel when the program or library is
// loaded, on the thread that loads it.
// Memory ordering: the registry of kernels in libsimt.so has a lock; there are no atomics here.
#pragma once

#include <simtrt/kernel/launch.h>

#include <tuple>
#include <utility>

namespace simtrt {

/// Launches the kernel at an address. `arguments` contains the addresses of its arguments, as in
/// the C API.
using Launcher = simtError_t (*)(const void* kernel, const char* name, const LaunchConfig& config,
                                 void** arguments, simtStream_t stream, bool cooperative);

/// Sizes in bytes of a kernel's arguments, and a zero.
template <class... P>
inline constexpr std::size_t kArgumentSizes[] = {sizeof(std::decay_t<P>)..., 0};

/// Registers the launcher that simtLaunchKernel uses for this kernel. `name` appears in reports;
/// the caller keeps ownership of it, and of `sizes`.
SIMTRT_EXPORT void register_launcher(const void* kernel, const char* name, Launcher launcher,
                                     const std::size_t* sizes);

template <class R, class... P, std::size_t... Index>
simtError_t launch_by_address(const void* address, const char* name, const LaunchConfig& config,
                              [[maybe_unused]] void** arguments, simtStream_t stream,
                              bool cooperative, std::index_sequence<Index...>) {
  const LaunchSite site{name, nullptr, 0, nullptr};
  if constexpr (kHasClassArguments<P...>) {
    BytesCall<P...> call(address, *static_cast<const std::decay_t<P>*>(arguments[Index])...);
    return launch(kernel_call(call), site, config, stream, cooperative);
  } else {
    auto* kernel = reinterpret_cast<R (*)(P...)>(const_cast<void*>(address));
    auto call = [kernel, values = std::tuple<std::decay_t<P>...>(*static_cast<std::decay_t<P>*>(
                             arguments[Index])...)]() mutable { std::apply(kernel, values); };
    return launch(kernel_call(std::move(call)), site, config, stream, cooperative);
  }
}

template <class R, class... P>
Launcher launcher_of(R (*)(P...)) {
  return [](const void* known, const char* name, const LaunchConfig& how, void** values,
            simtStream_t where, bool together) {
    return launch_by_address<R, P...>(known, name, how, values, where, together,
                                      std::index_sequence_for<P...>());
  };
}

template <class R, class... P>
simtError_t launch_function(R (*kernel)(P...), LaunchConfig config, void** arguments,
                            simtStream_t stream, bool cooperative) {
  constexpr const char* kName = "(by address)";
  config.kernel = reinterpret_cast<const void*>(kernel);
  const Launcher launcher = launcher_of(kernel);
  register_launcher(config.kernel, kName, launcher, kArgumentSizes<P...>);
  return launcher(config.kernel, kName, config, arguments, stream, cooperative);
}

/// Function object that registers the kernel it is called with.
struct Registrar {
  template <class R, class... P>
  bool operator()(R (*kernel)(P...), const char* name) const {
    register_launcher(reinterpret_cast<const void*>(kernel), name, launcher_of(kernel),
                      kArgumentSizes<P...>);
    return true;
  }
};

/// `kDone` registers the kernel that `Probe` passes to a Registrar, when the program or library is
/// loaded. No effect if that call does not compile: an overloaded name denotes no function.
template <class Probe>
struct Registered {
  static bool once() {
    if constexpr (std::is_invocable_v<const Probe&, Registrar>) {
      // Storage used as a closure without captures: C++17 cannot construct the closure from
      // its type.
      alignas(Probe) const char none[sizeof(Probe)] = {};
      return reinterpret_cast<const Probe&>(none)(Registrar());
    }
    return false;
  }
  static const bool kDone;
};
template <class Probe>
const bool Registered<Probe>::kDone = once();

template <class Probe>
void register_at_load(const Probe&) {
  static_cast<void>(&Registered<Probe>::kDone);
}

}  // namespace simtrt

/// Written at the beginning of a kernel's body, with its name and template arguments:
/// SIMT_KERNEL(scale<T, 4>); registers the kernel's address and has no effect at run time. `porter
/// port` inserts it.
#define SIMT_KERNEL(...)                                                              \
  ::simtrt::register_at_load(                                                         \
      [](auto simtrt_registrar) -> decltype(simtrt_registrar(__VA_ARGS__, "")) {      \
        return simtrt_registrar(__VA_ARGS__, #__VA_ARGS__);                           \
      })

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
