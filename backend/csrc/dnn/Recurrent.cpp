// Recurrent layers of seam `dnn`. PyTorch composes lstm, gru, rnn_tanh and rnn_relu of operators for
// single cells. For this device, the operators first ask the selected library; a library computes the
// whole stack of layers, and has a backward function of its own.

#include "Selection.h"

#include "../release/Autocast.h"

#include <ATen/ops/gru_native.h>
#include <ATen/ops/lstm_native.h>
#include <ATen/ops/rnn_relu_native.h>
#include <ATen/ops/rnn_tanh_native.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/library.h>

#include <algorithm>

namespace at::cuda::backend::dnn {
namespace {

// -- which layers a library can be asked for

int64_t gatesOf(Cell cell) { return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1; }

bool hasSizes(const Tensor& tensor, IntArrayRef sizes) { return tensor.sizes() == sizes; }

// Test whether the sizes of the weights belong together. PyTorch's own code reports the error if not.
bool weightsFit(const RecurrentInputs& given, const Recurrent& layer) {
  const int64_t directions = layer.bidirectional ? 2 : 1;
  const int64_t hidden = layer.cell == Cell::lstm ? given.cx.size(2) : given.hx.size(2);
  const int64_t output = given.hx.size(2), rows = gatesOf(layer.cell) * hidden;
  const bool projected = output != hidden;
  const size_t count = (layer.has_biases ? 4 : 2) + (projected ? 1 : 0);
  if (given.weights.size() != static_cast<size_t>(layer.layers * directions) * count) {
    return false;
  }
  for (size_t i = 0; i < given.weights.size(); i += count) {
    const bool first = static_cast<int64_t>(i / count) < directions;
    const int64_t features = first ? given.input.size(-1) : directions * output;
    const Tensor* own = &given.weights[i];
    if (!hasSizes(own[0], {rows, features}) || !hasSizes(own[1], {rows, output}) ||
        (layer.has_biases && (!hasSizes(own[2], {rows}) || !hasSizes(own[3], {rows}))) ||
        (projected && !hasSizes(own[count - 1], {output, hidden}))) {
      return false;
    }
  }
  return true;
}

bool statesFit(const RecurrentInputs& given, const Recurrent& layer) {
  const int64_t states = layer.layers * (layer.bidirectional ? 2 : 1);
  const bool packed = layer.batch_sizes.defined();
  if (given.input.dim() != (packed ? 2 : 3) || given.hx.dim() != 3 ||
      (layer.cell == Cell::lstm && given.cx.dim() != 3)) {
    return false;
  }
  if (packed && !(layer.batch_sizes.dim() == 1 && layer.batch_sizes.is_cpu() &&
                  layer.batch_sizes.scalar_type() == kLong && layer.batch_sizes.numel() > 0)) {
    return false;
  }
  const int64_t batch =
      packed ? layer.batch_sizes.const_data_ptr<int64_t>()[0] : given.input.size(1);
  const auto fits = [&](const Tensor& state) {
    return state.size(0) == states && state.size(1) == batch;
  };
  return fits(given.hx) && (layer.cell != Cell::lstm || fits(given.cx));
}

std::vector<Tensor> listed(const RecurrentInputs& given) {
  std::vector<Tensor> all{given.input, given.hx};
  if (given.cx.defined()) {
    all.push_back(given.cx);
  }
  all.insert(all.end(), given.weights.begin(), given.weights.end());
  return all;
}

RecurrentInputs inputsOf(const std::vector<Tensor>& all, Cell cell) {
  const auto weights = all.begin() + (cell == Cell::lstm ? 3 : 2);
  return {all[0], all[1], cell == Cell::lstm ? all[2] : Tensor(), {weights, all.end()}};
}

// The selected library if it takes the layers; null: PyTorch's operators compute the layers.
const Library* libraryFor(const RecurrentInputs& given, const Recurrent& layer) {
  const Library& wanted = selected();
  const auto all = listed(given);
  const auto type = given.input.scalar_type();
  const auto hasType = [&](const Tensor& tensor) { return tensor.scalar_type() == type; };
  if (!wanted.recurrent.forward || !areOrdinary(all) || !given.input.is_floating_point() ||
      !std::all_of(all.begin(), all.end(), hasType) || !statesFit(given, layer) ||
      !weightsFit(given, layer)) {
    return nullptr;
  }
  return !wanted.recurrent.takes || wanted.recurrent.takes(given, layer) ? &wanted : nullptr;
}

// -- the layers as one function of autograd

// Layer of a node in the graph of autograd. The variable is part of the context of the node.
struct Node : torch::CustomClassHolder {
  Node(const Library& used, Recurrent given) : library(&used), layer(std::move(given)) {}
  const Library* library;
  Recurrent layer;
};

struct Function : torch::autograd::Function<Function> {
  using Variables = torch::autograd::variable_list;

  static Variables forward(torch::autograd::AutogradContext* context,
                           const c10::intrusive_ptr<Node>& node, const TensorList& variables) {
    const auto given = inputsOf(variables.vec(), node->layer.cell);
    std::vector<Tensor> saved;
    const auto results = node->library->recurrent.forward(given, node->layer, saved);
    Variables outputs{results.output, results.hy};
    if (node->layer.cell == Cell::lstm) {
      outputs.push_back(results.cy);
    }
    if (node->layer.training) {
      Variables kept = variables.vec();
      kept.insert(kept.end(), outputs.begin(), outputs.end());
      kept.insert(kept.end(), saved.begin(), saved.end());
      context->save_for_backward(kept);
      context->saved_data["node"] = IValue::make_capsule(node);
      context->saved_data["inputs"] = static_cast<int64_t>(variables.size());
      context->set_materialize_grads(false);
    }
    return outputs;
  }

  static Variables backward(torch::autograd::AutogradContext* context, const Variables& gradients) {
    const auto node =
        c10::static_intrusive_pointer_cast<Node>(context->saved_data["node"].toCapsule());
    const auto count = context->saved_data["inputs"].toInt();
    const auto kept = context->get_saved_variables();
    const bool lstm = node->layer.cell == Cell::lstm;
    const auto outputs = kept.begin() + count, saved = outputs + (lstm ? 3 : 2);
    const auto given = inputsOf({kept.begin(), outputs}, node->layer.cell);
    std::vector<bool> wanted;
    for (int64_t i = 0; i < count; ++i) {
      wanted.push_back(context->needs_input_grad(i));
    }
    RecurrentInputs result;
    {
      const DeviceGuard device(given.input.device());
      const AutoGradMode mode(false);
      result = node->library->recurrent.backward(
          {gradients[0], gradients[1], lstm ? gradients[2] : Tensor()}, given,
          {outputs[0], outputs[1], lstm ? outputs[2] : Tensor()}, node->layer, {saved, kept.end()},
          wanted);
    }
    return ofArguments(result, node->layer.cell, wanted, node->library->name);
  }

  // One gradient for each argument of `forward`: none for the node.
  static Variables ofArguments(const RecurrentInputs& result, Cell cell,
                               const std::vector<bool>& wanted, const char* name) {
    Variables all{result.input, result.hx};
    if (cell == Cell::lstm) {
      all.push_back(result.cx);
    }
    all.insert(all.end(), result.weights.begin(), result.weights.end());
    all.resize(wanted.size());
    if (GradMode::is_enabled()) {  // create_graph=True
      for (Tensor& gradient : all) {
        gradient = gradient.defined() ? gradient.detach().requires_grad_() : gradient;
      }
      all = (*std::make_shared<torch::autograd::DelayedError>(
          c10::str("recurrent layers of the library '", name, "' have no second derivative; "
                   "dnn.use selects another library"),
          static_cast<int64_t>(all.size())))(std::move(all));
    }
    all.insert(all.begin(), Tensor());
    return all;
  }
};

// -- operators

using Outputs = std::tuple<Tensor, Tensor, Tensor>;

// Automatic mixed precision computes matrix products in lower precision; a library computes the whole
// layer in this precision.
RecurrentInputs inLowerPrecision(RecurrentInputs given) {
  const auto type = release::autocastType();
  if (!type) {
    return given;
  }
  const auto cast = [&](Tensor& tensor) {
    if (tensor.defined()) {
      tensor = autocast::cached_cast(*type, tensor, kCUDA);
    }
  };
  cast(given.input);
  cast(given.hx);
  cast(given.cx);
  std::for_each(given.weights.begin(), given.weights.end(), cast);
  return given;
}

// Results of the library that takes the layers; empty: PyTorch's operators compute the layers.
optional<Outputs> byLibrary(RecurrentInputs given, Recurrent layer, bool batch_first) {
  if (!selected().recurrent.forward || !areOrdinary(listed(given))) {
    count(Kind::recurrent, nullptr);
    return nullopt;
  }
  given = inLowerPrecision(std::move(given));
  if (batch_first && given.input.dim() == 3) {
    given.input = given.input.transpose(0, 1);
  }
  const auto all = listed(given);
  layer.training = GradMode::is_enabled() &&
                   std::any_of(all.begin(), all.end(),
                               [](const Tensor& tensor) { return tensor.requires_grad(); });
  const Library* library = libraryFor(given, layer);
  count(Kind::recurrent, library);
  if (!library) {
    return nullopt;
  }
  const DeviceGuard device(given.input.device());
  const c10::impl::ExcludeDispatchKeyGuard full_precision(DispatchKey::AutocastPrivateUse1);
  auto results = Function::apply(c10::make_intrusive<Node>(*library, layer), TensorList(all));
  if (batch_first) {
    results[0] = results[0].transpose(0, 1);
  }
  return Outputs{results[0], results[1], results.size() > 2 ? results[2] : Tensor()};
}

Recurrent layerOf(Cell cell, bool has_biases, int64_t layers, double dropout, bool train,
                  bool bidirectional, const Tensor& batch_sizes = {}) {
  return {cell, layers, bidirectional, has_biases, train ? dropout : 0, true, batch_sizes};
}

Outputs lstm(const Tensor& input, TensorList hx, TensorList params, bool has_biases, int64_t layers,
             double dropout, bool train, bool bidirectional, bool batch_first) {
  if (hx.size() == 2) {
    const auto layer = layerOf(Cell::lstm, has_biases, layers, dropout, train, bidirectional);
    if (auto results = byLibrary({input, hx[0], hx[1], params.vec()}, layer, batch_first)) {
      return *results;
    }
  }
  return native::lstm(input, hx, params, has_biases, layers, dropout, train, bidirectional,
                      batch_first);
}

Outputs packedLstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx, TensorList params,
                   bool has_biases, int64_t layers, double dropout, bool train,
                   bool bidirectional) {
  if (hx.size() == 2) {
    const auto layer =
        layerOf(Cell::lstm, has_biases, layers, dropout, train, bidirectional, batch_sizes);
    if (auto results = byLibrary({data, hx[0], hx[1], params.vec()}, layer, false)) {
      return *results;
    }
  }
  return native::lstm(data, batch_sizes, hx, params, has_biases, layers, dropout, train,
                      bidirectional);
}

using Padded = std::tuple<Tensor, Tensor>(const Tensor&, const Tensor&, TensorList, bool, int64_t,
                                          double, bool, bool, bool);
using Packed = std::tuple<Tensor, Tensor>(const Tensor&, const Tensor&, const Tensor&, TensorList,
                                          bool, int64_t, double, bool, bool);

// The layers of other cells have one state. `own`: PyTorch's function.
template <Cell cell, Padded* own>
std::tuple<Tensor, Tensor> padded(const Tensor& input, const Tensor& hx, TensorList params,
                                  bool has_biases, int64_t layers, double dropout, bool train,
                                  bool bidirectional, bool batch_first) {
  const auto layer = layerOf(cell, has_biases, layers, dropout, train, bidirectional);
  if (auto results = byLibrary({input, hx, Tensor(), params.vec()}, layer, batch_first)) {
    return {std::get<0>(*results), std::get<1>(*results)};
  }
  return own(input, hx, params, has_biases, layers, dropout, train, bidirectional, batch_first);
}

template <Cell cell, Packed* own>
std::tuple<Tensor, Tensor> packed(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                  TensorList params, bool has_biases, int64_t layers,
                                  double dropout, bool train, bool bidirectional) {
  const auto layer = layerOf(cell, has_biases, layers, dropout, train, bidirectional, batch_sizes);
  if (auto results = byLibrary({data, hx, Tensor(), params.vec()}, layer, false)) {
    return {std::get<0>(*results), std::get<1>(*results)};
  }
  return own(data, batch_sizes, hx, params, has_biases, layers, dropout, train, bidirectional);
}

// Autograd's key: PyTorch's functions are compositions, which autograd differentiates. The device's
// key is used in inference mode.
void registerAll(torch::Library& m) {
  m.impl("lstm.input", lstm);
  m.impl("lstm.data", packedLstm);
  m.impl("gru.input", padded<Cell::gru, native::gru>);
  m.impl("gru.data", packed<Cell::gru, native::gru>);
  m.impl("rnn_tanh.input", padded<Cell::tanh, native::rnn_tanh>);
  m.impl("rnn_tanh.data", packed<Cell::tanh, native::rnn_tanh>);
  m.impl("rnn_relu.input", padded<Cell::relu, native::rnn_relu>);
  m.impl("rnn_relu.data", packed<Cell::relu, native::rnn_relu>);
}

TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, m) { registerAll(m); }
TORCH_LIBRARY_IMPL(aten, CUDA, m) { registerAll(m); }

}  // namespace
}  // namespace at::cuda::backend::dnn
