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
  simtStream_t origin = nullptr;  ///< where the capture that is watched began; null: none
  simtEvent_t event = nullptr;
  simtEvent_t later = nullptr;  ///< the second event of simtEventElapsedTime
  simtGraph_t graph = nullptr;
  simtGraphNode_t node = nullptr;
  simtGraphExec_t exec = nullptr;
  simtMemPool_t pool = nullptr;
  void* pointer = nullptr;  ///< for calls that free, or ask about a pointer
  char* memory = nullptr;   ///< 4 KiB of the device
  void* managed = nullptr;
  void* pinned = nullptr;
  void* registered = nullptr;
  char host[4096] = {};
};

/// Effects of a call.
struct Outcome {
  simtError_t error = simtSuccess;
  bool waited = false;       ///< it returned when the work that was going on was done
  bool invalidated = false;  ///< it made the capture invalid
  int nodes = 0;             ///< added to the graph of the capture

  bool operator==(const Outcome& other) const {
    return error == other.error && waited == other.waited && invalidated == other.invalidated &&
           nodes == other.nodes;
  }
};

using Call = std::function<simtError_t(Subject&)>;
/// Call by its name without "simt"; the table has at least one row for it.
Call find_call(const std::string& name);

/// Puts the process into a state, makes the call and observes it.
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
