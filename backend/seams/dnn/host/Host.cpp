// Implementation `host` of seam `dnn`: PyTorch's own operators for the CPU (oneDNN, where the
// installed PyTorch has it). Only for targets whose device memory is memory of the host.

#include "Host.h"

#include <c10/cuda/CUDAStream.h>

namespace at::cuda::backend::dnn {
namespace host {

void finishEarlierWork() { c10::cuda::getCurrentCUDAStream().synchronize(); }

Tensor onHost(const Tensor& tensor) {
  if (!tensor.defined()) {
    return tensor;
  }
  const Tensor memory = tensor.detach();
  return at::from_blob(memory.data_ptr(), memory.sizes(), memory.strides(), [memory](void*) {},
                       memory.options().device(kCPU));
}

Tensor onDevice(const Tensor& result, const Tensor& like) {
  if (!result.defined()) {
    return result;
  }
  Tensor copy =
      at::empty_strided(result.sizes(), result.strides(), result.options().device(like.device()));
  onHost(copy).copy_(result);
  return copy;
}

}  // namespace host

namespace {

const Library kHost{"host", host::kConvolution, host::kBatchNorm, host::kAttention,
                    host::kRecurrent};
const Provider provider(kHost);

}  // namespace
}  // namespace at::cuda::backend::dnn
