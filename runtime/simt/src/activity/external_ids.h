// Ids that profilers put around the calls of a thread.
//
// Ownership, threads, memory ordering: each thread has its own ids; nothing is shared.
#pragma once

#include <simtpti.h>

#include <cstdint>
#include <optional>

namespace simtrt::activity {

/// Errors: false for a kind that is none.
bool push_external_id(SIMTpti_ExternalCorrelationKind kind, std::uint64_t id);
/// The id that was pushed last; empty where there is none.
std::optional<std::uint64_t> pop_external_id(SIMTpti_ExternalCorrelationKind kind);
/// A record for each kind that the calling thread has an id of.
void write_external_ids(std::uint32_t correlation);

}  // namespace simtrt::activity
