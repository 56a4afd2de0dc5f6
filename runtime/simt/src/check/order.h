// Order of the work of streams, as the program has stated it: the order of a stream, the default
// stream, events, and waits of the host. The order does not depend on when the work ran.
//
// Ownership: one object of this module, never destroyed, owns all data.
// Threads: any. Memory ordering: a mutex guards all data.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace simtrt {

class Stream;

namespace check {

/// Number of a piece of work that has run. 0 denotes the program on the host.
using Run = std::uint32_t;
inline constexpr Run kHostRun = 0;

// Calls of the program.
void submitted(const Stream& stream, std::uint64_t number);
void stream_waits(const Stream& stream, std::uint64_t other_stream, std::uint64_t number);
void host_waited(const Stream& stream, std::uint64_t number);

/// Work `number` of a stream begins. `name` describes it: "kernel scale". `nested` states that a
/// kernel has launched it: its order is not known.
Run begin_run(const Stream& stream, std::uint64_t number, const std::string& name, bool nested,
              std::uint32_t grid_x = 1, std::uint32_t grid_y = 1, std::uint32_t block_x = 1,
              std::uint32_t block_y = 1);

/// Clock of the host's accesses: those before the submission of a work have a smaller clock.
std::uint32_t host_clock();

/// True if the access of `earlier` at `clock` (only for the host) precedes all of `later`.
bool is_ordered(Run earlier, std::uint32_t clock, Run later);
/// True if `number` of `stream` precedes all of the run.
bool is_after(Run run, std::uint64_t stream, std::uint64_t number);

/// Note of the call that submitted the run (session.h); 0 if there is none.
std::uint64_t note_of(Run run);
/// Calls that launched the runs of kernels, without repetitions: addresses in the program.
std::set<std::uintptr_t> launching_calls();
/// Forgets all work and all calls.
void forget_order();

/// "kernel scale, block (1,0,0), thread (3,0,0)".
std::string describe(Run run, std::uint64_t block, unsigned thread);
/// Address in the program of the call that submitted the run; 0 if unknown.
std::uintptr_t call_of(Run run);

}  // namespace check
}  // namespace simtrt
