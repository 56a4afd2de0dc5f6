// Launches with attributes.
#include "api/call.h"

#include <simt_launch_attributes.h>

namespace simtrt {

simtError_t read_attributes(const simtLaunchConfig_t* config, bool* cooperative) noexcept {
  return call([&] {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) return simtErrorInvalidValue;
    *cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const simtLaunchAttribute& attribute = config->attrs[i];
      const auto& cluster = attribute.val.clusterDim;
      switch (attribute.id) {
        case simtLaunchAttributeIgnore:
        case simtLaunchAttributeAccessPolicyWindow:
        case simtLaunchAttributeSynchronizationPolicy:
        case simtLaunchAttributeProgrammaticStreamSerialization:
        case simtLaunchAttributePriority: break;
        case simtLaunchAttributeCooperative: *cooperative = attribute.val.cooperative != 0; break;
        case simtLaunchAttributeClusterDimension:
          if (cluster.x != 1 || cluster.y != 1 || cluster.z != 1) return simtErrorNotSupported;
          break;
        default: return simtErrorNotSupported;
      }
    }
    return simtSuccess;
  });
}

}  // namespace simtrt

simtError_t simtLaunchKernelExC(const simtLaunchConfig_t* config, const void* kernel, void** arguments) {
  bool cooperative = false;
  if (const simtError_t error = simtrt::read_attributes(config, &cooperative)) return error;
  const auto& [grid, block, bytes, stream, attributes, count] = *config;
  return cooperative ? simtLaunchCooperativeKernel(kernel, grid, block, arguments, bytes, stream)
                     : simtLaunchKernel(kernel, grid, block, arguments, bytes, stream);
}
