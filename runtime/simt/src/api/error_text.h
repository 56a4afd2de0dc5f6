// Names and texts of error codes.
#pragma once

#include <simtrt/api/error_codes.h>

namespace simtrt {

struct ErrorText {
  const char* name;  ///< name of the enumerator; null for an unknown error
  const char* text;
};

ErrorText error_text(simtError_t error);

}  // namespace simtrt
