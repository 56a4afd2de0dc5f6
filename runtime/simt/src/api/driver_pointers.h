// Addresses of the driver API, which are integers.
//
// Ownership: none. Threads: any thread. Memory ordering: none.
#pragma once

#include <simt_driver.h>

#include <cstdint>

namespace simtrt {

inline char* address_of(simtDrvDeviceptr pointer) {
  return reinterpret_cast<char*>(static_cast<std::uintptr_t>(pointer));
}
inline simtDrvDeviceptr device_pointer(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

}  // namespace simtrt
