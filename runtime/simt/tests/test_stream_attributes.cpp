// Attributes of streams.
#include "kernel_test.h"

#include <simt_stream_attributes.h>

namespace {

TEST_CASE("attributes of a stream are stored, copied and returned") {
  simtStream_t stream = nullptr;
  simtStream_t other = nullptr;
  REQUIRE_OK(simtStreamCreate(&stream));
  REQUIRE_OK(simtStreamCreate(&other));
  simtStreamAttrValue value{};
  REQUIRE_OK(simtStreamGetAttribute(stream, simtStreamAttributeAccessPolicyWindow, &value));
  CHECK_EQ(value.accessPolicyWindow.num_bytes, 0);
  const DeviceArray<float> memory(100);
  value.accessPolicyWindow = {memory.data(), 400, 0.5F, simtAccessPropertyPersisting,
                              simtAccessPropertyStreaming};
  REQUIRE_OK(simtStreamSetAttribute(stream, simtStreamAttributeAccessPolicyWindow, &value));
  value.syncPolicy = simtSyncPolicySpin;
  REQUIRE_OK(simtStreamSetAttribute(stream, simtStreamAttributeSynchronizationPolicy, &value));
  REQUIRE_OK(simtStreamCopyAttributes(other, stream));
  REQUIRE_OK(simtStreamDestroy(stream));
  REQUIRE_OK(simtStreamGetAttribute(other, simtStreamAttributeAccessPolicyWindow, &value));
  CHECK_EQ(value.accessPolicyWindow.base_ptr, memory.data());
  CHECK_EQ(value.accessPolicyWindow.hitRatio, 0.5F);
  CHECK_EQ(value.accessPolicyWindow.missProp, simtAccessPropertyStreaming);
  REQUIRE_OK(simtStreamGetAttribute(other, simtStreamAttributeSynchronizationPolicy, &value));
  CHECK_EQ(value.syncPolicy, simtSyncPolicySpin);
  REQUIRE_OK(simtCtxResetPersistingL2Cache());
  REQUIRE_OK(simtStreamDestroy(other));
}

TEST_CASE("wrong attributes of a stream are errors") {
  simtStreamAttrValue value{};
  CHECK_EQ(simtStreamSetAttribute(nullptr, simtStreamAttributePriority, &value),
           simtErrorNotSupported);
  REQUIRE_OK(simtStreamGetAttribute(nullptr, simtStreamAttributePriority, &value));
  CHECK_EQ(value.priority, 0);
  value.accessPolicyWindow = {nullptr, 0, 1.5F, simtAccessPropertyNormal, simtAccessPropertyNormal};
  CHECK_EQ(simtStreamSetAttribute(nullptr, simtStreamAttributeAccessPolicyWindow, &value),
           simtErrorInvalidValue);
  CHECK_EQ(simtStreamGetAttribute(nullptr, simtStreamAttributeAccessPolicyWindow, nullptr),
           simtErrorInvalidValue);
  static_cast<void>(simtGetLastError());
}

}  // namespace
