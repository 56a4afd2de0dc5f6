// Implementation of simtpti.h.
#include <simtpti.h>

#include "activity/buffers.h"
#include "activity/calls.h"
#include "activity/external_ids.h"
#include "activity/recorder.h"

using namespace simtrt::activity;

namespace {

bool is_made(SIMTpti_ActivityKind kind) {
  switch (kind) {
    case SIMTPTI_ACTIVITY_KIND_MEMCPY:
    case SIMTPTI_ACTIVITY_KIND_MEMSET:
    case SIMTPTI_ACTIVITY_KIND_KERNEL:
    case SIMTPTI_ACTIVITY_KIND_RUNTIME:
    case SIMTPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case SIMTPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: return true;
    default: return false;
  }
}

constexpr std::uint64_t bit(SIMTpti_ActivityKind kind) { return std::uint64_t{1} << kind; }

}  // namespace

SIMTptiResult simtptiActivityRegisterCallbacks(SIMTpti_BuffersCallbackRequestFunc request,
                                               SIMTpti_BuffersCallbackCompleteFunc complete) {
  if (request == nullptr || complete == nullptr) return SIMTPTI_ERROR_INVALID_PARAMETER;
  Buffers::instance().set_callbacks(request, complete);
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiActivityEnable(SIMTpti_ActivityKind kind) {
  if (!is_made(kind)) return SIMTPTI_ERROR_INVALID_KIND;
  if (!Buffers::instance().has_callbacks()) return SIMTPTI_ERROR_INVALID_OPERATION;
  enabled_kinds.fetch_or(bit(kind));
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiActivityDisable(SIMTpti_ActivityKind kind) {
  if (!is_made(kind)) return SIMTPTI_ERROR_INVALID_KIND;
  enabled_kinds.fetch_and(~bit(kind));
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiActivityFlushAll(std::uint32_t) {
  Buffers::instance().flush();
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid_size,
                                           SIMTpti_Activity** record) {
  if (buffer == nullptr || record == nullptr) return SIMTPTI_ERROR_INVALID_PARAMETER;
  SIMTpti_Activity* const found = Buffers::next(buffer, valid_size, *record);
  if (found == nullptr) return SIMTPTI_ERROR_MAX_LIMIT_REACHED;
  *record = found;
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* dropped) {
  if (dropped == nullptr) return SIMTPTI_ERROR_INVALID_PARAMETER;
  *dropped = Buffers::instance().take_dropped();
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiActivityPushExternalCorrelationId(SIMTpti_ExternalCorrelationKind kind,
                                                       std::uint64_t id) {
  return push_external_id(kind, id) ? SIMTPTI_SUCCESS : SIMTPTI_ERROR_INVALID_PARAMETER;
}

SIMTptiResult simtptiActivityPopExternalCorrelationId(SIMTpti_ExternalCorrelationKind kind,
                                                      std::uint64_t* last) {
  const auto popped = pop_external_id(kind);
  if (!popped) return SIMTPTI_ERROR_QUEUE_EMPTY;
  if (last != nullptr) *last = *popped;
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiGetTimestamp(std::uint64_t* timestamp) {
  if (timestamp == nullptr) return SIMTPTI_ERROR_INVALID_PARAMETER;
  *timestamp = now();
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiGetCallbackName(SIMTpti_CallbackDomain domain, SIMTpti_CallbackId id,
                                     const char** name) {
  const Call* const call = find_call(id);
  if (domain != SIMTPTI_CB_DOMAIN_RUNTIME_API || call == nullptr || name == nullptr)
    return SIMTPTI_ERROR_INVALID_PARAMETER;
  *name = call->name;
  return SIMTPTI_SUCCESS;
}

SIMTptiResult simtptiGetResultString(SIMTptiResult result, const char** text) {
  if (text == nullptr) return SIMTPTI_ERROR_INVALID_PARAMETER;
  switch (result) {
    case SIMTPTI_SUCCESS: *text = "SIMTPTI_SUCCESS"; break;
    case SIMTPTI_ERROR_INVALID_PARAMETER: *text = "SIMTPTI_ERROR_INVALID_PARAMETER"; break;
    case SIMTPTI_ERROR_INVALID_OPERATION: *text = "SIMTPTI_ERROR_INVALID_OPERATION"; break;
    case SIMTPTI_ERROR_MAX_LIMIT_REACHED: *text = "SIMTPTI_ERROR_MAX_LIMIT_REACHED"; break;
    case SIMTPTI_ERROR_QUEUE_EMPTY: *text = "SIMTPTI_ERROR_QUEUE_EMPTY"; break;
    case SIMTPTI_ERROR_INVALID_KIND: *text = "SIMTPTI_ERROR_INVALID_KIND"; break;
    default: return SIMTPTI_ERROR_INVALID_PARAMETER;
  }
  return SIMTPTI_SUCCESS;
}
