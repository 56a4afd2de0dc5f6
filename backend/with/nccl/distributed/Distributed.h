#pragma once

#include "../../../csrc/Export.h"

#include <string>

// Functions of the library of collectives for the Python binding.
namespace at::cuda::backend::distributed {

/// Version of the vendor's library, for example "2.21.5".
BACKEND_API std::string library_version();
/// Traces of the flight recorder, pickled, as torch._C._distributed_c10d._dump_nccl_trace returns them.
BACKEND_API std::string dump_trace(bool collectives, bool stacks, bool only_active);
/// The same traces as JSON, without stacks.
BACKEND_API std::string dump_trace_json(bool collectives, bool only_active);
/// Sets the function that the watchdog calls, on a separate thread, to test if the GIL can be acquired.
BACKEND_API void set_gil_checker(bool (*check)());

}  // namespace at::cuda::backend::distributed
