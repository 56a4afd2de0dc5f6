// Error codes of thrust: those of the C++ library. Names: CUDA 12.4, thrust/system/error_code.h.
#pragma once

#include <simtrt/thrust/config.h>

#include <system_error>

THRUST_NAMESPACE_BEGIN

namespace system {

using std::error_category;
using std::error_code;
using std::error_condition;
using std::generic_category;
using std::is_error_code_enum;
using std::is_error_condition_enum;
using std::make_error_code;
using std::make_error_condition;
using std::system_category;

}  // namespace system

using system::error_category;
using system::error_code;
using system::error_condition;
using system::generic_category;
using system::is_error_code_enum;
using system::is_error_condition_enum;
using system::make_error_code;
using system::make_error_condition;
using system::system_category;

THRUST_NAMESPACE_END
