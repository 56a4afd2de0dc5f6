// The exception of thrust's algorithms on the device. Names: CUDA 12.4, thrust/system/system_error.h.
#pragma once

#include <thrust/system/error_code.h>

THRUST_NAMESPACE_BEGIN

namespace system {

/// An error code with a text.
class system_error : public std::system_error {
 public:
  using std::system_error::system_error;
};

}  // namespace system

using system::system_error;

THRUST_NAMESPACE_END
