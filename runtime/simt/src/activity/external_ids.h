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
/// Id that was pushed last; empty without one.
std::optional<std::uint64_t> pop_external_id(SIMTpti_ExternalCorrelationKind kind);
/// Writes one record for each kind of which the calling thread has an id.
void write_external_ids(std::uint32_t correlation);

}  // namespace simtrt::activity
