// API functions that submit work to streams, with the names that profilers show.
//
// Ownership: constant tables, which live as long as the process. Any thread may read them.
#pragma once

#include "streams/work.h"

#include <simtpti.h>

namespace simtrt::activity {

struct Call {
  SIMTpti_CallbackId id;
  const char* name;
  SIMTpti_ActivityKind record;  ///< kind of the record that describes the work
};

/// API function that submits the work; null for work without records: event marks, waits, host
/// functions, allocations.
const Call* call_of(const Work& work);
/// API function with this id; null for an unknown id.
const Call* find_call(SIMTpti_CallbackId id);

}  // namespace simtrt::activity
