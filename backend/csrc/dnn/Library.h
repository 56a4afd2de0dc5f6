#pragma once

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
namespace at::cuda::backend::dnn {

/// Parameters of a convolution. Each vector has one entry for each spatial dimension.
struct Convolution {
  DimVector stride, padding, dilation;
  DimVector output_padding;  // zero unless `transposed`
  int64_t groups = 1;
  bool transposed = false;
};

using Gradients = std::tuple<Tensor, Tensor, Tensor>;  // of input, weight and bias

/// Functions of one implementation. PyTorch has checked shapes, and expanded one spatial dimension
/// to two. All tensors have one dtype and are on the current device; inputs can have any strides.
/// The work is in order with the device's current stream.
struct Library {
  const char* name;
  /// Result of a convolution in any memory format; the caller converts the result to the format of
  /// the inputs.
  Tensor (*convolution)(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
                        const Convolution& parameters);
  /// Gradients; an undefined tensor for each gradient that `wanted` does not request.
  Gradients (*convolutionBackward)(const Tensor& grad_output, const Tensor& input,
                                   const Tensor& weight, const Convolution& parameters,
                                   std::array<bool, 3> wanted);
};

/// Adds an implementation to the list while the kernels library loads. `library` must live as long
/// as the process.
struct Provider {
  explicit Provider(const Library& library);
};

/// Returns the selected implementation; initially, the first one that the profile lists.
const Library& library();

}  // namespace at::cuda::backend::dnn
