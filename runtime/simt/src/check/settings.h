// Kinds of checks, from the environment variable SIMT_CHECK.
//
// Ownership: constants. Threads: any; the values are set while the library is loaded.
#pragma once

namespace simtrt::check {

struct Kinds {
  bool memory = false;  ///< accesses outside of allocations, after a free, misaligned; bad frees and copies
  bool race = false;
  bool sync = false;  ///< barriers and collectives
  bool init = false;  ///< reads of memory that was never written
  bool host = false;  ///< accesses to device memory by the host
};

/// Kinds that SIMT_CHECK names, separated by commas: `SIMT_CHECK=memory,race`.
extern const Kinds kinds;
/// True if SIMT_CHECK names a kind.
extern const bool active;
/// True if a kind needs the program's accesses.
extern const bool observes_accesses;
/// True if a kind needs data about memory, which a lock guards.
extern const bool needs_lock;

}  // namespace simtrt::check
