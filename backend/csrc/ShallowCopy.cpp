// Types of tensors that may take over the data of others (`parameter.data = tensor`). libtorch_cpu
// lists the devices whose dense tensors are interchangeable with those of the CPU, and the list has
// no PrivateUse1. Module.to() would therefore make new parameters, and an optimizer that was made
// before would go on with the old ones.

#include <ATen/ATen.h>
#include <c10/core/DispatchKeySet.h>
#include <torch/library.h>

namespace at::cuda::backend {
namespace {

bool isDense(DispatchKeySet keys) {
  constexpr DispatchKeySet dense(DispatchKey::Dense);
  constexpr DispatchKeySet devices({BackendComponent::CPUBit, BackendComponent::PrivateUse1Bit});
  return keys.has_any(dense) && keys.has_any(devices);
}

bool hasCompatibleShallowCopyType(const Tensor& self, const Tensor& from) {
  return (isDense(self.key_set()) && isDense(from.key_set())) ||
         self.unsafeGetTensorImpl()->has_compatible_shallow_copy_type(from.key_set());
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, m) {
  m.impl("_has_compatible_shallow_copy_type", hasCompatibleShallowCopyType);
}
TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("_has_compatible_shallow_copy_type", hasCompatibleShallowCopyType);
}

}  // namespace at::cuda::backend
