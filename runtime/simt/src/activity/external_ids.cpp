#include "activity/external_ids.h"

#include "activity/buffers.h"

#include <array>
#include <vector>

namespace simtrt::activity {
namespace {

using Stacks = std::array<std::vector<std::uint64_t>, SIMTPTI_EXTERNAL_CORRELATION_KIND_SIZE>;

Stacks& stacks() {
  static thread_local Stacks stacks;
  return stacks;
}

bool is_kind(SIMTpti_ExternalCorrelationKind kind) {
  return kind > SIMTPTI_EXTERNAL_CORRELATION_KIND_INVALID &&
         kind < SIMTPTI_EXTERNAL_CORRELATION_KIND_SIZE;
}

}  // namespace

bool push_external_id(SIMTpti_ExternalCorrelationKind kind, std::uint64_t id) {
  if (!is_kind(kind)) return false;
  stacks()[kind].push_back(id);
  return true;
}

std::optional<std::uint64_t> pop_external_id(SIMTpti_ExternalCorrelationKind kind) {
  if (!is_kind(kind) || stacks()[kind].empty()) return std::nullopt;
  const std::uint64_t last = stacks()[kind].back();
  stacks()[kind].pop_back();
  return last;
}

void write_external_ids(std::uint32_t correlation) {
  const Stacks& own = stacks();
  for (std::size_t kind = 0; kind < own.size(); ++kind) {
    if (own[kind].empty()) continue;
    SIMTpti_ActivityExternalCorrelation record{};
    record.kind = SIMTPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    record.correlationId = correlation;
    record.externalKind = static_cast<SIMTpti_ExternalCorrelationKind>(kind);
    record.externalId = own[kind].back();
    Buffers::instance().write(record);
  }
}

}  // namespace simtrt::activity
