// Validation of compressed sparse tensors (torch.sparse.check_sparse_tensor_invariants).
// libtorch_cpu validates only tensors on the CPU, CUDA and Meta. For tensors on the target's
// device, this file validates copies on the CPU.

#include "SparseChecks.h"
#include "release/Version.h"

#if BACKEND_HAS_SPARSE_COMPRESSED

#include <ATen/ATen.h>
#include <ATen/SparseCsrTensorUtils.h>
#include <ATen/ops/_sparse_bsc_tensor_unsafe_native.h>
#include <ATen/ops/_sparse_bsr_tensor_unsafe_native.h>
#include <ATen/ops/_sparse_compressed_tensor_unsafe_native.h>
#include <ATen/ops/_sparse_csc_tensor_unsafe_native.h>
#include <ATen/ops/_sparse_csr_tensor_unsafe_native.h>
#include <ATen/ops/_to_sparse_csc_native.h>
#include <ATen/ops/_to_sparse_csr_native.h>
#include <ATen/ops/_validate_sparse_compressed_tensor_args_native.h>
#include <ATen/ops/empty_like_native.h>
#include <ATen/ops/mul_native.h>
#include <torch/library.h>

namespace at::cuda::backend {
namespace {

using MaybeType = optional<ScalarType>;
using MaybeLayout = optional<Layout>;
using MaybeDevice = optional<Device>;
using MaybeBool = optional<bool>;

/// Copy on the CPU with the same strides, because the strides are validated as well.
Tensor onCpu(const Tensor& tensor) {
  int64_t span = tensor.numel() > 0 ? 1 : 0;
  for (int64_t dim = 0; dim < tensor.dim() && span > 0; ++dim) {
    span += (tensor.size(dim) - 1) * tensor.stride(dim);
  }
  return tensor.as_strided({span}, {1}).cpu().as_strided(tensor.sizes(), tensor.strides());
}

void check(const Tensor& compressed, const Tensor& plain, const Tensor& values, IntArrayRef size,
           Layout layout) {
  const auto compressed_name = at::sparse_csr::compressedIndicesName(layout);
  TORCH_CHECK(compressed.device() == values.device(), "device of ", compressed_name, " (=",
              compressed.device(), ") must match device of values (=", values.device(), ")");
  TORCH_CHECK(compressed.device() == plain.device(), "device of ", compressed_name, " (=",
              compressed.device(), ") must match device of ",
              at::sparse_csr::plainIndicesName(layout), " (=", plain.device(), ")");
  // The validation reads only the shape and strides of the values.
  const Tensor shape =
      at::empty_strided(values.sizes(), values.strides(), values.options().device(kCPU));
  native::_validate_sparse_compressed_tensor_args(onCpu(compressed), onCpu(plain), shape, size,
                                                  layout);
}

template <Layout layout>
void checkOf(const Tensor& compressed, const Tensor& plain, const Tensor& values,
             IntArrayRef size) {
  check(compressed, plain, values, size, layout);
}

/// Disables libtorch_cpu's validation during the object's lifetime.
class Unchecked {
 public:
  Unchecked() : was_(globalContext().checkSparseTensorInvariants()) {
    globalContext().setCheckSparseTensorInvariants(false);
  }
  ~Unchecked() { globalContext().setCheckSparseTensorInvariants(was_); }
  Unchecked(const Unchecked&) = delete;
  Unchecked& operator=(const Unchecked&) = delete;

  bool was() const { return was_; }

 private:
  const bool was_;
};

Tensor make(const Tensor& compressed, const Tensor& plain, const Tensor& values,
            SymIntArrayRef size, MaybeType dtype, MaybeLayout layout, MaybeDevice device,
            MaybeBool pin_memory) {
  const Unchecked unchecked;
  if (unchecked.was() && layout.has_value()) {
    check(compressed, plain, values, C10_AS_INTARRAYREF_SLOW(size), *layout);
  }
  return native::_sparse_compressed_tensor_unsafe_symint(compressed, plain, values, size, dtype,
                                                         layout, device, pin_memory);
}

using Make = Tensor(const Tensor&, const Tensor&, const Tensor&, IntArrayRef, MaybeType,
                    MaybeLayout, MaybeDevice, MaybeBool);

template <Layout required, Make* make>
Tensor makeOf(const Tensor& compressed, const Tensor& plain, const Tensor& values, IntArrayRef size,
              MaybeType dtype, MaybeLayout layout, MaybeDevice device, MaybeBool pin_memory) {
  const Unchecked unchecked;
  if (unchecked.was()) {
    check(compressed, plain, values, size, required);
  }
  return make(compressed, plain, values, size, dtype, layout, device, pin_memory);
}

/// Kernel that creates a compressed tensor from valid parts, without validation.
template <typename Kernel, Kernel* kernel>
struct Trusted;

template <typename Result, typename... Arguments, Result (*kernel)(Arguments...)>
struct Trusted<Result(Arguments...), kernel> {
  static Result run(Arguments... arguments) {
    const Unchecked unchecked;
    return kernel(std::forward<Arguments>(arguments)...);
  }
};

template <auto* kernel>
constexpr auto* trusted = Trusted<std::remove_pointer_t<decltype(kernel)>, kernel>::run;

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_validate_sparse_compressed_tensor_args", check);
  m.impl("_validate_sparse_csr_tensor_args", checkOf<kSparseCsr>);
  m.impl("_validate_sparse_csc_tensor_args", checkOf<kSparseCsc>);
  m.impl("_validate_sparse_bsr_tensor_args", checkOf<kSparseBsr>);
  m.impl("_validate_sparse_bsc_tensor_args", checkOf<kSparseBsc>);
}

// The dispatcher selects the key of the created tensor, not of its parts.
TORCH_LIBRARY_IMPL(aten, SparseCsrCUDA, m) {
  m.impl("_sparse_compressed_tensor_unsafe", make);
  m.impl("_sparse_csr_tensor_unsafe", makeOf<kSparseCsr, native::_sparse_csr_tensor_unsafe>);
  m.impl("_sparse_csc_tensor_unsafe", makeOf<kSparseCsc, native::_sparse_csc_tensor_unsafe>);
  m.impl("_sparse_bsr_tensor_unsafe", makeOf<kSparseBsr, native::_sparse_bsr_tensor_unsafe>);
  m.impl("_sparse_bsc_tensor_unsafe", makeOf<kSparseBsc, native::_sparse_bsc_tensor_unsafe>);
  m.impl("empty_like", trusted<native::empty_like_sparse_csr>);
  m.impl("mul.Scalar", trusted<native::mul_scalar_sparse_csr>);
}

// Without these fallthroughs, the dispatcher would call the composite autograd kernels of
// libtorch_cpu instead of the kernels above.
TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, m) {
  for (const char* name :
       {"_sparse_compressed_tensor_unsafe", "_sparse_csr_tensor_unsafe", "_sparse_csc_tensor_unsafe",
        "_sparse_bsr_tensor_unsafe", "_sparse_bsc_tensor_unsafe"}) {
    m.impl(name, torch::CppFunction::makeFallthrough());
  }
}

TORCH_LIBRARY_IMPL(aten, SparseCUDA, m) {
  m.impl("_to_sparse_csr", trusted<native::coo_to_sparse_csr>);
  m.impl("_to_sparse_csc", trusted<native::coo_to_sparse_csc>);
}

}  // namespace

Tensor makeSparseCsr(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                     IntArrayRef size, MaybeType dtype, MaybeLayout layout, MaybeDevice device) {
  return makeOf<kSparseCsr, native::_sparse_csr_tensor_unsafe>(
      crow_indices, col_indices, values, size, dtype, layout, device, nullopt);
}

}  // namespace at::cuda::backend

#else

namespace at::cuda::backend {

Tensor makeSparseCsr(const Tensor& /*crow_indices*/, const Tensor& /*col_indices*/,
                     const Tensor& /*values*/, IntArrayRef /*size*/,
                     optional<ScalarType> /*dtype*/, optional<Layout> /*layout*/,
                     optional<Device> /*device*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "compressed sparse tensors on this device need PyTorch 2.3 or newer, this is ",
      TORCH_VERSION);
}

}  // namespace at::cuda::backend

#endif
