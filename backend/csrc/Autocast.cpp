// Automatic mixed precision (torch.autocast). Operators run in the same precision, lower or full,
// as on CUDA: PyTorch has a header with the lists of these operators for all devices.

#include "release/Optional.h"
#include "release/Version.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

namespace at::autocast {
namespace {

#ifdef AT_FORALL_LOWER_PRECISION_FP

using at::cuda::backend::optional;

Tensor binaryCrossEntropyBanned(const Tensor&, const Tensor&, const optional<Tensor>&, int64_t) {
  TORCH_CHECK(false,
              "binary_cross_entropy and BCELoss are unsafe to autocast: use "
              "binary_cross_entropy_with_logits or "
              "BCEWithLogitsLoss, which join sigmoid and loss and are safe");
}

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }

#define BACKEND_LOWER_PRECISION(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define BACKEND_FP32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define BACKEND_FP32_OPTIONAL_DTYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define BACKEND_PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)

TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
  AT_FORALL_LOWER_PRECISION_FP(BACKEND_LOWER_PRECISION)
  AT_FORALL_FP32(BACKEND_FP32)
  AT_FORALL_FP32_SET_OPT_DTYPE(BACKEND_FP32_OPTIONAL_DTYPE)
  AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(KERNEL_DIFFERENT_REDISPATCH_SIGNATURE_PRIVATEUSEONE)
  AT_FORALL_PROMOTE(BACKEND_PROMOTE)
  m.impl("binary_cross_entropy", binaryCrossEntropyBanned);
}

#else  // before 2.4, the header has no lists

void refuse(const c10::OperatorHandle& op, torch::jit::Stack* /*stack*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, op.schema().operator_name(),
                              ": autocast on this device needs PyTorch 2.4 or newer, this is ",
                              TORCH_VERSION);
}

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&refuse>());
}

#endif

}  // namespace
}  // namespace at::autocast
