#pragma once

#include "../Export.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <string>

// Wait of a rank for the other ranks of a new communicator, by the store of the process group.
//
// The library of collectives notices the end of a rank only after the rank has connected, and does not know the
// timeout of the process group. The implementation is in with/nccl; the patched ProcessGroupNCCL.cpp includes this header
// by a path without the library's name, which the port would report.
namespace at::cuda::backend::distributed {

/// Writes the number of this process into the store, as that of `rank`. Ranks of the same machine then notice the end
/// of the process.
BACKEND_API void announce_process(c10d::Store& store, int rank);

/// Waits until all ranks of a new communicator have called this function with the same key.
///
/// `key` is PyTorch's key of the communicator's unique id: "LOWER:HIGHER" for a pair of ranks; any other key denotes
/// all `size` ranks of the process group, which is the old one for the key "split". Throws c10::DistBackendError, which
/// names the ranks, if the process of a rank on this machine has ended, if two ranks expect different numbers of ranks,
/// or after `timeout`.
BACKEND_API void wait_for_ranks(
    c10d::Store& store,
    const std::string& key,
    int size,
    int rank,
    std::chrono::milliseconds timeout);

}  // namespace at::cuda::backend::distributed
