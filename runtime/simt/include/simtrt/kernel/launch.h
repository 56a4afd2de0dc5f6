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
#include <simtrt/kernel/variables.h>

#include <new>
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

struct AddressOf {
  template <class R, class... P>
  const void* operator()(R (*kernel)(P...)) const {
    return reinterpret_cast<const void*>(kernel);
  }
};
/// Calls `probe` with an AddressOf and returns the result. Returns null if the name in `probe` is a
/// template whose arguments must be deduced: such a name denotes no function, and the call of
/// `probe` does not compile.
template <class Probe>
auto address_by(const Probe& probe, int) -> decltype(probe(AddressOf())) {
  return probe(AddressOf());
}
template <class Probe>
const void* address_by(const Probe&, long) {
  return nullptr;
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

/// Runs `bind(arguments...)()` for each thread of the grid. Arguments are copied at the launch, as
/// in CUDA.
template <class Bind, class... Arguments>
void launch_bound(const LaunchSite& site, const void* address, const Bind& bind, dim3 grid,
                  dim3 block, std::size_t shared_bytes, simtStream_t stream,
                  const Arguments&... arguments) {
  launch(kernel_call(bind(arguments...)), site, {grid, block, shared_bytes, address}, stream,
         false);
}

}  // namespace simtrt

/// A launch: SIMT_LAUNCH((kernel<T, 4>), (grid), (block), (shared bytes), (stream),
/// arguments...). The kernel is called by its name, so that template arguments are deduced from
/// the call, as in CUDA. The variadic part contains the stream and the arguments, and is
/// therefore never empty.
#define SIMT_LAUNCH(kernel, grid, block, shared_bytes, ...)                                       \
  ::simtrt::launch_bound(                                                                         \
      ::simtrt::LaunchSite{#kernel, __FILE__, __LINE__, __PRETTY_FUNCTION__},                     \
      ::simtrt::address_by(                                                                       \
          [=](auto simtrt_address_of) -> decltype(simtrt_address_of(kernel)) {                    \
            return simtrt_address_of(kernel);                                                     \
          },                                                                                      \
          0),                                                                                     \
      [=](auto... simtrt_arguments) { return [=]() mutable { (kernel)(simtrt_arguments...); }; }, \
      (grid), (block), (shared_bytes), __VA_ARGS__)
