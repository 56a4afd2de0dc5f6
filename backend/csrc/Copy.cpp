// Copies from and to the device. at::copy_ in libtorch_cpu supports CPU, CUDA and a few other
// devices. For all other devices it calls _copy_from; this file implements _copy_from with the code
// of CUDA's copy_.

#include "release/TensorIterator.h"

#include <ATen/ATen.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Copy.h>
#include <ATen/native/Resize.h>
#include <ATen/quantized/Quantizer.h>
#include <torch/library.h>

namespace at::cuda::backend {
namespace {

bool sameView(const Tensor& a, const Tensor& b) {
  return a.is_alias_of(b) && a.storage_offset() == b.storage_offset() &&
         a.strides().equals(b.strides()) && a.sizes().equals(b.sizes()) &&
         a.scalar_type() == b.scalar_type() && a.is_conj() == b.is_conj() &&
         a.is_neg() == b.is_neg();
}

Tensor copyFrom(const Tensor& from, const Tensor& to, bool non_blocking) {
  TORCH_CHECK(from.is_quantized() == to.is_quantized(),
              "copies between quantized and other tensors are not there for this device: use "
              "quantize_per_tensor or dequantize");
  if (from.is_quantized()) {
    TORCH_CHECK(from.qscheme() == to.qscheme() && from.scalar_type() == to.scalar_type(),
                "a quantized tensor is copied to one of the same scheme and dtype only");
    set_quantizer_(to, from.quantizer());
  }
  if (sameView(from, to)) {
    return to;
  }
  TensorIteratorConfig config;
  config.add_output(to)
      .resize_outputs(false)
      .check_all_same_dtype(false)
      .check_all_same_device(false);
  addConstInput(config, from);
  auto iterator = config.build();
  if (iterator.numel() == 0) {
    return to;
  }
  if (from.is_complex() && !to.is_complex() && to.scalar_type() != kBool) {
    TORCH_WARN_ONCE("Casting complex values to real discards the imaginary part");
  }
  native::copy_stub(kCUDA, iterator, non_blocking);
  return to;
}

Tensor copyFromAndResize(const Tensor& from, const Tensor& to) {
  native::resize_output(to, from.sizes());
  return to.copy_(from);
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_copy_from", copyFrom);
  m.impl("_copy_from_and_resize", copyFromAndResize);
}

TORCH_LIBRARY_IMPL(aten, QuantizedCUDA, m) { m.impl("_copy_from", copyFrom); }

// The copy kernel itself applies conjugation and negation. libtorch_cpu's fallback would first
// clone the source, and a clone is itself a copy.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, Negative, m) {
  m.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

}  // namespace
}  // namespace at::cuda::backend
