#pragma once

// The header of PyTorch's collectives over NVLink has another folder since 2.8.
#if __has_include(<torch/csrc/distributed/c10d/symm_mem/intra_node_comm.hpp>)
#include <torch/csrc/distributed/c10d/symm_mem/intra_node_comm.hpp>
#else
#include <torch/csrc/distributed/c10d/intra_node_comm.hpp>
#endif
