// Attributes of streams: windows of the cache, the policy of waiting, the priority. Names and
// values: CUDA 12.4, driver_types.h.
//
// The runtime stores the attributes and returns them. They have no effect: the host's caches have no
// such windows, and a waiting thread always blocks.
#pragma once

#include <simt_runtime_api.h>

enum simtAccessProperty {
  simtAccessPropertyNormal = 0,
  simtAccessPropertyStreaming = 1,
  simtAccessPropertyPersisting = 2,
};

/// Range of memory whose accesses keep their lines in the cache.
struct simtAccessPolicyWindow {
  void* base_ptr;
  std::size_t num_bytes;
  float hitRatio;
  enum simtAccessProperty hitProp;
  enum simtAccessProperty missProp;
};

enum simtSynchronizationPolicy {
  simtSyncPolicyAuto = 1,
  simtSyncPolicySpin = 2,
  simtSyncPolicyYield = 3,
  simtSyncPolicyBlockingSync = 4,
};

/// Attributes of streams (window, policy of waiting, priority) and of launches (simt_launch_attributes.h).
enum simtLaunchAttributeID {
  simtLaunchAttributeIgnore = 0,
  simtLaunchAttributeAccessPolicyWindow = 1,
  simtLaunchAttributeCooperative = 2,
  simtLaunchAttributeSynchronizationPolicy = 3,
  simtLaunchAttributeClusterDimension = 4,
  simtLaunchAttributeProgrammaticStreamSerialization = 6,
  simtLaunchAttributePriority = 8,
};

union simtLaunchAttributeValue {
  char pad[64];
  struct simtAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  enum simtSynchronizationPolicy syncPolicy;
  struct {
    unsigned x;
    unsigned y;
    unsigned z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};

#define simtStreamAttrID simtLaunchAttributeID
#define simtStreamAttrValue simtLaunchAttributeValue
#define simtStreamAttributeAccessPolicyWindow simtLaunchAttributeAccessPolicyWindow
#define simtStreamAttributeSynchronizationPolicy simtLaunchAttributeSynchronizationPolicy
#define simtStreamAttributePriority simtLaunchAttributePriority

/// Stores an attribute. The priority is fixed when a stream is created: simtErrorNotSupported.
SIMTRT_EXPORT simtError_t simtStreamSetAttribute(simtStream_t stream, simtStreamAttrID attribute,
                                                 const simtStreamAttrValue* value);
/// Value that was stored last; initially no window, and simtSyncPolicyAuto.
SIMTRT_EXPORT simtError_t simtStreamGetAttribute(simtStream_t stream, simtStreamAttrID attribute,
                                                 simtStreamAttrValue* value);
SIMTRT_EXPORT simtError_t simtStreamCopyAttributes(simtStream_t to, simtStream_t from);
/// Has no effect, because no line of a cache is persisting.
SIMTRT_EXPORT simtError_t simtCtxResetPersistingL2Cache();
