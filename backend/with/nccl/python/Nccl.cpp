// Collectives between devices of this process, as torch.cuda.nccl has them.

#include "../../../csrc/python/Bindings.h"

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/cuda/nccl.h>

#include <cstring>
#include <memory>
#include <utility>

namespace at::cuda::backend::python {
namespace {

namespace nccl = torch::cuda::nccl;
using Tensors = std::vector<at::Tensor>;
using Streams = std::optional<std::vector<std::optional<StreamFields>>>;

/// Communicator of one rank, which the caller made.
struct Communicator {
  explicit Communicator(nccl::ncclComm_t handle) : handle(handle) {}
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() {
    const py::gil_scoped_release released;
    nccl::comm_destroy(handle);
  }
  const nccl::ncclComm_t handle;
};
using Communicators = std::optional<std::vector<std::shared_ptr<Communicator>>>;

nccl::stream_list streamsOf(const Streams& given, size_t count) {
  nccl::stream_list streams(count);
  if (!given) return streams;
  TORCH_CHECK_VALUE(given->size() == count, "the numbers of streams and of inputs differ");
  for (size_t i = 0; i < count; ++i) {
    if ((*given)[i]) streams[i] = at::cuda::CUDAStream(streamOf(*(*given)[i]));
  }
  return streams;
}

nccl::comm_list communicatorsOf(const Communicators& given, size_t count) {
  nccl::comm_list handles;
  if (!given) return handles;
  TORCH_CHECK_VALUE(given->size() == count, "the numbers of communicators and of inputs differ");
  for (const auto& one : *given) handles.push_back(one->handle);
  return handles;
}

py::bytes uniqueId() {
  nccl::ncclUniqueId id;
  nccl::get_unique_id(id);
  return py::bytes(id.internal, sizeof id.internal);
}

std::shared_ptr<Communicator> initRank(int ranks, const std::string& bytes, int rank) {
  nccl::ncclUniqueId id;
  TORCH_CHECK_VALUE(
      bytes.size() == sizeof id.internal,
      "a unique id has ", sizeof id.internal, " bytes, not ", bytes.size());
  std::memcpy(id.internal, bytes.data(), sizeof id.internal);
  return std::make_shared<Communicator>(nccl::comm_init_rank(ranks, id, rank));
}

void allReduce(Tensors inputs, Tensors outputs, int op, Streams streams, Communicators comms) {
  const size_t count = inputs.size();
  nccl::all_reduce(inputs, outputs, op, streamsOf(streams, count), communicatorsOf(comms, count));
}

void reduce(Tensors inputs, at::Tensor output, int root, int op, Streams streams,
            Communicators comms) {
  const size_t count = inputs.size();
  nccl::reduce(inputs, output, root, op, streamsOf(streams, count), communicatorsOf(comms, count));
}

// The root of torch.cuda.nccl.broadcast is always the first tensor: upstream ignores `root`.
void broadcast(Tensors inputs, Streams streams, Communicators comms) {
  const size_t count = inputs.size();
  nccl::broadcast(inputs, streamsOf(streams, count), communicatorsOf(comms, count));
}

void allGather(Tensors inputs, Tensors outputs, Streams streams, Communicators comms) {
  const size_t count = inputs.size();
  nccl::all_gather(inputs, outputs, streamsOf(streams, count), communicatorsOf(comms, count));
}

void reduceScatter(Tensors inputs, Tensors outputs, int op, Streams streams, Communicators comms) {
  const size_t count = inputs.size();
  nccl::reduce_scatter(
      inputs, outputs, op, streamsOf(streams, count), communicatorsOf(comms, count));
}

}  // namespace

void bindNccl(py::module_& module) {
  using torch::wrap_pybind_function;
  using torch::wrap_pybind_function_no_gil;
  py::class_<Communicator, std::shared_ptr<Communicator>>(
      module, "Communicator", py::module_local());
  module.def("collectives_unique_id", wrap_pybind_function(uniqueId));
  module.def("collectives_init_rank", wrap_pybind_function_no_gil(initRank));
  module.def("collectives_all_reduce", wrap_pybind_function_no_gil(allReduce));
  module.def("collectives_reduce", wrap_pybind_function_no_gil(reduce));
  module.def("collectives_broadcast", wrap_pybind_function_no_gil(broadcast));
  module.def("collectives_all_gather", wrap_pybind_function_no_gil(allGather));
  module.def("collectives_reduce_scatter", wrap_pybind_function_no_gil(reduceScatter));
}

}  // namespace at::cuda::backend::python
