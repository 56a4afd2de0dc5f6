// Launches of kernels by SIMT_LAUNCH. launch_kernel.h declares launches by a kernel's address.
//
// Ownership: a launch copies the arguments into a KernelCall, and launch() becomes the owner of the
// call. The runtime destroys the call after its last launch. A LaunchSite refers to literals of the
// program, which live as long as the library that holds the kernel is loaded. A ThreadCursor
// belongs to the scheduler of one worker.
// Threads: any thread may launch. Several workers call run_threads of one KernelCall at the same
// time, each with its own ThreadCursor.
// Memory ordering: there are no atomics here. The blocks see the caller's writes before the
// launch, because the launch locks the stream's mutex. Threads of a block run on one thread of the
// operating system.
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/kernel/argument_bytes.h>
#include <simtrt/kernel/variables.h>

#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace simtrt {

/// Place of a launch in the source, for fault reports.
struct LaunchSite {
  const char* kernel;  ///< text of the kernel argument, such as "scale<T, 4>"
  const char* file;
  int line;
  const char* function;  ///< the function that launches, with its template arguments
};

struct LaunchConfig {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory
  /// Address of the kernel. The runtime uses it to look up the limit of dynamic shared memory that
  /// simtFuncSetAttribute has set for the kernel. Null if the compiler deduces template arguments
  /// from the call, because the kernel's name alone then denotes no function.
  const void* kernel = nullptr;

  std::uint64_t blocks() const { return std::uint64_t{grid.x} * grid.y * grid.z; }
  std::uint64_t threads_per_block() const { return std::uint64_t{block.x} * block.y * block.z; }
};

/// Function that a launch names, with the types of its parameters.
template <class... Parameters>
struct KernelFunction {
  const void* address;
};
/// A launch whose kernel is a template with arguments that must be deduced, or an overloaded function: its name denotes
/// no function. `Probe` calls a function object with the name.
template <class Probe>
struct DeducedKernel {
  Probe probe;
};

struct FunctionOf {
  template <class R, class... P>
  KernelFunction<P...> operator()(R (*kernel)(P...)) const {
    return {reinterpret_cast<const void*>(kernel)};
  }
};
/// As FunctionOf, for the function with these parameters among those of the name.
template <class... Parameters>
struct FunctionWith {
  KernelFunction<Parameters...> operator()(void (*kernel)(Parameters...)) const {
    return {reinterpret_cast<const void*>(kernel)};
  }
};
/// Calls `probe` with a FunctionOf and returns the result. For a DeducedKernel, the call of `probe`
/// does not compile.
template <class Probe>
auto function_by(const Probe& probe, int) -> decltype(probe(FunctionOf())) {
  return probe(FunctionOf());
}
template <class Probe>
DeducedKernel<Probe> function_by(const Probe& probe, long) {
  return {probe};
}

class BlockScheduler;

/// Threads of a running block that have not begun. The loop over the threads, which is compiled
/// into the program, accesses only this part of the scheduler. Each worker has one ThreadCursor.
class ThreadCursor {
 public:
  /// Result of begin() if all threads have begun.
  static constexpr unsigned kNone = ~0U;

  explicit ThreadCursor(BlockScheduler& scheduler) : scheduler_(scheduler) {}

  /// Starts the next thread: sets threadIdx and returns its number, or kNone.
  SIMTRT_EXPORT unsigned begin();

  /// Records that the running thread has returned from the kernel, and continues like begin().
  SIMTRT_EXPORT unsigned finish_and_begin();

  dim3 block;
  unsigned threads = 0;
  /// True after a thread of the block had to wait: several fibers then start threads.
  bool interleaved = false;

 private:
  friend class BlockScheduler;

  unsigned next_ = 0;
  BlockScheduler& scheduler_;
};

/// A kernel with its arguments, type-erased: submitted to a stream by a launch, and stored in a
/// graph. It contains function pointers, not virtual functions: a class template for each launch
/// would double the compile time of PyTorch's sources, which contain thousands of launches.
struct KernelCall {
  /// Runs threads of the block, one after another, until all have begun.
  void (*run_threads)(void* call, ThreadCursor& cursor);
  void (*destroy)(void* call);  ///< null if nothing must be destroyed
  void* call;                   ///< memory from new_call; launch() becomes its owner
  std::size_t alignment;
};

/// Allocates memory for a call.
SIMTRT_EXPORT void* new_call(std::size_t size, std::size_t alignment);

/// Submits the kernel to the stream. The error is returned and stored for simtGetLastError.
SIMTRT_EXPORT simtError_t launch(const KernelCall& kernel, const LaunchSite& site,
                                 const LaunchConfig& config, simtStream_t stream, bool cooperative);

template <class Call>
void run_threads(void* place, ThreadCursor& cursor) {
  Call& call = *static_cast<Call*>(place);
  unsigned thread = cursor.begin();
  if (thread == ThreadCursor::kNone) return;
  for (;;) {
    call();
    if (__builtin_expect(cursor.interleaved, false)) {
      thread = cursor.finish_and_begin();
      if (thread == ThreadCursor::kNone) return;
      continue;
    }
    if (++thread == cursor.threads) return;
    if (++threadIdx.x == cursor.block.x) {
      threadIdx.x = 0;
      if (++threadIdx.y == cursor.block.y) {
        threadIdx.y = 0;
        ++threadIdx.z;
      }
    }
  }
}

template <class Call>
void destroy_call(void* place) {
  static_cast<Call*>(place)->~Call();
}

template <class Call>
KernelCall kernel_call(Call call) {
  void (*destroy)(void*) = nullptr;
  if constexpr (!std::is_trivially_destructible_v<Call>) destroy = destroy_call<Call>;
  void* place = new_call(sizeof(Call), alignof(Call));
  ::new (place) Call(static_cast<Call&&>(call));
  return {run_threads<Call>, destroy, place, alignof(Call)};
}

/// The argument `NULL` or `0` of a kernel that is a DeducedKernel.
struct NullConstant {
  template <class T>
  operator T*() const {
    return nullptr;
  }
};

/// An argument as the caller named it: an array of the caller is a pointer to its first element.
template <class Argument>
decltype(auto) given(const Argument& argument) {
  if constexpr (std::is_array_v<Argument>)
    return const_cast<std::remove_extent_t<Argument>*>(argument);  // const only because arguments pass through functions
  else
    return (argument);
}

/// An argument as the parameter's type. `NULL` and `0` are integers here, because only a literal
/// converts to a pointer, and arguments pass through functions.
template <class Parameter, class Argument>
Parameter converted(const Argument& argument) {
  if constexpr (std::is_pointer_v<Parameter> && std::is_integral_v<Argument>)
    return nullptr;
  else
    return given(argument);
}

/// Calls `bind` with arguments converted to the first types of `Parameters`.
template <class... Parameters, class Bind, std::size_t... I, class... Arguments>
auto bind_first(const Bind& bind, std::index_sequence<I...>, const Arguments&... arguments) {
  using All = std::tuple<std::decay_t<Parameters>...>;
  return bind(converted<std::tuple_element_t<I, All>>(arguments)...);
}

/// Tests whether the kernel in `probe` can be called if arguments of type `Null` become null pointers.
template <class Null, class Probe, class... Arguments>
inline constexpr bool kTakesNull = std::is_invocable_v<
    Probe, std::conditional_t<std::is_same_v<Arguments, Null>, NullConstant, std::decay_t<Arguments>>...>;

template <class Null, class Argument>
auto with_null(const Argument& argument) {
  if constexpr (std::is_same_v<Argument, Null>)
    return NullConstant();
  else
    return given(argument);
}

/// An argument as the host's copy, which exists until the launch returns.
template <class Parameter>
struct HostCopy {
  template <class Argument>
  explicit HostCopy(const Argument& argument) : value(converted<Parameter>(argument)) {}
  Parameter value;
};

/// Launches a kernel that gets the bytes of the host's copies.
template <class... Parameters>
void launch_bytes(const LaunchSite& site, KernelFunction<Parameters...> kernel,
                  LaunchConfig config, simtStream_t stream,
                  const HostCopy<std::decay_t<Parameters>>&... arguments) {
  config.kernel = kernel.address;
  launch(kernel_call(BytesCall<Parameters...>(kernel.address, arguments.value...)), site, config,
         stream, false);
}

/// Runs `bind(arguments...)()` for each thread of the grid. Arguments are copied and converted to
/// the types of the parameters at the launch, as in CUDA.
template <class Bind, class Probe, class... Parameters, class... Arguments>
void launch_bound(const LaunchSite& site, KernelFunction<Parameters...> kernel, const Bind& bind,
                  const Probe&, dim3 grid, dim3 block, std::size_t shared_bytes,
                  simtStream_t stream, const Arguments&... arguments) {
  const LaunchConfig config{grid, block, shared_bytes, kernel.address};
  if constexpr (sizeof...(Parameters) == sizeof...(Arguments) && kHasClassArguments<Parameters...>)
    launch_bytes(site, kernel, config, stream, HostCopy<std::decay_t<Parameters>>(arguments)...);
  else if constexpr (sizeof...(Parameters) == sizeof...(Arguments))
    launch(kernel_call(bind(converted<std::decay_t<Parameters>>(arguments)...)), site, config,
           stream, false);
  else if constexpr (sizeof...(Parameters) > sizeof...(Arguments))  // the rest has default arguments
    launch(kernel_call(bind_first<Parameters...>(bind, std::index_sequence_for<Arguments...>(), arguments...)),
           site, config, stream, false);
  else  // a pack of parameters, whose types are deduced from the arguments
    launch(kernel_call(bind(given(arguments)...)), site, config, stream, false);
}
template <class FunctionProbe, class Bind, class Probe, class... Arguments>
void launch_bound(const LaunchSite& site, DeducedKernel<FunctionProbe> kernel, const Bind& bind,
                  const Probe&, dim3 grid, dim3 block, std::size_t shared_bytes,
                  simtStream_t stream, const Arguments&... arguments) {
  const LaunchConfig config{grid, block, shared_bytes};
  using Function = FunctionWith<std::decay_t<Arguments>...>;
  if constexpr (kHasClassArguments<Arguments...> && std::is_invocable_v<FunctionProbe, Function>)
    launch_bytes(site, kernel.probe(Function()), config, stream,
                 HostCopy<std::decay_t<Arguments>>(arguments)...);
  // NULL has the type long, 0 has the type int.
  else if constexpr (!kTakesNull<void, Probe, Arguments...> && kTakesNull<long, Probe, Arguments...>)
    launch(kernel_call(bind(with_null<long>(arguments)...)), site, config, stream, false);
  else if constexpr (!kTakesNull<void, Probe, Arguments...> && kTakesNull<int, Probe, Arguments...>)
    launch(kernel_call(bind(with_null<int>(arguments)...)), site, config, stream, false);
  else
    launch(kernel_call(bind(given(arguments)...)), site, config, stream, false);
}

}  // namespace simtrt

/// A launch: SIMT_LAUNCH((kernel<T, 4>), (grid), (block), (shared bytes), (stream),
/// arguments...). The kernel is called by its name, so that template arguments are deduced from
/// the call, as in CUDA. The variadic part contains the stream and the arguments, and is
/// therefore never empty.
#define SIMT_LAUNCH(kernel, grid, block, shared_bytes, ...)                                       \
  ::simtrt::launch_bound(                                                                         \
      ::simtrt::LaunchSite{#kernel, __FILE__, __LINE__, __PRETTY_FUNCTION__},                     \
      ::simtrt::function_by(                                                                      \
          [=](auto simtrt_function_of) -> decltype(simtrt_function_of(kernel)) {                  \
            return simtrt_function_of(kernel);                                                    \
          },                                                                                      \
          0),                                                                                     \
      [=](auto... simtrt_arguments) { return [=]() mutable { (kernel)(simtrt_arguments...); }; }, \
      [=](auto... simtrt_arguments) -> decltype((kernel)(simtrt_arguments...)) {},                \
      (grid), (block), (shared_bytes), __VA_ARGS__)
