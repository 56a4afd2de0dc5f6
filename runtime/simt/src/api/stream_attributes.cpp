// Attributes of streams, which are stored and have no effect.
#include "api/call.h"

#include "device_limits.h"
#include "handles.h"
#include "streams/stream.h"

#include <simt_stream_attributes.h>

#include <map>
#include <memory>
#include <mutex>

namespace simtrt {
namespace {

/// Attributes of one stream.
struct Attributes {
  simtAccessPolicyWindow window{};
  simtSynchronizationPolicy waiting = simtSyncPolicyAuto;
};

/// Attributes of the streams that differ from the default. A mutex guards the map.
class AttributesOfStreams {
 public:
  Attributes of(const std::shared_ptr<Stream>& stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = attributes_.find(stream);
    return found == attributes_.end() ? Attributes() : found->second;
  }

  void set(const std::shared_ptr<Stream>& stream, const Attributes& attributes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto one = attributes_.begin(); one != attributes_.end();) {
      one = one->first.expired() ? attributes_.erase(one) : std::next(one);
    }
    attributes_[stream] = attributes;
  }

 private:
  std::mutex mutex_;
  std::map<std::weak_ptr<Stream>, Attributes, std::owner_less<>> attributes_;
};

AttributesOfStreams& attributes() {
  static auto& all = *new AttributesOfStreams();
  return all;
}

bool is_valid(const simtAccessPolicyWindow& window) {
  return window.hitRatio >= 0 && window.hitRatio <= 1 &&
         window.missProp != simtAccessPropertyPersisting;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

simtError_t simtStreamSetAttribute(simtStream_t handle, simtStreamAttrID attribute,
                                   const simtStreamAttrValue* value) {
  return with_stream(handle, [&](const auto& stream) {
    if (value == nullptr) return simtErrorInvalidValue;
    Attributes changed = attributes().of(stream);
    switch (attribute) {
      case simtLaunchAttributeAccessPolicyWindow:
        if (!is_valid(value->accessPolicyWindow)) return simtErrorInvalidValue;
        changed.window = value->accessPolicyWindow;
        break;
      case simtLaunchAttributeSynchronizationPolicy:
        changed.waiting = value->syncPolicy;
        break;
      case simtLaunchAttributePriority:
        return simtErrorNotSupported;
      default:
        return simtErrorInvalidValue;
    }
    attributes().set(stream, changed);
    return simtSuccess;
  });
}

simtError_t simtStreamGetAttribute(simtStream_t handle, simtStreamAttrID attribute,
                                   simtStreamAttrValue* value) {
  return with_stream(handle, [&](const auto& stream) {
    if (value == nullptr) return simtErrorInvalidValue;
    const Attributes known = attributes().of(stream);
    switch (attribute) {
      case simtLaunchAttributeAccessPolicyWindow:
        value->accessPolicyWindow = known.window;
        return simtSuccess;
      case simtLaunchAttributeSynchronizationPolicy:
        value->syncPolicy = known.waiting;
        return simtSuccess;
      case simtLaunchAttributePriority:
        value->priority = stream->priority;
        return simtSuccess;
      default:
        return simtErrorInvalidValue;
    }
  });
}

simtError_t simtStreamCopyAttributes(simtStream_t to, simtStream_t from) {
  return with_stream(from, [&](const auto& source) {
    const Attributes known = attributes().of(source);
    return with_stream(to, [&](const auto& stream) {
      attributes().set(stream, known);
      return simtSuccess;
    });
  });
}

simtError_t simtCtxResetPersistingL2Cache() {
  return call([] { return simtSuccess; });
}
