#pragma once

#include "../Export.h"
#include "../release/Optional.h"

#include <ATen/ATen.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

// Seam for libraries of neural network layers, such as cuDNN. An implementation is a folder
// `seams/dnn/NAME`: it defines a constant of type `Library`, and passes this constant to
// `Provider`. The profile of the target lists the implementations that are built in
// (docs/vendor-seams.md).
//
// A library has a group of functions for each kind of layer. It may lack groups, and a group may
// refuse layers (`takes`): PyTorch's own kernels then compute the layer.
//
// In all groups, tensors are dense and on the current device, and have one dtype unless stated
// otherwise. They are never empty in groups other than convolutions. Inputs can have any strides.
// Autograd records nothing that the functions do, except where stated. The work is in order with the
// device's current stream.
namespace at::cuda::backend::dnn {

using Gradients = std::tuple<Tensor, Tensor, Tensor>;  // of input, weight and bias

// -- convolutions

/// Parameters of a convolution. Each vector has one entry for each spatial dimension.
struct Convolution {
  DimVector stride, padding, dilation;
  DimVector output_padding;  // zero unless `transposed`
  int64_t groups = 1;
  bool transposed = false;
};

/// Functions for convolutions. PyTorch has checked shapes, and expanded one spatial dimension to
/// two.
struct ConvolutionGroup {
  /// Result of a convolution in any memory format; the caller converts the result to the format of
  /// the inputs.
  Tensor (*forward)(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
                    const Convolution& parameters) = nullptr;
  /// Gradients; an undefined tensor for each gradient that `wanted` does not request.
  Gradients (*backward)(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                        const Convolution& parameters, std::array<bool, 3> wanted) = nullptr;
};

// -- batch normalization

/// Parameters of a batch normalization. The four vectors have one element for each channel, and are
/// contiguous. They have the input's dtype or, with an input of 16 bits, float. Undefined vectors: a
/// layer without weight and bias (each can be undefined alone), or without running statistics (both
/// are undefined).
struct BatchNorm {
  Tensor weight, bias;
  Tensor running_mean, running_var;
  bool training = false;  // false: normalize by the running statistics
  double momentum = 0;    // share of the batch in the new running statistics; 0 in `backward`
  double eps = 0;         // added to the variance
};

/// Functions for batch normalization. Dimension 1 of the input is the channel.
struct BatchNormGroup {
  /// Output of the size of `input` in any memory format, and in training also mean and 1 / sqrt(variance +
  /// eps) of each channel of the batch, undefined otherwise. In training, the function updates the
  /// running statistics in place, with the unbiased variance.
  std::tuple<Tensor, Tensor, Tensor> (*forward)(const Tensor& input,
                                                const BatchNorm& layer) = nullptr;
  /// Gradients of input, weight and bias, the latter two in the dtype of the weight; an undefined
  /// tensor for each gradient that `wanted` does not request. `mean` and `invstd` are results of
  /// `forward`, or of PyTorch's kernels, in float (double for an input in double); undefined unless
  /// `layer.training`. `layer.bias` is undefined.
  Gradients (*backward)(const Tensor& grad_output, const Tensor& input, const BatchNorm& layer,
                        const Tensor& mean, const Tensor& invstd,
                        std::array<bool, 3> wanted) = nullptr;
  /// Tests whether the library computes the layer, forward and backward; null: every layer.
  bool (*takes)(const Tensor& input, const BatchNorm& layer) = nullptr;
};

// -- attention

/// Parameters of scaled dot product attention: softmax(scale * query * key^T + mask) * value.
struct Attention {
  Tensor mask;          // can be broadcast to [batch, heads, queries, keys]; undefined: no mask
  bool causal = false;  // query i sees the keys 0 to i; without mask
  double scale = 1;
};

/// Functions for attention without dropout. Query, key and value are [batch, heads, queries or keys,
/// features]; the features of the value can differ in number.
struct AttentionGroup {
  /// Output [batch, heads, queries, features of the value], and a tensor that `backward` needs, usually
  /// the logarithm of the sum of exponentials in each row of the softmax; undefined if none. The mask
  /// has the dtype of the query.
  std::tuple<Tensor, Tensor> (*forward)(const Tensor& query, const Tensor& key, const Tensor& value,
                                        const Attention& parameters) = nullptr;
  /// Gradients of query, key, value and mask; an undefined tensor for each gradient that `wanted` does
  /// not request. The last gradient can be as large as the scores: the caller sums it to the size of
  /// the mask. The same library's `forward` has computed `output` and `logsumexp`.
  std::tuple<Tensor, Tensor, Tensor, Tensor> (*backward)(
      const Tensor& grad_output, const Tensor& query, const Tensor& key, const Tensor& value,
      const Tensor& output, const Tensor& logsumexp, const Attention& parameters,
      std::array<bool, 4> wanted) = nullptr;
  /// Tests whether the library computes this attention, forward and backward; null: always. The mask
  /// can be boolean here (false: the query does not see the key), and can require a gradient.
  bool (*takes)(const Tensor& query, const Tensor& key, const Tensor& value,
                const Attention& parameters) = nullptr;
};

// -- recurrent layers

enum class Cell { lstm, gru, tanh, relu };

/// Parameters of a stack of recurrent layers.
struct Recurrent {
  Cell cell = Cell::lstm;
  int64_t layers = 1;
  bool bidirectional = false;
  bool has_biases = true;
  double dropout = 0;    // between layers; 0 in evaluation
  bool training = true;  // false: `backward` will not be called
  /// For packed sequences: number of sequences that have an element at each time, on the CPU, int64.
  /// Undefined: all sequences are equally long.
  Tensor batch_sizes;
};

/// Tensors of a stack of recurrent layers, or their gradients.
struct RecurrentInputs {
  Tensor input;                 // [time, batch, features]; packed sequences: [elements, features]
  Tensor hx;                    // [layers * directions, batch, hidden]
  Tensor cx;                    // LSTM only, else undefined
  std::vector<Tensor> weights;  // in PyTorch's order: of each layer and direction w_ih, w_hh, b_ih,
                                // b_hh, and w_hr for an LSTM with projections
};

/// Results of a stack of recurrent layers, or their gradients.
struct RecurrentOutputs {
  Tensor output;  // [time, batch, directions * hidden]; packed sequences: without the dimension time
  Tensor hy, cy;  // as hx and cx
};

/// Functions for recurrent layers.
struct RecurrentGroup {
  /// Outputs; `saved` receives tensors for `backward`, on any device, if `layer.training`.
  RecurrentOutputs (*forward)(const RecurrentInputs& inputs, const Recurrent& layer,
                              std::vector<Tensor>& saved) = nullptr;
  /// Gradients of the inputs; an undefined tensor, or no entry in `weights`, for each gradient that
  /// `wanted` does not request: of input, hx, cx (LSTM only), and each weight. Undefined tensors in
  /// `gradients` are zero. The same library's `forward` has computed `outputs` and `saved`.
  RecurrentInputs (*backward)(const RecurrentOutputs& gradients, const RecurrentInputs& inputs,
                              const RecurrentOutputs& outputs, const Recurrent& layer,
                              const std::vector<Tensor>& saved,
                              const std::vector<bool>& wanted) = nullptr;
  /// Tests whether the library computes the layers, forward and backward; null: always.
  bool (*takes)(const RecurrentInputs& inputs, const Recurrent& layer) = nullptr;
};

// -- libraries

/// One implementation. Groups without functions are groups that the library lacks.
struct Library {
  const char* name;
  ConvolutionGroup convolution;
  BatchNormGroup batchNorm;
  AttentionGroup attention;
  RecurrentGroup recurrent;
};

/// Adds an implementation to the list while a shared library loads. `library` must live as long as
/// the process.
struct BACKEND_API Provider {
  explicit Provider(const Library& library);
};

}  // namespace at::cuda::backend::dnn
