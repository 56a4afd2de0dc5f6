// Memory-efficient attention. PyTorch's kernels for CUDA are built from cutlass, which is inline PTX for
// tensor cores. These kernels are matrix products, as in attention without a fused kernel. They have the
// operators' own properties, on which DTensor and context parallelism rely: the output's layout, and the
// logarithms of the softmax's sums, from which attention over parts of the keys is combined.

// Releases before 2.6 choose the kernels of attention in another way.
#if __has_include(<ATen/SDPBackend.h>)
#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/ExpandUtils.h>
#include <ATen/SDPBackend.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>

#include "kernels.h"

#include <cmath>
#include <limits>

namespace simt_ops {
namespace {

constexpr int64_t kAlignment = 32;  ///< the number of sums of each head is a multiple

/// Type in which products of 16-bit floats are computed.
at::ScalarType compute_type(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

struct Attention {
  at::Tensor query, key, value, bias;  ///< [batch, head, length, size], in the type of the computation
  bool causal;
  double scale;

  Attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const at::Tensor& bias,
            bool causal, std::optional<double> scale)
      : query(query.to(compute_type(query))),
        key(key.to(compute_type(key))),
        value(value.to(compute_type(value))),
        bias(bias),
        causal(causal),
        scale(scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))))) {}

  /// Arguments of the softmax. A query sees the keys up to its own position if the attention is causal.
  at::Tensor scores() const {
    at::Tensor scores = at::matmul(query, key.transpose(-2, -1)).mul_(scale);
    if (bias.defined()) scores.add_(bias);
    if (causal) {
      const at::Tensor hidden = at::ones({query.size(-2), key.size(-2)}, query.options().dtype(at::kBool)).triu_(1);
      scores.masked_fill_(hidden, -std::numeric_limits<double>::infinity());
    }
    return scores;
  }
};

/// Softmax, from its arguments and the logarithms of its sums. A query that sees no key has the result 0.
at::Tensor softmax(const at::Tensor& scores, const at::Tensor& sums) {
  const at::Tensor logarithms = sums.unsqueeze(-1);
  return at::exp(scores - logarithms).masked_fill_(logarithms == -std::numeric_limits<double>::infinity(), 0);
}

/// Factors of a dropout: 0, or the inverse of the probability that a value remains. The seed determines them.
at::Tensor dropout_factors(const at::Tensor& like, double probability, int64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(like.device()).clone();
  generator.set_current_seed(static_cast<uint64_t>(seed));
  return at::empty_like(like).bernoulli_(1 - probability, generator).div_(1 - probability);
}

/// Copy of values [batch, head, length, size] whose memory has the order [batch, length, head, size], as on CUDA: programs
/// view it as [batch, length, head * size].
at::Tensor with_heads_inside(const at::Tensor& values, at::ScalarType type) {
  const auto sizes = values.sizes();
  at::Tensor copy = at::empty({sizes[0], sizes[2], sizes[1], sizes[3]}, values.options().dtype(type)).transpose(1, 2);
  return copy.copy_(values);
}

}  // namespace

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> efficient_attention(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const std::optional<at::Tensor>& bias,
    bool compute_log_sumexp, double dropout_p, bool is_causal, std::optional<double> scale) {
  const Attention attention(query, key, value, bias.value_or(at::Tensor()), is_causal, scale);
  const at::Tensor scores = attention.scores();
  const at::Tensor sums = scores.logsumexp(-1);
  at::Tensor weights = softmax(scores, sums);
  at::Tensor seed = at::zeros({}, query.options().dtype(at::kLong));
  if (dropout_p > 0) {
    seed.random_();
    weights.mul_(dropout_factors(weights, dropout_p, seed.item<int64_t>()));
  }
  const int64_t length = query.size(2);
  at::Tensor output = with_heads_inside(at::matmul(weights, attention.value), query.scalar_type());
  const int64_t kept = compute_log_sumexp ? (length + kAlignment - 1) / kAlignment * kAlignment : 0;
  at::Tensor kept_sums = at::full({query.size(0), query.size(1), kept}, std::numeric_limits<double>::infinity(),
                                  query.options().dtype(at::kFloat));
  if (compute_log_sumexp) kept_sums.narrow(-1, 0, length).copy_(sums);
  return {output, kept_sums, seed, at::zeros_like(seed)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> efficient_attention_backward(
    const at::Tensor& grad_out, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& bias, const at::Tensor& out, const at::Tensor& logsumexp, const at::Tensor& philox_seed,
    const at::Tensor& /*philox_offset*/, double dropout_p, std::array<bool, 4> grad_input_mask, bool is_causal,
    std::optional<double> scale) {
  if (!grad_out.defined()) return {};
  const Attention attention(query, key, value, bias, is_causal, scale);
  const at::Tensor grad = grad_out.to(attention.query.scalar_type());
  const at::Tensor scores = attention.scores();
  const at::Tensor weights = softmax(scores, logsumexp.narrow(-1, 0, query.size(2)));
  at::Tensor grad_weights = at::matmul(grad, attention.value.transpose(-2, -1));
  at::Tensor used_weights = weights;
  if (dropout_p > 0) {
    const at::Tensor factors = dropout_factors(weights, dropout_p, philox_seed.item<int64_t>());
    used_weights = weights * factors;
    grad_weights.mul_(factors);
  }
  const at::Tensor mean = (grad * out).sum(-1, /*keepdim=*/true);
  const at::Tensor grad_scores = weights * (grad_weights - mean);
  const auto wanted = [&](int64_t index, const auto& gradient, const at::Tensor& like) {
    return grad_input_mask[index] ? with_heads_inside(gradient(), like.scalar_type()) : at::Tensor();
  };
  at::Tensor grad_bias;
  if (grad_input_mask[3] && bias.defined()) grad_bias = at::sum_to(grad_scores, bias.sizes()).to(bias.scalar_type());
  return {wanted(0, [&] { return at::matmul(grad_scores, attention.key).mul_(attention.scale); }, query),
          wanted(1, [&] { return at::matmul(grad_scores.transpose(-2, -1), attention.query).mul_(attention.scale); }, key),
          wanted(2, [&] { return at::matmul(used_weights.transpose(-2, -1), grad); }, value), grad_bias};
}

namespace {

/// Tensors for which the kernels above are defined.
bool fits(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) {
  const auto type = query.scalar_type();
  return query.dim() == 4 && key.dim() == 4 && value.dim() == 4 && query.is_floating_point() &&
         key.scalar_type() == type && value.scalar_type() == type && type != at::kDouble &&
         query.sym_sizes().slice(0, 2) == key.sym_sizes().slice(0, 2) &&
         query.sym_sizes().slice(0, 2) == value.sym_sizes().slice(0, 2);
}

/// True for a subclass with a __torch_dispatch__ of its own, such as DTensor, outside of tracing: it may have rules for
/// fused operators only.
bool is_subclass(const at::Tensor& tensor) {
  using Mode = c10::impl::TorchDispatchModeKey;
  using Modes = c10::impl::TorchDispatchModeTLS;
  if (!tensor.unsafeGetTensorImpl()->is_python_dispatch()) return false;
  return !Modes::get_mode(Mode::FAKE) && !Modes::get_mode(Mode::PROXY) && !Modes::get_mode(Mode::FUNCTIONAL);
}

}  // namespace

/// Choice of scaled_dot_product_attention: composed operators, which take all tensors, are as fast as the kernels above.
int64_t attention_choice(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         const std::optional<at::Tensor>& /*attn_mask*/, double /*dropout_p*/, bool /*is_causal*/,
                         std::optional<double> /*scale*/, bool /*enable_gqa*/) {
  const auto& context = at::globalContext();
  const bool composed = context.userEnabledMathSDP();
  if ((!composed || is_subclass(query)) && context.userEnabledMemEfficientSDP() && fits(query, key, value))
    return static_cast<int64_t>(at::SDPBackend::efficient_attention);
  TORCH_CHECK(composed, "No available kernel. Aborting execution.");
  return static_cast<int64_t>(at::SDPBackend::math);
}

}  // namespace simt_ops

#endif
