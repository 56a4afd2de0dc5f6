// Launches of kernels: SIMT_LAUNCH, and simtLaunchKernel for kernels that are known by their
// address.
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/variables.h>

#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace simtrt {

/// Where a launch stands in the source, for reports of faults.
struct LaunchSite {
  const char* kernel;  ///< its text, such as "scale<T, 4>"
  const char* file;
  int line;
  const char* function;  ///< the function that launches, with its template arguments
};

struct LaunchConfig {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory
  /// The kernel's address, to which simtFuncSetAttribute may have granted more of it; null where
  /// its template arguments are deduced from the call, so that the name alone is no function.
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
/// What `probe` finds with an AddressOf; null where that does not compile, since a template's name
/// alone is no function.
template <class Probe>
const void* address_by(const Probe& probe) {
  if constexpr (std::is_invocable_v<Probe, AddressOf>) {
    return probe(AddressOf());
  } else {
    return nullptr;
  }
}

/// The part of a running block that the loop over its threads looks at. One for each worker.
class Turns {
 public:
  /// No thread is left to start.
  static constexpr unsigned kNone = ~0U;

  /// The first thread nobody has started, or kNone.
  SIMTRT_EXPORT unsigned start_next();

  /// The running thread has returned from the kernel. The next thread to start, or kNone.
  SIMTRT_EXPORT unsigned finish_and_start_next();

  dim3 block;
  unsigned threads = 0;
  /// A thread of the block has had to wait, so several fibers take turns in starting threads.
  bool shared = false;
};

/// A kernel with its arguments: what a launch puts on a stream, and what a graph keeps.
class Kernel {
 public:
  explicit Kernel(const LaunchSite& site) : site(site) {}
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;

  /// Runs threads of the block, one after another, as long as there are any to start.
  virtual void run_threads(Turns& turns) = 0;

  LaunchSite site;
};

template <class Call>
class KernelCall final : public Kernel {
 public:
  KernelCall(const LaunchSite& site, Call call) : Kernel(site), call_(std::move(call)) {}

  void run_threads(Turns& turns) override {
    unsigned rank = turns.start_next();
    if (rank == Turns::kNone) return;
    const dim3 block = turns.block;
    place(rank, block);
    for (;;) {
      call_();
      if (__builtin_expect(turns.shared, false)) {
        rank = turns.finish_and_start_next();
        if (rank == Turns::kNone) return;
        place(rank, block);
        continue;
      }
      if (++rank == turns.threads) return;
      if (++threadIdx.x == block.x) {
        threadIdx.x = 0;
        if (++threadIdx.y == block.y) {
          threadIdx.y = 0;
          ++threadIdx.z;
        }
      }
    }
  }

 private:
  static void place(unsigned rank, const dim3& block) {
    threadIdx.x = rank % block.x;
    threadIdx.y = rank / block.x % block.y;
    threadIdx.z = rank / block.x / block.y;
  }

  Call call_;
};

/// Puts the kernel on the stream. The error is returned and is what simtGetLastError gives.
SIMTRT_EXPORT simtError_t launch(std::shared_ptr<Kernel> kernel, const LaunchConfig& config,
                                 simtStream_t stream, bool cooperative);

/// `body(args...)` for each thread of the grid. Arguments are copied now, as CUDA does at a launch.
template <class Body, class... Args>
simtError_t launch_body(const LaunchSite& site, const void* address, Body body, dim3 grid,
                        dim3 block, std::size_t shared_bytes, simtStream_t stream, Args&&... args) {
  auto call = [body = std::move(body), arguments = std::tuple<std::decay_t<Args>...>(
                                           std::forward<Args>(args)...)]() mutable {
    std::apply(body, arguments);
  };
  return launch(std::make_shared<KernelCall<decltype(call)>>(site, std::move(call)),
                {grid, block, shared_bytes, address}, stream, false);
}

}  // namespace simtrt

/// A launch: SIMT_LAUNCH((kernel<T, 4>), (grid), (block), (shared bytes), (stream), arguments...).
/// The kernel is called by its name, so template arguments that CUDA deduces from the call are
/// deduced here, too. What follows the shared bytes is the stream and the arguments; so the list is
/// never empty.
#define SIMT_LAUNCH(kernel, grid, block, shared_bytes, ...)                                     \
  static_cast<void>(::simtrt::launch_body(                                                      \
      ::simtrt::LaunchSite{#kernel, __FILE__, __LINE__, __PRETTY_FUNCTION__},                   \
      ::simtrt::address_by([=](auto simtrt_address_of) -> decltype(simtrt_address_of(kernel)) { \
        return simtrt_address_of(kernel);                                                       \
      }),                                                                                       \
      [=](auto&... simtrt_arguments) { (kernel)(simtrt_arguments...); }, (grid), (block),       \
      (shared_bytes), __VA_ARGS__))
