// The backward function computes the layers once more, and the CPU's autograd differentiates them.

#include "Host.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

namespace at::cuda::backend::dnn::host {
namespace {

// PyTorch's functions for one cell, of padded and of packed sequences.
template <typename Layers>
std::tuple<Tensor, Tensor> run(const Layers& layers, const RecurrentInputs& given,
                               const Recurrent& layer) {
  if (layer.batch_sizes.defined()) {
    return layers(given.input, layer.batch_sizes, given.hx, given.weights, layer.has_biases,
                  layer.layers, layer.dropout, /*train=*/true, layer.bidirectional);
  }
  return layers(given.input, given.hx, given.weights, layer.has_biases, layer.layers,
                layer.dropout, /*train=*/true, layer.bidirectional, /*batch_first=*/false);
}

RecurrentOutputs lstm(const RecurrentInputs& given, const Recurrent& layer) {
  const std::vector<Tensor> states{given.hx, given.cx};
  const auto [output, hy, cy] =
      layer.batch_sizes.defined()
          ? at::lstm(given.input, layer.batch_sizes, states, given.weights, layer.has_biases,
                     layer.layers, layer.dropout, /*train=*/true, layer.bidirectional)
          : at::lstm(given.input, states, given.weights, layer.has_biases, layer.layers,
                     layer.dropout, /*train=*/true, layer.bidirectional, /*batch_first=*/false);
  return {output, hy, cy};
}

RecurrentOutputs layers(const RecurrentInputs& given, const Recurrent& layer) {
  if (layer.cell == Cell::lstm) {
    return lstm(given, layer);
  }
  const auto gru = [](const auto&... arguments) { return at::gru(arguments...); };
  const auto tanh = [](const auto&... arguments) { return at::rnn_tanh(arguments...); };
  const auto relu = [](const auto&... arguments) { return at::rnn_relu(arguments...); };
  const auto [output, hy] = layer.cell == Cell::gru    ? run(gru, given, layer)
                            : layer.cell == Cell::tanh ? run(tanh, given, layer)
                                                       : run(relu, given, layer);
  return {output, hy, Tensor()};
}

std::vector<Tensor> onHost(const RecurrentInputs& inputs) {
  std::vector<Tensor> all{host::onHost(inputs.input), host::onHost(inputs.hx)};
  if (inputs.cx.defined()) {
    all.push_back(host::onHost(inputs.cx));
  }
  for (const Tensor& weight : inputs.weights) {
    all.push_back(host::onHost(weight));
  }
  return all;
}

// Inputs of the layers from tensors in the order of `wanted`.
RecurrentInputs inputsOf(const std::vector<Tensor>& all, Cell cell) {
  const bool lstm = cell == Cell::lstm;
  return {all[0], all[1], lstm ? all[2] : Tensor(), {all.begin() + (lstm ? 3 : 2), all.end()}};
}

// Sets the state of the CPU's random numbers for a block, so that the dropout repeats.
class RepeatedRandomNumbers {
 public:
  explicit RepeatedRandomNumbers(const std::vector<Tensor>& saved)
      : generator_(at::detail::getDefaultCPUGenerator()) {
    if (!saved.empty()) {
      before_ = generator_.get_state();
      generator_.set_state(saved[0]);
    }
  }
  ~RepeatedRandomNumbers() {
    if (before_.defined()) {
      generator_.set_state(before_);
    }
  }
  RepeatedRandomNumbers(const RepeatedRandomNumbers&) = delete;
  RepeatedRandomNumbers& operator=(const RepeatedRandomNumbers&) = delete;

 private:
  Generator generator_;
  Tensor before_;
};

RecurrentOutputs forward(const RecurrentInputs& inputs, const Recurrent& layer,
                         std::vector<Tensor>& saved) {
  finishEarlierWork();
  if (layer.training && layer.dropout > 0) {
    saved = {at::detail::getDefaultCPUGenerator().get_state()};
  }
  const auto results = layers(inputsOf(onHost(inputs), layer.cell), layer);
  return {onDevice(results.output, inputs.input), onDevice(results.hy, inputs.input),
          onDevice(results.cy, inputs.input)};
}

RecurrentInputs backward(const RecurrentOutputs& gradients, const RecurrentInputs& inputs,
                         const RecurrentOutputs& /*outputs*/, const Recurrent& layer,
                         const std::vector<Tensor>& saved, const std::vector<bool>& wanted) {
  finishEarlierWork();
  const AutoGradMode recording(true);
  auto given = onHost(inputs);
  std::vector<Tensor> leaves;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) {
      leaves.push_back(given[i].requires_grad_());
    }
  }
  RecurrentOutputs outputs;
  {
    const RepeatedRandomNumbers repeated(saved);
    outputs = layers(inputsOf(given, layer.cell), layer);
  }
  std::vector<Tensor> results, of_results;
  for (const auto& [result, gradient] : {std::pair{outputs.output, gradients.output},
                                         std::pair{outputs.hy, gradients.hy},
                                         std::pair{outputs.cy, gradients.cy}}) {
    if (gradient.defined() && result.requires_grad()) {
      results.push_back(result);
      of_results.push_back(host::onHost(gradient));
    }
  }
  const auto found =
      torch::autograd::grad(results, leaves, of_results, /*retain_graph=*/nullopt,
                            /*create_graph=*/false, /*allow_unused=*/true);
  std::vector<Tensor> all(wanted.size());
  for (size_t i = 0, next = 0; i < wanted.size(); ++i) {
    if (wanted[i]) {
      all[i] = onDevice(found[next++], inputs.input);
    }
  }
  return inputsOf(all, layer.cell);
}

}  // namespace

const RecurrentGroup kRecurrent{forward, backward};

}  // namespace at::cuda::backend::dnn::host
