// Runs operators without a kernel for the device on the CPU, and counts them.

#include "Backend.h"
#include "release/Version.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/CPUFallback.h>
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/library.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_set>

namespace at::cuda::backend {

// The code that `porter op build` generates declares this function too, and calls it for operators
// that always run on the CPU.
BACKEND_API void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack);

namespace {

struct Counter {
  std::mutex mutex;
  std::unordered_map<std::string, int64_t> calls;
};

// Never destroyed: threads of autograd may run operators on the CPU while the process ends.
Counter& counter() {
  static auto* const result = new Counter;
  return *result;
}

bool allowedByEnvironment() {
  const char* const value = std::getenv(names().fallback_variable.c_str());
  return value == nullptr || std::strcmp(value, "") == 0 || std::strcmp(value, "0") == 0;
}

std::atomic<bool>& allowed() {
  static std::atomic<bool> result{allowedByEnvironment()};
  return result;
}

// Operators that the fallback itself calls. If one of these lacked a kernel for the device, the
// fallback would recurse infinitely.
bool fallbackNeeds(const std::string& op) {
  static const std::unordered_set<std::string> ops{
      "aten::_copy_from", "aten::_copy_from_and_resize", "aten::empty.memory_format",
      "aten::empty_strided", "aten::record_stream"};
  return ops.count(op) != 0;
}

constexpr const char* kBuildMore =
    ": 'porter run --kernels all' builds the backend with every kernel there is for it";

constexpr char kSparse[] = "sparse";
constexpr char kCompressed[] = "compressed sparse";
constexpr char kQuantized[] = "quantized";

// Raises the error for an operator that has no kernel for tensors of layout `kLayout`. The fallback
// does not copy tensors of this layout to the CPU.
template <const char* kLayout>
void report_missing(const c10::OperatorHandle& op, torch::jit::Stack*) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "'", toString(op.operator_name()), "' has no kernel for ",
                              kLayout, " tensors of this device, which do not run on the CPU instead",
                              kBuildMore);
}

}  // namespace

void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::string name = toString(op.operator_name());
  // An operator that changes a tensor's storage, sizes or strides would change the copy on the CPU, not the tensor on
  // the device.
  TORCH_CHECK_NOT_IMPLEMENTED(!fallbackNeeds(name) && !op.hasTag(at::Tag::inplace_view), "'", name,
                              "' has no kernel for this device, and cannot run on the CPU instead");
  TORCH_CHECK_NOT_IMPLEMENTED(
      op.hasComputedKernelForDispatchKey(DispatchKey::CPU), "'", name,
      "' has neither a kernel for this device nor one for the CPU to run instead", kBuildMore);
  TORCH_CHECK_NOT_IMPLEMENTED(
      allowed().load(), "'", name,
      "' has no kernel for this device, and running it on the CPU instead is turned off (",
      names().fallback_variable, ")");
  {
    auto& count = counter();
    const std::lock_guard<std::mutex> lock(count.mutex);
    ++count.calls[name];
  }
  native::cpu_fallback(op, stack, /*error_on_views=*/true);
}

namespace {

TORCH_LIBRARY_IMPL(_, CUDA, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&run_on_cpu>());
}

TORCH_LIBRARY_IMPL(_, SparseCUDA, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&report_missing<kSparse>>());
}

#if BACKEND_HAS_SPARSE_COMPRESSED
TORCH_LIBRARY_IMPL(_, SparseCsrCUDA, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&report_missing<kCompressed>>());
}
#endif

TORCH_LIBRARY_IMPL(_, QuantizedCUDA, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&report_missing<kQuantized>>());
}

// libtorch_cpu registers this fallthrough for other devices' autograd keys, but not for
// PrivateUse1.
TORCH_LIBRARY_IMPL(_, AutogradPrivateUse1, m) {
  m.fallback(torch::autograd::basicAutogradNotImplementedFallback());
}

}  // namespace

std::unordered_map<std::string, int64_t> fallback_counts() {
  auto& count = counter();
  const std::lock_guard<std::mutex> lock(count.mutex);
  return count.calls;
}

void reset_fallback_counts() {
  auto& count = counter();
  const std::lock_guard<std::mutex> lock(count.mutex);
  count.calls.clear();
}

bool fallback_allowed() { return allowed().load(); }

void set_fallback_allowed(bool value) { allowed().store(value); }

}  // namespace at::cuda::backend
