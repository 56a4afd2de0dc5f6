// Parts of the GCC plugin for device code.
#pragma once

/// Registers the replacement of conversions of floating-point numbers to integers. If the
/// plugin cannot call GCC's C++ front end, reports an error through GCC and returns false. `plugin`
/// is the plugin's name in GCC.
bool register_float_to_integer(const char* plugin);

/// Registers the replacement of calls of expf, erff and tanhf by inline functions.
void register_math_calls(const char* plugin);

/// Registers the common execution of stores to volatile shared memory by the lanes of a warp; with `all_stores`, of stores to
/// any shared memory.
void register_volatile_stores(const char* plugin, bool all_stores);

/// Registers the placement of static shared memory.
void register_shared_memory(const char* plugin);

/// Registers the inlining of kernels without barriers into the loop over threads.
void register_thread_loops(const char* plugin);

/// Registers the removal of copies of large arguments in the loop over threads.
void register_argument_copies(const char* plugin);
