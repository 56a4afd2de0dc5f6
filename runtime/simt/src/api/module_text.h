// Text of a module, which `simtcc -ptx` writes: a shared library in base64.
//
// Ownership: the caller owns all texts. Threads: any thread. Memory ordering: none.
#pragma once

#include <string>

namespace simtrt {

/// First line of the text; porter/toolkit/driver.py writes it.
inline constexpr const char* kTextOfLibrary = "// simt library in base64\n";

/// Library in a text that ends with a zero; empty for other data.
std::string decoded_library(const void* image);

}  // namespace simtrt
