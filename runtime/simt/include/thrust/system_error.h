// Exceptions and error codes of thrust.
#pragma once

#include <thrust/system/error_code.h>
#include <thrust/system/system_error.h>
