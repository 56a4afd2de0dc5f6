// Options of modules: the outputs that programs read.
#pragma once

#include <simt_driver.h>

namespace simtrt {

/// Stores empty logs, their sizes and the time 0 for the options that ask for them. Returns false for missing values.
bool answer_options(unsigned count, const simtDrvJit_option* options, void** values);
/// Test for an image that simtDrvModuleLoadData can load, of `bytes` bytes.
bool is_module_image(const void* image, std::size_t bytes);

}  // namespace simtrt
