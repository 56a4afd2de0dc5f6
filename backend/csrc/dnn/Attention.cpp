// Attention of seam `dnn`. For a device on PrivateUse1, scaled_dot_product_attention calls a
// DispatchStub, which chooses PyTorch's kernels or the operators in this file.

#include "Selection.h"

#include "../Backend.h"
#include "../release/Attention.h"

#include <ATen/ExpandUtils.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <cmath>

namespace at::cuda::backend {

#ifdef BACKEND_HAS_OVERRIDEABLE_ATTENTION

namespace dnn {
namespace {

Attention parameters(const Tensor& query, const Tensor& mask, bool causal, optional<double> scale) {
  return {mask, causal,
          scale.has_value() ? *scale : 1 / std::sqrt(static_cast<double>(query.size(-1)))};
}

// Sizes and dtypes for which the seam is defined.
bool fits(const Tensor& query, const Tensor& key, const Tensor& value, const Attention& given) {
  if (!areOrdinary({query, key, value, given.mask}) || query.dim() != 4 || key.dim() != 4 ||
      value.dim() != 4 || !query.is_floating_point()) {
    return false;
  }
  const auto type = query.scalar_type();
  const bool same_batch = query.sizes().slice(0, 2) == key.sizes().slice(0, 2) &&
                          query.sizes().slice(0, 2) == value.sizes().slice(0, 2);
  const bool same_length = query.size(3) == key.size(3) && key.size(2) == value.size(2);
  if (!same_batch || !same_length || type != key.scalar_type() || type != value.scalar_type()) {
    return false;
  }
  const Tensor& mask = given.mask;
  return !mask.defined() ||
         (!given.causal && (mask.scalar_type() == kBool || mask.scalar_type() == type) &&
          is_expandable_to(mask.sizes(), {query.size(0), query.size(1), query.size(2), key.size(2)}));
}

// The selected library if it takes the attention; null: PyTorch's kernels compute the attention.
const Library* libraryFor(const Tensor& query, const Tensor& key, const Tensor& value,
                          const Attention& given) {
  const Library& wanted = selected();
  if (!wanted.attention.forward || !fits(query, key, value, given)) {
    return nullptr;
  }
  return !wanted.attention.takes || wanted.attention.takes(query, key, value, given) ? &wanted
                                                                                     : nullptr;
}

int64_t choose(const Tensor& query, const Tensor& key, const Tensor& value,
               const optional<Tensor>& mask, double dropout, bool causal, optional<double> scale,
               bool enable_gqa) {
  // The sizes of a tensor that is not ordinary can be symbols.
  if (dropout == 0 && areOrdinary(query) && release::permitsOverrideableAttention()) {
    const auto given = parameters(query, mask.has_value() ? *mask : Tensor(), causal, scale);
    if (libraryFor(query, key, value, given)) {
      return static_cast<int64_t>(SDPBackend::overrideable);
    }
  }
  count(Kind::attention, nullptr);
  return release::chooseOwnAttention(query, key, value, mask, dropout, causal, scale, enable_gqa);
}

using Results =
    std::tuple<Tensor, Tensor, Tensor, Tensor, SymInt, SymInt, Tensor, Tensor, Tensor>;

Results forward(const Tensor& query, const Tensor& key, const Tensor& value,
                const optional<Tensor>& mask, double dropout, bool causal, bool return_debug_mask,
                optional<double> scale) {
  const DeviceGuard device(query.device());
  const AutoDispatchBelowADInplaceOrView guard;
  const auto given = parameters(query, mask.has_value() ? *mask : Tensor(), causal, scale);
  const Library* library =
      dropout == 0 && !return_debug_mask ? libraryFor(query, key, value, given) : nullptr;
  TORCH_CHECK_NOT_IMPLEMENTED(
      library, "_scaled_dot_product_fused_attention_overrideable: the library '", selected().name,
      "' does not compute this attention; call scaled_dot_product_attention, which chooses a kernel");
  count(Kind::attention, library);
  const auto [output, logsumexp] = library->attention.forward(query, key, value, given);
  // Autograd passes the seed of the dropout to the backward function. There is no dropout; the seed
  // is the library's position, because the same library must compute the gradients.
  const Tensor position = at::scalar_tensor(positionOf(*library), TensorOptions().dtype(kLong));
  return {output,        logsumexp, Tensor(), Tensor(), query.size(2), key.size(2),
          position, Tensor(),  Tensor()};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> backward(
    const Tensor& grad_output, const Tensor& query, const Tensor& key, const Tensor& value,
    const Tensor& mask, std::array<bool, 4> wanted, const Tensor& output, const Tensor& logsumexp,
    const Tensor& /*cum_seq_q*/, const Tensor& /*cum_seq_k*/, int64_t /*max_q*/, int64_t /*max_k*/,
    double /*dropout*/, bool causal, const Tensor& position, const Tensor& /*philox_offset*/,
    optional<double> scale) {
  if (!grad_output.defined()) {
    return {};
  }
  const DeviceGuard device(query.device());
  const AutoDispatchBelowADInplaceOrView guard;
  wanted[3] = wanted[3] && mask.defined();
  auto gradients = libraryAt(position.item<int64_t>())
                       .attention.backward(grad_output, query, key, value, output, logsumexp,
                                           parameters(query, mask, causal, scale), wanted);
  Tensor& of_mask = std::get<3>(gradients);
  if (of_mask.defined()) {
    of_mask = at::sum_to(of_mask, mask.sizes());
  }
  return gradients;
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_scaled_dot_product_fused_attention_overrideable", forward);
  m.impl("_scaled_dot_product_fused_attention_overrideable_backward", backward);
}

}  // namespace
}  // namespace dnn

void choose_attention_by_dnn_library() {
  native::_fused_sdp_choice_stub.set_privateuse1_dispatch_ptr(&dnn::choose);
}

#else  // scaled_dot_product_attention calls PyTorch's kernels

void choose_attention_by_dnn_library() {}

#endif

}  // namespace at::cuda::backend
