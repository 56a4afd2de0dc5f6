// Indexing by tensors. CUDA's kernels read all index tensors with the strides of the first index
// tensor. libtorch_cpu makes the strides of all index tensors equal on CUDA only. Therefore this
// file has its own versions of the operators that prepare the indices.

#include "release/Optional.h"
#include "release/TensorIterator.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/IndexKernel.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorAdvancedIndexing.h>
#include <ATen/native/TensorAdvancedIndexingUtils.h>
#include <torch/library.h>

#include <algorithm>

namespace at::native {

// Declared in torch's headers, but not exported by libtorch_cpu. `tensors` has one entry for each
// dimension of `source`; the entry is undefined if the dimension is not indexed. The caller ensures
// that the indexed dimensions are adjacent and that all index tensors have the same shape.
AdvancedIndex::AdvancedIndex(const Tensor& source, TensorList tensors)
    : dims_before(0), dims_after(0) {
  DimVector shape;  // common shape of the index tensors
  for (const auto dim : c10::irange(static_cast<int64_t>(tensors.size()))) {
    const Tensor& index = tensors[dim];
    if (index.defined()) {
      shape = DimVector(index.sizes());
      indexed_sizes.push_back(source.size(dim));
      indexed_strides.push_back(source.stride(dim) * static_cast<int64_t>(source.element_size()));
    } else {
      ++(indexed_sizes.empty() ? dims_before : dims_after);
    }
  }
  const auto hasZero = [](const DimVector& sizes) {
    return std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  };
  TORCH_CHECK_INDEX(!hasZero(indexed_sizes) || hasZero(shape),
                    "index is out of bounds for dimension with size 0");

  // The view has stride 0 in indexed dimensions, because the kernel itself adds the offsets that
  // the indices select.
  const auto replaced = [&](IntArrayRef values, IntArrayRef between) {
    DimVector result(values.slice(0, dims_before));
    result.append(between.begin(), between.end());
    const auto after = values.slice(values.size() - dims_after);
    result.append(after.begin(), after.end());
    return result;
  };
  src = source.as_strided(replaced(source.sizes(), shape),
                          replaced(source.strides(), DimVector(shape.size(), 0)));

  DimVector broadcast(dims_before, 1);
  broadcast.append(shape.begin(), shape.end());
  broadcast.append(dims_after, 1);
  for (const Tensor& index : tensors) {
    if (index.defined()) {
      indices.push_back(index.reshape(broadcast));
    }
  }
  const bool alike = std::all_of(indices.begin(), indices.end(), [&](const Tensor& index) {
    return index.strides().equals(indices[0].strides());
  });
  if (!alike) {
    for (Tensor& index : indices) {
      index = index.contiguous();
    }
  }
}

}  // namespace at::native

namespace at::cuda::backend {
namespace {

using Indices = torch::List<optional<Tensor>>;

void checkCount(const Tensor& self, const Indices& indices) {
  TORCH_CHECK_INDEX(static_cast<int64_t>(indices.size()) <= self.dim(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ",
                    indices.size(), ")");
}

// Asserts that the written tensor shares no memory with the tensors that are read.
void checkOverlap(const Tensor& written, const Tensor& read, const Indices& indices) {
  assert_no_overlap(written, read);
  for (const optional<Tensor>& tensor : indices) {
    if (tensor.has_value()) {
      assert_no_overlap(written, *tensor);
    }
  }
}

void checkDevices(const Tensor& self, const Indices& indices) {
  for (const optional<Tensor>& index : indices) {
    TORCH_CHECK(!index.has_value() || !index->defined() || index->is_cpu() ||
                    index->device() == self.device(),
                "indices should be either on cpu or on the same device as the indexed tensor (",
                self.device(), ")");
  }
}

Tensor indexTensor(const Tensor& self, const Indices& indices) {
  checkCount(self, indices);
  checkDevices(self, indices);
  const auto info = native::make_info(self, IOptTensorListRef(indices));
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .declare_static_dtype_and_device(info.src.scalar_type(), info.src.device())
      .add_owned_output(Tensor());
  addOwnedConstInput(config, info.src);
  for (const Tensor& tensor : info.indices) {
    addOwnedConstInput(config, tensor);
  }
  auto iterator = config.build();
  native::index_stub(kCUDA, iterator, info.indexed_sizes, info.indexed_strides);
  return iterator.output();
}

Tensor& indexOut(const Tensor& self, const Indices& indices, Tensor& out) {
  TORCH_CHECK(self.scalar_type() == out.scalar_type(), "index_out: self (", self.scalar_type(),
              ") and result (", out.scalar_type(), ") must have the same scalar type");
  assert_no_internal_overlap(out);
  checkOverlap(out, self, indices);
  const Tensor result = indexTensor(self, indices);
  native::resize_output(out, result.sizes());
  return out.copy_(result);
}

Tensor& indexPut(Tensor& self, const Indices& indices, const Tensor& values, bool accumulate,
                 bool unsafe) {
  checkCount(self, indices);
  if (has_internal_overlap(self) == MemOverlap::Yes) {
    TORCH_WARN(
        "index_put_ on expanded tensors is deprecated: clone() them first. This holds for "
        "tensor[indices] = x too");
  }
  if (!accumulate) {
    const auto [is_mask, mask] = native::canDispatchToMaskedFill(self, indices, values);
    if (is_mask) {
      return self.masked_fill_(mask, values.item());
    }
  }
  const bool is_number = values.numel() == 1 && values.dim() == 0;
  const Tensor source = is_number ? values.to(self.device()) : values;
  TORCH_CHECK(source.device() == self.device(), "expected device ", self.device(),
              " but got device ", source.device(), " for value tensor");
  checkOverlap(self, values, indices);
  if (accumulate || globalContext().deterministicAlgorithms()) {
    // The plain kernel writes in no fixed order. Accumulation and deterministic mode need a fixed
    // order if an index occurs twice; the kernel that sorts the indices has a fixed order.
    native::index_put_with_sort_stub(kCUDA, self, indices, source, accumulate, unsafe);
    return self;
  }
  const auto info = native::make_info(self, IOptTensorListRef(indices));
  TORCH_CHECK(is_expandable_to(source.sizes(), info.src.sizes()),
              "shape mismatch: value tensor of shape ", source.sizes(),
              " cannot be broadcast to indexing result of shape ", info.src.sizes());
  TORCH_CHECK(source.scalar_type() == info.src.scalar_type(),
              "Index put requires the source and destination dtypes match, got ",
              info.src.scalar_type(), " for the destination and ", source.scalar_type(),
              " for the source.");
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .resize_outputs(false)
      .check_all_same_dtype(false)
      .add_output(info.src);
  addConstInput(config, source);
  for (const Tensor& tensor : info.indices) {
    addConstInput(config, tensor);
  }
  auto iterator = config.build();
  native::index_put_stub(kCUDA, iterator, info.indexed_sizes, info.indexed_strides,
                         /*accumulate=*/false);
  return self;
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("index.Tensor", indexTensor);
  m.impl("index.Tensor_out", indexOut);
  m.impl("_index_put_impl_", indexPut);
}

}  // namespace
}  // namespace at::cuda::backend
