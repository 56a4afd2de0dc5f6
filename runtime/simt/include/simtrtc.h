// Compilation at run time: the API of NVRTC 12.4 (nvrtc.h), carried out by `simtcc` (porter's
// compiler driver) and the host's compiler.
//
// An image (simtrtcGetPTX, simtrtcGetCUBIN) is text that names a shared library in a folder of the
// user's cache. simtDrvModuleLoadData loads it. An equal program is compiled once. The environment
// variable SIMT_RTC_CACHE names the folder (default: simt-rtc in XDG_CACHE_HOME or ~/.cache);
// SIMT_RTC_COMPILER names the driver (default: `simtcc` on PATH).
#pragma once

#include <simtrt/config.h>

#include <cstddef>

typedef struct _simtrtcProgram* simtrtcProgram;

typedef enum {
  SIMTRTC_SUCCESS = 0,
  SIMTRTC_ERROR_OUT_OF_MEMORY = 1,
  SIMTRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  SIMTRTC_ERROR_INVALID_INPUT = 3,
  SIMTRTC_ERROR_INVALID_PROGRAM = 4,
  SIMTRTC_ERROR_INVALID_OPTION = 5,
  SIMTRTC_ERROR_COMPILATION = 6,
  SIMTRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  SIMTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  SIMTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  SIMTRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  SIMTRTC_ERROR_INTERNAL_ERROR = 11,
  SIMTRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
} simtrtcResult;

extern "C" {

SIMTRT_EXPORT const char* simtrtcGetErrorString(simtrtcResult result);
SIMTRT_EXPORT simtrtcResult simtrtcVersion(int* major, int* minor);
SIMTRT_EXPORT simtrtcResult simtrtcGetNumSupportedArchs(int* count);
SIMTRT_EXPORT simtrtcResult simtrtcGetSupportedArchs(int* archs);

/// A program of one source; `headers` are the texts of `count` headers that it includes by name.
SIMTRT_EXPORT simtrtcResult simtrtcCreateProgram(simtrtcProgram* program, const char* source,
                                                 const char* name, int count,
                                                 const char* const* headers,
                                                 const char* const* include_names);
SIMTRT_EXPORT simtrtcResult simtrtcDestroyProgram(simtrtcProgram* program);
/// Options are those of NVRTC; options about GPUs have no effect.
SIMTRT_EXPORT simtrtcResult simtrtcCompileProgram(simtrtcProgram program, int count,
                                                  const char* const* options);
SIMTRT_EXPORT simtrtcResult simtrtcGetProgramLogSize(simtrtcProgram program, std::size_t* size);
SIMTRT_EXPORT simtrtcResult simtrtcGetProgramLog(simtrtcProgram program, char* log);
// Sizes contain the terminating zero.
SIMTRT_EXPORT simtrtcResult simtrtcGetPTXSize(simtrtcProgram program, std::size_t* size);
SIMTRT_EXPORT simtrtcResult simtrtcGetPTX(simtrtcProgram program, char* ptx);
SIMTRT_EXPORT simtrtcResult simtrtcGetCUBINSize(simtrtcProgram program, std::size_t* size);
SIMTRT_EXPORT simtrtcResult simtrtcGetCUBIN(simtrtcProgram program, char* cubin);
/// A kernel or variable by a C++ expression, for example scale<float>. Its lowered name is the name
/// for simtDrvModuleGetFunction.
SIMTRT_EXPORT simtrtcResult simtrtcAddNameExpression(simtrtcProgram program,
                                                     const char* expression);
SIMTRT_EXPORT simtrtcResult simtrtcGetLoweredName(simtrtcProgram program, const char* expression,
                                                  const char** lowered);

}  // extern "C"
