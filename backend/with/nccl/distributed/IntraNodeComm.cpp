// Replacement of PyTorch's collectives over NVLink, which need NVLink and inline PTX. It reports them
// as not enabled, so that the process group uses the library of collectives.

#include "../../../csrc/release/IntraNodeComm.h"

namespace c10d::intra_node_comm {

IntraNodeComm::IntraNodeComm(
    c10::intrusive_ptr<c10d::Store> store,
    size_t rank,
    size_t worldSize,
    std::optional<size_t> bufferSize BACKEND_GROUP_NAME)
    : store_(std::move(store)),
      rank_(rank),
      worldSize_(worldSize),
      bufferSize_(bufferSize.value_or(kDefaultBufferSize)) {}

IntraNodeComm::~IntraNodeComm() = default;

bool IntraNodeComm::isEnabled() {
  return false;
}

bool IntraNodeComm::rendezvous() {
  return false;
}

AllReduceAlgo IntraNodeComm::selectAllReduceAlgo(const at::Tensor&) {
  return AllReduceAlgo::NONE;
}

at::Tensor IntraNodeComm::allReduce(const at::Tensor&, AllReduceAlgo) {
  TORCH_CHECK(false, "collectives over NVLink are not supported by this device");
}

}  // namespace c10d::intra_node_comm
