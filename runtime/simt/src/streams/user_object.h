// Objects of the program that live as long as graphs refer to them (CUDA Runtime API,
// cudaUserObjectCreate).
//
// Ownership: references are counted. A handle represents the references of the program; graphs and
// executable graphs have references of their own.
// Threads: any thread. Memory ordering: the count is decremented with acquire and release ordering,
// so that the thread that destroys the object sees all writes of the other owners.
#pragma once

#include "handles.h"

#include <simt_runtime_api.h>

#include <atomic>
#include <memory>
#include <unordered_map>

/// Calls `destroy(data)` when its last owner releases it.
struct SIMTuserObject_st {
  SIMTuserObject_st(void* data, simtHostFn_t destroy, unsigned references)
      : data(data), destroy(destroy), references(references) {}
  ~SIMTuserObject_st() { destroy(data); }

  void* const data;
  const simtHostFn_t destroy;
  std::atomic<unsigned> references;  ///< of the program
};

namespace simtrt {

/// References of a graph: the number of references to each object.
using UserObjectReferences = std::unordered_map<std::shared_ptr<SIMTuserObject_st>, unsigned>;

inline Handles<simtUserObject_t, SIMTuserObject_st>& user_object_handles() {
  static auto& handles = *new Handles<simtUserObject_t, SIMTuserObject_st>();
  return handles;
}

}  // namespace simtrt
