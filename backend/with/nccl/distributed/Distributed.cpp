#include "Distributed.h"

#include <torch/csrc/distributed/c10d/NCCLUtils.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace at::cuda::backend::distributed {

std::string library_version() {
  return c10d::getNcclVersion();
}

std::string dump_trace(bool collectives, bool stacks, bool only_active) {
  return c10d::dump_nccl_trace(collectives, stacks, only_active);
}

std::string dump_trace_json(bool collectives, bool only_active) {
  return c10d::dump_nccl_trace_json(collectives, only_active);
}

void set_gil_checker(bool (*check)()) {
  c10d::get_gil_checker() = check;
}

}  // namespace at::cuda::backend::distributed
