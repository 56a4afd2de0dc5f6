// External correlation ids, which profilers push and pop around the calls of a thread.
//
// Ownership, threads, memory ordering: each thread has its own ids; nothing is shared.
#pragma once

#include <simtpti.h>

#include <cstdint>
#include <optional>

namespace simtrt::activity {

/// Returns false for an invalid kind.
bool push_external_id(SIMTpti_ExternalCorrelationKind kind, std::uint64_t id);
/// Removes and returns the id that was pushed last; empty if there is none.
std::optional<std::uint64_t> pop_external_id(SIMTpti_ExternalCorrelationKind kind);
/// Writes a record for each kind of external id that the calling thread has pushed.
void write_external_ids(std::uint32_t correlation);

}  // namespace simtrt::activity
