// Names and texts of error codes.
#pragma once

#include <simtrt/api/error_codes.h>

namespace simtrt {

struct ErrorText {
  const char* name;  ///< the enumerator's; null where there is no such error
  const char* text;
};

ErrorText error_text(simtError_t error);

}  // namespace simtrt
