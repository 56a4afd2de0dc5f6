// Calls that put work on streams, by the names that profilers show.
//
// Ownership: constant tables, which live as long as the process. Any thread may read them.
#pragma once

#include "streams/work.h"

#include <simtpti.h>

namespace simtrt::activity {

struct Call {
  SIMTpti_CallbackId id;
  const char* name;
  SIMTpti_ActivityKind record;  ///< the kind of the record of the work itself
};

/// The call that work comes from; null for work without records: marks of events, waits, functions
/// of the host, allocations.
const Call* call_of(const Work& work);
/// The call with this id; null where there is none.
const Call* find_call(SIMTpti_CallbackId id);

}  // namespace simtrt::activity
