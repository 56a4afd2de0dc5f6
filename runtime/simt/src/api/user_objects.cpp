// simtUserObject*, and references of graphs to these objects.
#include "api/call.h"
#include "streams/graph.h"

using namespace simtrt;

namespace {

// Takes `count` references of the program; with the last one, the handle becomes invalid. False if
// the program has fewer references.
bool drop(SIMTuserObject_st& object, unsigned count) {
  unsigned before = object.references.load();
  do {
    if (before < count) return false;
  } while (!object.references.compare_exchange_weak(before, before - count));
  if (before == count) user_object_handles().remove(&object);
  return true;
}

// Runs `work(object)` for the object of a handle.
template <class WorkOfCall>
simtError_t with_object(simtUserObject_t handle, unsigned count, WorkOfCall work) {
  return call_in_any_state([&] {
    const auto object = user_object_handles().find(handle);
    return object == nullptr || count == 0 ? simtErrorInvalidValue : work(object);
  });
}

}  // namespace

simtError_t simtUserObjectCreate(simtUserObject_t* object, void* data, simtHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  return call_in_any_state([&] {
    // CUDA Runtime API, cudaUserObjectCreate: the flag is required.
    if (object == nullptr || destroy == nullptr || references == 0 ||
        flags != simtUserObjectNoDestructorSync) {
      return simtErrorInvalidValue;
    }
    auto made = std::make_shared<SIMTuserObject_st>(data, destroy, references);
    *object = made.get();
    user_object_handles().add(*object, std::move(made));
    return simtSuccess;
  });
}

simtError_t simtUserObjectRetain(simtUserObject_t handle, unsigned count) {
  return with_object(handle, count, [&](const auto& object) {
    object->references += count;
    return simtSuccess;
  });
}

simtError_t simtUserObjectRelease(simtUserObject_t handle, unsigned count) {
  return with_object(handle, count, [&](const auto& object) {
    return drop(*object, count) ? simtSuccess : simtErrorInvalidValue;
  });
}

simtError_t simtGraphRetainUserObject(simtGraph_t graph, simtUserObject_t handle, unsigned count,
                                      unsigned flags) {
  return with_object(handle, count, [&](const auto& object) {
    const auto owner = find_graph(graph);
    if (owner == nullptr || (flags & ~unsigned{simtGraphUserObjectMove}) != 0)
      return simtErrorInvalidValue;
    if (flags == simtGraphUserObjectMove && !drop(*object, count)) return simtErrorInvalidValue;
    owner->objects[object] += count;
    return simtSuccess;
  });
}

// The program may have no reference left, so that the handle is found in the graph.
simtError_t simtGraphReleaseUserObject(simtGraph_t graph, simtUserObject_t handle, unsigned count) {
  return call_in_any_state([&] {
    const auto owner = find_graph(graph);
    if (owner == nullptr || count == 0) return simtErrorInvalidValue;
    for (auto it = owner->objects.begin(); it != owner->objects.end(); ++it) {
      if (it->first.get() != handle) continue;
      if (it->second < count) return simtErrorInvalidValue;
      it->second -= count;
      if (it->second == 0) owner->objects.erase(it);
      return simtSuccess;
    }
    return simtErrorInvalidValue;
  });
}
