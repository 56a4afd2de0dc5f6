// Devices of the machine that this process sees, and their UUIDs.
//
// Threads: any thread may call these functions while no other thread changes the environment. The functions have no state.
#pragma once

#include <simt_runtime_api.h>

#include <string>
#include <vector>

namespace simtrt {

/// Numbers of the devices that the process sees, of `count` devices, in the order of the process: all if
/// SIMT_VISIBLE_DEVICES is unset. The variable has the syntax of CUDA_VISIBLE_DEVICES (CUDA C++ Programming Guide, "CUDA
/// Environment Variables"): numbers or beginnings of UUIDs, separated by commas. The first entry that names no device ends
/// the list. No device is visible if the list names a device twice.
std::vector<int> visible_devices(int count);

/// UUID of the machine's device with this number.
simtUUID_t device_uuid(int number);

/// UUID as nvidia-smi prints it: GPU-, and five groups of hexadecimal digits.
std::string text_of(const simtUUID_t& uuid);

}  // namespace simtrt
