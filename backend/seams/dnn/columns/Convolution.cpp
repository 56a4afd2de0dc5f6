// Implementation `columns` of seam `dnn`: convolution by matrix products, for targets without a
// library of neural network layers.
//
// A convolution is a matrix product of the unfolded input: columns[n, c * k, l] contains, for each
// position l of the output, the c channels at the k points of the kernel. Groups are a batch
// dimension of the product. A transposed convolution exchanges the roles of input and output. Three
// products therefore cover all six cases:
//
//                      convolution            transposed
//   forward            gather                 scatter
//   gradient of input  scatter                gather
//   gradient of weight correlate              correlate
//
// In the code, the kernel moves over the "large" image, and the "small" image has one point for
// each position of the kernel. For a convolution, the input is large; for a transposed convolution,
// the output.

#include "Depthwise.h"
#include "dnn/Library.h"

#include <ATen/OpMathType.h>
#include <ATen/native/ConvUtils.h>
#include <c10/util/accumulate.h>

#include <algorithm>

namespace at::cuda::backend::dnn {
namespace {

using Sizes = DimVector;

struct Window {
  Sizes kernel, stride, padding, dilation;  // one entry for each spatial dimension
  int64_t groups = 1;

  int64_t dims() const { return static_cast<int64_t>(kernel.size()); }
  int64_t points() const { return c10::multiply_integers(kernel); }
  // True for a kernel of one point without stride and padding: the columns then have the same
  // elements as the image.
  bool isPlain(const Sizes& large, const Sizes& small) const {
    return points() == 1 && large == small &&
           std::all_of(padding.begin(), padding.end(), [](int64_t value) { return value == 0; });
  }
  // Number of positions of the kernel in each dimension of a large image. The small image has these
  // sizes, or smaller ones with output padding.
  Sizes places(const Sizes& large) const {
    Sizes result;
    for (const auto i : c10::irange(dims())) {
      const int64_t reach = dilation[i] * (kernel[i] - 1);
      result.push_back((large[i] + 2 * padding[i] - reach - 1) / stride[i] + 1);
    }
    return result;
  }
  // True if im2col and col2im can be used: they need two spatial dimensions and no output padding.
  bool hasKernels(const Sizes& large, const Sizes& small) const {
    return dims() == 2 && places(large) == small;
  }
};

Window window(const Tensor& weight, const Convolution& given) {
  return {Sizes(weight.sizes().slice(2)), given.stride, given.padding, given.dilation,
          given.groups};
}

Sizes spatial(const Tensor& image) { return Sizes(image.sizes().slice(2)); }

Sizes concatenate(IntArrayRef first, IntArrayRef second) {
  Sizes result(first);
  result.append(second.begin(), second.end());
  return result;
}

// Unfolds an image: [n, c, image...] -> [n, c * points, places]. A place is one position of the
// kernel; `small` gives the number of places in each dimension.
Tensor unfold(const Tensor& large, const Window& w, const Sizes& small) {
  const int64_t samples = large.size(0), channels = large.size(1),
                places = c10::multiply_integers(small);
  if (w.isPlain(spatial(large), small)) {
    return large.reshape({samples, channels, places});
  }
  if (w.hasKernels(spatial(large), small)) {
    return at::im2col(large, w.kernel, w.dilation, w.padding, w.stride);
  }
  Sizes borders;
  for (auto i = w.dims() - 1; i >= 0; --i) {
    borders.append({w.padding[i], w.padding[i]});
  }
  const Tensor padded = at::constant_pad_nd(large, borders).contiguous();
  Sizes sizes{samples, channels}, strides{padded.stride(0), padded.stride(1)};
  sizes.append(w.kernel.begin(), w.kernel.end());
  sizes.append(small.begin(), small.end());
  for (const auto i : c10::irange(w.dims())) {
    strides.push_back(padded.stride(2 + i) * w.dilation[i]);
  }
  for (const auto i : c10::irange(w.dims())) {
    strides.push_back(padded.stride(2 + i) * w.stride[i]);
  }
  return padded.as_strided(sizes, strides, padded.storage_offset())
      .reshape({samples, channels * w.points(), places});
}

// Inverse of `unfold`: [n, c * points, places] -> [n, c, large...]. Elements that occur in several
// columns are summed.
Tensor fold(const Tensor& columns, const Window& w, const Sizes& small, const Sizes& large) {
  const int64_t samples = columns.size(0), channels = columns.size(1) / w.points();
  if (w.isPlain(large, small)) {
    return columns.reshape(concatenate({samples, channels}, large));
  }
  if (w.hasKernels(large, small)) {
    return at::col2im(columns, large, w.kernel, w.dilation, w.padding, w.stride);
  }
  Sizes padded;
  for (const auto i : c10::irange(w.dims())) {
    padded.push_back(large[i] + 2 * w.padding[i]);
  }
  // Sums of 16-bit numbers are accumulated in 32 bits.
  Tensor image = at::zeros(concatenate({samples, channels}, padded),
                           columns.options().dtype(toOpMathType(columns.scalar_type())));
  const Tensor parts = columns.reshape(concatenate(Sizes{samples, channels, w.points()}, small));
  Sizes point(w.dims(), 0);
  for (const auto p : c10::irange(w.points())) {
    Tensor target = image;
    for (const auto i : c10::irange(w.dims())) {
      const int64_t begin = point[i] * w.dilation[i];
      target = target.slice(2 + i, begin, begin + (small[i] - 1) * w.stride[i] + 1, w.stride[i]);
    }
    target.add_(parts.select(2, p));
    for (auto i = w.dims() - 1; i >= 0 && ++point[i] == w.kernel[i]; --i) {
      point[i] = 0;
    }
  }
  for (const auto i : c10::irange(w.dims())) {
    image = image.narrow(2 + i, w.padding[i], large[i]);
  }
  return image.to(columns.scalar_type()).contiguous();
}

// Number of samples to process at once. Each sample needs a temporary tensor of `elements`
// elements, many times the size of the input; the result limits the total size of these tensors.
int64_t samplesAtOnce(int64_t elements, const Tensor& like) {
  constexpr int64_t bytes = int64_t{1} << 27;
  return std::max<int64_t>(1, bytes / std::max<int64_t>(1, elements * like.element_size()));
}

int64_t columnElements(const Tensor& large, const Window& w, const Sizes& small) {
  return large.size(1) * w.points() * c10::multiply_integers(small);
}

// [groups * out, in, kernel...] -> [samples * groups, out, in * points]
Tensor matrices(const Tensor& weight, const Window& w, int64_t samples) {
  const int64_t rows = weight.size(0) / w.groups;
  return weight.reshape({1, w.groups, rows, -1})
      .expand({samples, w.groups, rows, weight.size(1) * w.points()})
      .reshape({samples * w.groups, rows, weight.size(1) * w.points()});
}

template <typename Body>
void forParts(int64_t samples, int64_t part, const Body& body) {
  for (int64_t begin = 0; begin < samples; begin += part) {
    body(begin, std::min(part, samples - begin));
  }
}

// Computes the small image: each of its points is a sum over the points of `large` under the
// kernel.
Tensor gather(const Tensor& large, const Tensor& weight, const Window& w, const Sizes& small) {
  const int64_t samples = large.size(0), channels = weight.size(0);
  const int64_t places = c10::multiply_integers(small);
  Tensor result = at::empty({samples, channels, places}, large.options());
  forParts(
      samples, samplesAtOnce(columnElements(large, w, small), large),
      [&](int64_t begin, int64_t count) {
        const Tensor columns =
            unfold(large.narrow(0, begin, count), w, small).reshape({count * w.groups, -1, places});
        Tensor out =
            result.narrow(0, begin, count).view({count * w.groups, channels / w.groups, places});
        at::bmm_out(out, matrices(weight, w, count), columns);
      });
  return result.view(concatenate({samples, channels}, small));
}

// Computes the large image: each point of `small` is added to the points of the result under the
// kernel.
Tensor scatter(const Tensor& small, const Tensor& weight, const Window& w, const Sizes& large) {
  const int64_t samples = small.size(0), channels = weight.size(1) * w.groups;
  const Sizes small_sizes = spatial(small);
  const int64_t places = c10::multiply_integers(small_sizes);
  Tensor result = at::empty(concatenate({samples, channels}, large), small.options());
  forParts(samples, samplesAtOnce(columnElements(result, w, small_sizes), small),
           [&](int64_t begin, int64_t count) {
             const Tensor image =
                 small.narrow(0, begin, count).reshape({count * w.groups, -1, places});
             const Tensor columns = at::bmm(matrices(weight, w, count).transpose(1, 2), image);
             result.narrow(0, begin, count)
                 .copy_(fold(columns.view({count, channels * w.points(), places}), w, small_sizes,
                             large));
           });
  return result;
}

// Gradient of the weight: for each point of the kernel, the product of the corresponding elements
// of both images. A matrix product computes the sum over the positions of the kernel; the sum over
// samples follows.
Tensor correlate(const Tensor& large, const Tensor& small, const Tensor& weight, const Window& w) {
  const Sizes small_sizes = spatial(small);
  const int64_t places = c10::multiply_integers(small_sizes);
  const int64_t elements = std::max(columnElements(large, w, small_sizes), weight.numel());
  Tensor result;
  forParts(small.size(0), samplesAtOnce(elements, small), [&](int64_t begin, int64_t count) {
    const auto matrices = [&](const Tensor& image) {
      return image.reshape({count * w.groups, -1, places});
    };
    const Tensor columns = matrices(unfold(large.narrow(0, begin, count), w, small_sizes));
    const Tensor image = matrices(small.narrow(0, begin, count));
    const Tensor products = at::bmm(image, columns.transpose(1, 2));
    const Tensor part = products.view({count, -1}).sum(0);
    result = result.defined() ? result.add_(part) : part;
  });
  return result.view(weight.sizes());
}

Tensor convolution(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
                   const Convolution& given) {
  const Window w = window(weight, given);
  const Tensor image = input.contiguous(), kernel = weight.contiguous();
  if (depthwise::takes(image, kernel, given)) {
    return depthwise::forward(image, kernel, bias, given);
  }
  Tensor result;
  if (given.transposed) {
    const auto large = native::conv_input_size(image.sizes(), kernel.sizes(), w.padding,
                                               given.output_padding, w.stride, w.dilation, w.groups);
    result = scatter(image, kernel, w, Sizes(large.begin() + 2, large.end()));
  } else {
    result = gather(image, kernel, w, w.places(spatial(image)));
  }
  if (bias.has_value() && bias->defined()) {
    Sizes shape(result.dim(), 1);
    shape[1] = bias->numel();
    result.add_(bias->view(shape));
  }
  return result;
}

Gradients convolutionBackward(const Tensor& grad_output, const Tensor& input, const Tensor& weight,
                              const Convolution& given, std::array<bool, 3> wanted) {
  const Window w = window(weight, given);
  const Tensor grad = grad_output.contiguous(), image = input.contiguous(),
               kernel = weight.contiguous();
  Tensor grad_input, grad_weight, grad_bias;
  if (depthwise::takes(image, kernel, given)) {
    std::tie(grad_input, grad_weight) =
        depthwise::backward(grad, image, kernel, given, {wanted[0], wanted[1]});
  } else {
    if (wanted[0]) {
      grad_input = given.transposed ? gather(grad, kernel, w, spatial(image))
                                    : scatter(grad, kernel, w, spatial(image));
    }
    if (wanted[1]) {
      grad_weight =
          given.transposed ? correlate(grad, image, kernel, w) : correlate(image, grad, kernel, w);
    }
  }
  if (wanted[2]) {
    Sizes dims{0};
    for (const auto i : c10::irange(w.dims())) {
      dims.push_back(2 + i);
    }
    grad_bias = grad.sum(dims);
  }
  return {grad_input, grad_weight, grad_bias};
}

constexpr Library kColumns{"columns", {convolution, convolutionBackward}, {}, {}, {}};
const Provider provider(kColumns);

}  // namespace
}  // namespace at::cuda::backend::dnn
