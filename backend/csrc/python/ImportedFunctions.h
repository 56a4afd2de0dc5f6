#pragma once

#include <string>
#include <vector>

namespace at::cuda::backend::python {

/// A function that a shared library calls in another library.
struct ImportedFunction {
  std::vector<std::string> symbols;  ///< Mangled names: a constructor has several (C1, C2).
  void* replacement;                 ///< Function of the same signature, which is called instead.
};

/// Replaces functions that a loaded library imports. `library` is the name of the file, without
/// folders. All other libraries continue to call the original functions. Returns the number of
/// replaced addresses: 0 if the library is not loaded, or imports none of the functions.
size_t replaceImportedFunctions(const std::string& library,
                                const std::vector<ImportedFunction>& functions);

}  // namespace at::cuda::backend::python
