#pragma once

#include "Optional.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>

// Defined if scaled_dot_product_attention can choose an operator of the device's own, and a program
// can exclude this operator.
#if BACKEND_TORCH_AT_LEAST(2, 6)
#define BACKEND_HAS_OVERRIDEABLE_ATTENTION 1

#include <ATen/SDPBackend.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/ops/_fused_sdp_choice_ops.h>

#include <algorithm>

namespace at::cuda::backend::release {

/// True if the program permits the device's own operator. `torch.nn.attention.sdpa_kernel` of older
/// releases cannot name this operator: there, a program that permits only the kernel `math` excludes
/// the operator.
inline bool permitsOverrideableAttention() {
  const auto& context = at::globalContext();
  const auto order = at::globalContext().sDPPriorityOrder();
  const bool named = std::find(order.begin(), order.end(), SDPBackend::overrideable) != order.end();
  const bool only_math = context.userEnabledMathSDP() && !context.userEnabledFlashSDP() &&
                         !context.userEnabledMemEfficientSDP();
  return context.userEnabledOverrideableSDP() && (named || !only_math);
}

/// Choice of PyTorch's own kernel for CUDA, as a value of SDPBackend.
inline int64_t chooseOwnAttention(const Tensor& query, const Tensor& key, const Tensor& value,
                                  const optional<Tensor>& mask, double dropout, bool causal,
                                  optional<double> scale, bool enable_gqa) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::_fused_sdp_choice", "");
  if (!op.hasKernelForDispatchKey(DispatchKey::CUDA)) {  // the build lacks the kernel's source
    return static_cast<int64_t>(SDPBackend::math);
  }
  return at::_ops::_fused_sdp_choice::redispatch(DispatchKeySet(DispatchKey::CUDA), query, key,
                                                 value, mask, dropout, causal, scale, enable_gqa);
}

}  // namespace at::cuda::backend::release

#endif
