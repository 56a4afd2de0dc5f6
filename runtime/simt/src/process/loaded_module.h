// Module (program or shared library) that contains an address. dladdr also looks for the symbol, by reading all symbols
// of the module: milliseconds for each address in a library of PyTorch.
//
// Ownership: the dynamic linker owns what the pointers refer to, while the module is loaded.
// Threads: any. Memory ordering: there are no atomics.
#pragma once

#include <link.h>

#include <string>

namespace simtrt {

struct LoadedModule {
  const void* begin = nullptr;  ///< of its mapping; null: no module contains the address
  const link_map* map = nullptr;

  /// Path of the file. Call it only if a module was found.
  std::string path() const;
};

LoadedModule module_at(const void* address);

}  // namespace simtrt
