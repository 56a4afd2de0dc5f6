// State table of the runtime API (api_states.inc): its calls, its states, and the content of a
// cell.
//
// A cell runs in a separate process, which has not used the runtime before.
#pragma once

#include <simt_runtime.h>

#include <functional>
#include <string>
#include <vector>

namespace api_states {

/// Objects on which calls operate. A state may replace or change some of them.
struct Subject {
  simtStream_t stream = nullptr;
  simtStream_t origin = nullptr;  ///< origin of the observed capture, or null
  simtEvent_t event = nullptr;
  simtEvent_t later = nullptr;  ///< second event for simtEventElapsedTime
  simtGraph_t graph = nullptr;
  simtGraphNode_t node = nullptr;
  simtGraphExec_t exec = nullptr;
  simtMemPool_t pool = nullptr;
  void* pointer = nullptr;  ///< argument of calls that free or query a pointer
  char* memory = nullptr;   ///< 4 KiB of device memory
  void* managed = nullptr;
  void* pinned = nullptr;
  void* registered = nullptr;
  char host[4096] = {};
};

/// Effects of a call.
struct Outcome {
  simtError_t error = simtSuccess;
  bool waited = false;       ///< the call returned after the running work was complete
  bool invalidated = false;  ///< the call invalidated the capture
  int nodes = 0;             ///< number of nodes that the call added to the captured graph

  bool operator==(const Outcome& other) const {
    return error == other.error && waited == other.waited && invalidated == other.invalidated &&
           nodes == other.nodes;
  }
};

using Call = std::function<simtError_t(Subject&)>;
/// Call with this name (without "simt"). The table has at least one row for each name.
Call find_call(const std::string& name);

/// Puts the process into a state, makes the call and observes the effects.
Outcome make_call(const std::string& state, const Call& call, bool expect_wait);

struct Cell {
  std::string block;
  std::string call;
  std::string state;
  Outcome expected;
};
/// Cells of the table. Ends the process with a message if the table is unreadable.
std::vector<Cell> read_table();

}  // namespace api_states
