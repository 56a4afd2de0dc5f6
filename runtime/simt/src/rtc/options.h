// Options of simtrtcCompileProgram.
#pragma once

#include <simtrtc.h>

#include <string>
#include <vector>

namespace simtrt::rtc {

/// Checks NVRTC's options and converts those about include folders, macros and the language to options of
/// simtcc; other options have no effect. `error` receives the message for an invalid option.
simtrtcResult read_options(int count, const char* const* options, std::vector<std::string>* own,
                           std::string* error);

}  // namespace simtrt::rtc
