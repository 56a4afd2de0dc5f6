#pragma once

#include "Version.h"

// The header of PyTorch's collectives over NVLink has another folder since 2.8.
#if __has_include(<torch/csrc/distributed/c10d/symm_mem/intra_node_comm.hpp>)
#include <torch/csrc/distributed/c10d/symm_mem/intra_node_comm.hpp>
#else
#include <torch/csrc/distributed/c10d/intra_node_comm.hpp>
#endif

// Since 2.12, the constructor has the name of the group.
#if BACKEND_TORCH_AT_LEAST(2, 12)
#define BACKEND_GROUP_NAME , std::string /*groupName*/
#else
#define BACKEND_GROUP_NAME
#endif
