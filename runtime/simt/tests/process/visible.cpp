// Prints the devices that the process sees: for each, the machine's number, which is the slot of the device's PCI address.
#include <simt_runtime.h>
#include <simtml.h>

#include <cstdio>
#include <cstring>

int main() {
  int count = 0;
  if (const simtError_t error = simtGetDeviceCount(&count)) std::printf("%s\n", simtGetErrorName(error));
  simtmlInit();
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    simtDeviceProp properties;
    simtGetDeviceProperties(&properties, ordinal);
    std::printf("%d\n", properties.pciDeviceID);
    simtmlDevice_t device = nullptr;
    simtmlPciInfo_t info;
    simtmlDeviceGetHandleByIndex(static_cast<unsigned>(ordinal), &device);
    simtmlDeviceGetPciInfo(device, &info);
    simtmlDevice_t same = nullptr;
    unsigned index = 99;
    simtmlDeviceGetHandleByPciBusId(info.busId, &same);
    simtmlDeviceGetIndex(same, &index);
    if (index != static_cast<unsigned>(ordinal)) std::printf("index %u by the PCI address %s\n", index, info.busId);
  }
}
