// List of the implementations of seam `dnn`, and the operators that call the selected
// implementation.

#include "Library.h"

#include "../Backend.h"

#include <ATen/native/ConvUtils.h>
#include <ATen/native/utils/ParamUtils.h>
#include <torch/library.h>

#include <atomic>

#ifndef BACKEND_SEAM_DNN
#define BACKEND_SEAM_DNN columns
#endif
#define BACKEND_TEXT_OF(word) #word
#define BACKEND_TEXT(word) BACKEND_TEXT_OF(word)

namespace at::cuda::backend {
namespace dnn {
namespace {

// Written only while the library loads, by constructors that run one after the other.
std::vector<const Library*>& provided() {
  static std::vector<const Library*> libraries;
  return libraries;
}

std::atomic<const Library*>& inUse() {
  static std::atomic<const Library*> library{nullptr};
  return library;
}

const Library* find(const std::string& name) {
  for (const Library* one : provided()) {
    if (one->name == name) {
      return one;
    }
  }
  return nullptr;
}

DimVector expanded(IntArrayRef values, const char* name, int64_t dims) {
  // A single value applies to all dimensions.
  return DimVector(native::expand_param_if_needed(values, name, dims));
}

Convolution parameters(const Tensor& weight, IntArrayRef stride, IntArrayRef padding,
                       IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                       int64_t groups) {
  const auto dims = weight.dim() - 2;
  return {expanded(stride, "stride", dims),     expanded(padding, "padding", dims),
          expanded(dilation, "dilation", dims), expanded(output_padding, "output_padding", dims),
          groups,                               transposed};
}

// Memory format of the result, as with cuDNN: channels last if one of the inputs has this format.
MemoryFormat formatOf(const Tensor& input, const Tensor& weight) {
  const auto last =
      input.dim() == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
  const bool any = input.suggest_memory_format() == last || weight.suggest_memory_format() == last;
  return any && (input.dim() == 4 || input.dim() == 5) ? last : MemoryFormat::Contiguous;
}

Tensor formatted(const Tensor& tensor, MemoryFormat format) {
  return tensor.defined() ? tensor.contiguous(format) : tensor;
}

Tensor convolution(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
                   IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                   IntArrayRef output_padding, int64_t groups) {
  TORCH_CHECK(input.scalar_type() == weight.scalar_type(), "Input type (", input.toString(),
              ") and weight type (", weight.toString(), ") should be the same");
  const auto given =
      parameters(weight, stride, padding, dilation, transposed, output_padding, groups);
  return formatted(library().convolution(input, weight, bias, given), formatOf(input, weight));
}

Gradients convolutionBackward(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                              bool transposed, IntArrayRef output_padding, int64_t groups,
                              std::array<bool, 3> output_mask) {
  const auto given =
      parameters(weight, stride, padding, dilation, transposed, output_padding, groups);
  const auto format = formatOf(input, weight);
  auto [grad_input, grad_weight, grad_bias] =
      library().convolutionBackward(grad_output, input, weight, given, output_mask);
  return {formatted(grad_input, format), formatted(grad_weight, format), grad_bias};
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("convolution_overrideable", convolution);
  m.impl("convolution_backward_overrideable", convolutionBackward);
}

}  // namespace

Provider::Provider(const Library& library) { provided().push_back(&library); }

const Library& library() {
  const Library* used = inUse().load(std::memory_order_acquire);
  if (!used) {
    used = find(BACKEND_TEXT(BACKEND_SEAM_DNN));
    TORCH_CHECK(used, "the backend was built without ", BACKEND_TEXT(BACKEND_SEAM_DNN),
                ", the first library of neural network layers in the profile");
    inUse().store(used, std::memory_order_release);
  }
  return *used;
}

}  // namespace dnn

std::vector<std::string> dnn_libraries() {
  std::vector<std::string> names;
  for (const dnn::Library* one : dnn::provided()) {
    names.emplace_back(one->name);
  }
  return names;
}

std::string dnn_library() { return dnn::library().name; }

void set_dnn_library(const std::string& name) {
  const dnn::Library* wanted = dnn::find(name);
  TORCH_CHECK_VALUE(wanted, "'", name, "' is not a library of neural network layers; this backend has ",
                    dnn_libraries());
  dnn::inUse().store(wanted, std::memory_order_release);
}

}  // namespace at::cuda::backend
