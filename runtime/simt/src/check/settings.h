// Kinds of checks: those that the environment variable SIMT_CHECK names, or those of a running session (session.cpp).
//
// Ownership: none. Threads: any. Memory ordering: the switches are atomics that order no other access. They change while
// the library is loaded, and at the begin and the end of a session, when no device has work.
#pragma once

#include <atomic>
#include <string>

namespace simtrt::check {

using Switch = std::atomic<bool>;

struct Kinds {
  Switch memory{false};  ///< accesses outside of allocations, after a free, misaligned; bad frees and copies
  Switch race{false};
  Switch sync{false};  ///< barriers and collectives
  Switch init{false};  ///< reads of memory that was never written
  Switch host{false};  ///< accesses to device memory by the host
};

/// Selected kinds.
extern Kinds kinds;
/// True if a kind is selected.
extern Switch active;
/// True if a kind needs the program's accesses.
extern Switch observes_accesses;
/// True if a kind needs data about memory, which a lock guards.
extern Switch needs_lock;

/// Selects the kinds that `text` names, separated by commas: `memory,race`. Returns the first unknown word; then, the
/// known kinds are selected.
std::string select_kinds(const char* text);

}  // namespace simtrt::check
