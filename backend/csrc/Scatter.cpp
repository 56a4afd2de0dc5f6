// Scatter in deterministic mode, which the ported kernel does not support.

#include "Scatter.h"
#include "release/Optional.h"

#include <ATen/ATen.h>

#include <vector>

namespace at::cuda::backend {

bool scatterInOrder(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                    bool accumulate) {
  if (!globalContext().deterministicAlgorithms()) {
    return false;
  }
  if (self.dim() == 0) {
    return scatterInOrder(self.unsqueeze(0), 0, index.reshape(-1), source.reshape(-1), accumulate);
  }
  // One index tensor for each dimension of `self`. The tensor of a dimension other than `dim`
  // contains the positions 0, 1, 2, ... of that dimension.
  torch::List<optional<Tensor>> indices;
  Tensor values = source;
  for (int64_t other = 0; other < self.dim(); ++other) {
    const int64_t length = index.dim() == 0 ? 1 : index.size(other);
    std::vector<int64_t> sizes(static_cast<size_t>(self.dim()), 1);
    sizes[static_cast<size_t>(other)] = length;
    indices.push_back(other == dim ? index : at::arange(length, index.options()).view(sizes));
    values = values.narrow(other, 0, length);
  }
  Tensor(self).index_put_(indices, values, accumulate);
  return true;
}

}  // namespace at::cuda::backend
