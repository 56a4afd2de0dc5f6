#include "Host.h"

#include "release/Attention.h"

namespace at::cuda::backend::dnn::host {

#ifdef BACKEND_HAS_OVERRIDEABLE_ATTENTION

namespace {

// The CPU's fused kernel computes no gradient of the mask, and has one size of all vectors.
bool takes(const Tensor& query, const Tensor& /*key*/, const Tensor& value,
           const Attention& given) {
  return query.size(3) == value.size(3) &&
         !(given.mask.defined() && given.mask.requires_grad());
}

// Tensor on the host whose vectors are contiguous, as the kernel requires.
Tensor vectors(const Tensor& tensor) {
  const Tensor host = onHost(tensor);
  return host.stride(-1) == 1 ? host : host.contiguous();
}

// Mask of four dimensions on the host.
optional<Tensor> maskOf(const Attention& given) {
  if (!given.mask.defined()) {
    return nullopt;
  }
  Tensor mask = onHost(given.mask);
  while (mask.dim() < 4) {
    mask = mask.unsqueeze(0);
  }
  return mask;
}

std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                   const Attention& given) {
  finishEarlierWork();
  const auto [output, logsumexp] = at::_scaled_dot_product_flash_attention_for_cpu(
      vectors(query), vectors(key), vectors(value), /*dropout_p=*/0, given.causal, maskOf(given),
      given.scale);
  return {onDevice(output, query), onDevice(logsumexp, query)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> backward(
    const Tensor& grad_output, const Tensor& query, const Tensor& key, const Tensor& value,
    const Tensor& output, const Tensor& logsumexp, const Attention& given,
    std::array<bool, 4> wanted) {
  finishEarlierWork();
  const auto [grad_query, grad_key, grad_value] =
      at::_scaled_dot_product_flash_attention_for_cpu_backward(
          vectors(grad_output), vectors(query), vectors(key), vectors(value), vectors(output),
          onHost(logsumexp), /*dropout_p=*/0, given.causal, maskOf(given), given.scale);
  const auto asked = [&](const Tensor& gradient, bool is_wanted) {
    return is_wanted ? onDevice(gradient, query) : Tensor();
  };
  return {asked(grad_query, wanted[0]), asked(grad_key, wanted[1]), asked(grad_value, wanted[2]),
          Tensor()};
}

}  // namespace

const AttentionGroup kAttention{forward, backward, takes};

#else

const AttentionGroup kAttention{};

#endif

}  // namespace at::cuda::backend::dnn::host
