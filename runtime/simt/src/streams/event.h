// Events: moments on a stream that others can wait for.
#pragma once

#include "streams/graph.h"
#include "handles.h"

#include <memory>
#include <mutex>

struct SIMTevent_st {
  std::mutex mutex;
  unsigned flags = 0;
  int device = 0;
  /// The last record of it; null while it was never recorded.
  std::shared_ptr<simtrt::Stream> stream;
  std::uint64_t count = 0;
  std::shared_ptr<simtrt::Mark> mark;
  /// Recorded on a stream that was being captured: the nodes that come before.
  std::shared_ptr<simtrt::Capture> capture;
  std::vector<std::size_t> capture_nodes;
};

namespace simtrt {

Handles<simtEvent_t, SIMTevent_st>& event_handles();

}  // namespace simtrt
