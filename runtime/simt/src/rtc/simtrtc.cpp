// simtrtc*: programs that are compiled at run time.
#include "rtc/compile.h"
#include "rtc/options.h"

#include "environment.h"

#include <simtrt/version.h>
#include <simtrtc.h>

#include <dlfcn.h>

#include <cstring>
#include <map>

struct _simtrtcProgram {
  simtrt::rtc::Source source;
  std::map<std::string, std::string> variables;  ///< name expression to the variable with its address
  std::map<std::string, std::string> lowered;    ///< name expression to symbol, after a compilation
  std::string log;
  std::string image;
  bool compiled = false;
};

namespace {

using simtrt::rtc::kImage;

simtrtcResult give(const std::string& text, std::size_t* size) {
  if (size == nullptr) return SIMTRTC_ERROR_INVALID_INPUT;
  *size = text.size() + 1;
  return SIMTRTC_SUCCESS;
}
simtrtcResult give(const std::string& text, char* to) {
  if (to == nullptr) return SIMTRTC_ERROR_INVALID_INPUT;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return SIMTRTC_SUCCESS;
}

// Definitions of one variable for each name expression: the address of the named kernel or variable.
std::string symbols(const std::map<std::string, std::string>& variables) {
  std::string text = "\n";
  for (const auto& [expression, symbol] : variables) {
    text += "extern \"C\" const void* const " + symbol + ";\nextern \"C\" const void* const " +
            symbol + " = reinterpret_cast<const void*>(+(" + expression + "));\n";
  }
  return text;
}

// Reads the addresses of the named kernels and variables from the compiled library, and replaces each
// lowered name by the symbol at the address. A name with internal linkage has no symbol and keeps the name
// of the variable with its address.
void lower(const std::string& library, std::map<std::string, std::string>* lowered) {
  if (lowered->empty()) return;
  void* opened = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (opened == nullptr) return;
  for (auto& [expression, symbol] : *lowered) {
    void* const* address = static_cast<void* const*>(dlsym(opened, symbol.c_str()));
    Dl_info found{};
    if (address != nullptr && dladdr(*address, &found) != 0 && found.dli_sname != nullptr &&
        found.dli_saddr == *address) {
      symbol = found.dli_sname;
    }
  }
  dlclose(opened);
}

}  // namespace

const char* simtrtcGetErrorString(simtrtcResult result) {
  switch (result) {
    case SIMTRTC_SUCCESS: return "NVRTC_SUCCESS";
    case SIMTRTC_ERROR_OUT_OF_MEMORY: return "NVRTC_ERROR_OUT_OF_MEMORY";
    case SIMTRTC_ERROR_INVALID_INPUT: return "NVRTC_ERROR_INVALID_INPUT";
    case SIMTRTC_ERROR_INVALID_PROGRAM: return "NVRTC_ERROR_INVALID_PROGRAM";
    case SIMTRTC_ERROR_INVALID_OPTION: return "NVRTC_ERROR_INVALID_OPTION";
    case SIMTRTC_ERROR_COMPILATION: return "NVRTC_ERROR_COMPILATION";
    case SIMTRTC_ERROR_NAME_EXPRESSION_NOT_VALID: return "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case SIMTRTC_ERROR_PROGRAM_CREATION_FAILURE: return "NVRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case SIMTRTC_ERROR_BUILTIN_OPERATION_FAILURE: return "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case SIMTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
      return "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case SIMTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
      return "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case SIMTRTC_ERROR_INTERNAL_ERROR: return "NVRTC_ERROR_INTERNAL_ERROR";
    case SIMTRTC_ERROR_TIME_FILE_WRITE_FAILED: return "NVRTC_ERROR_TIME_FILE_WRITE_FAILED";
    default: return "NVRTC_ERROR unknown";
  }
}
simtrtcResult simtrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return SIMTRTC_ERROR_INVALID_INPUT;
  *major = SIMT_COMPAT_VERSION / 1000;
  *minor = SIMT_COMPAT_VERSION % 1000 / 10;
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return SIMTRTC_ERROR_INVALID_INPUT;
  *count = 1;
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcGetSupportedArchs(int* archs) {
  if (archs == nullptr) return SIMTRTC_ERROR_INVALID_INPUT;
  const simtrt::ComputeCapability capability = simtrt::environment_compute_capability();
  *archs = capability.major * 10 + capability.minor;
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcCreateProgram(simtrtcProgram* program, const char* source, const char* name,
                                   int count, const char* const* headers,
                                   const char* const* include_names) {
  if (program == nullptr) return SIMTRTC_ERROR_INVALID_PROGRAM;
  if (source == nullptr || count < 0 ||
      (count > 0 && (headers == nullptr || include_names == nullptr))) {
    return SIMTRTC_ERROR_INVALID_INPUT;
  }
  *program = new _simtrtcProgram;
  (*program)->source.text = source;
  (*program)->source.name = name != nullptr && *name != '\0' ? name : "default_program";
  for (int i = 0; i < count; ++i)
    (*program)->source.headers.emplace_back(include_names[i], headers[i]);
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcDestroyProgram(simtrtcProgram* program) {
  if (program == nullptr || *program == nullptr) return SIMTRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcCompileProgram(simtrtcProgram program, int count, const char* const* options) {
  if (program == nullptr) return SIMTRTC_ERROR_INVALID_PROGRAM;
  std::vector<std::string> read;
  std::string message;
  if (const simtrtcResult error = simtrt::rtc::read_options(count, options, &read, &message)) {
    program->log = message.empty() ? "" : "simtrtc: error: " + message + "\n";
    return error;
  }
  simtrt::rtc::Source source = program->source;
  source.text += symbols(program->variables);
  const std::string library = simtrt::rtc::compile(source, read, &program->log);
  if (library.empty()) return SIMTRTC_ERROR_COMPILATION;
  program->compiled = true;
  program->lowered = program->variables;
  lower(library, &program->lowered);
  program->image = kImage + library + "\n";
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcGetProgramLogSize(simtrtcProgram program, std::size_t* size) {
  return program == nullptr ? SIMTRTC_ERROR_INVALID_PROGRAM : give(program->log, size);
}
simtrtcResult simtrtcGetProgramLog(simtrtcProgram program, char* log) {
  return program == nullptr ? SIMTRTC_ERROR_INVALID_PROGRAM : give(program->log, log);
}
simtrtcResult simtrtcGetPTXSize(simtrtcProgram program, std::size_t* size) {
  return program == nullptr ? SIMTRTC_ERROR_INVALID_PROGRAM : give(program->image, size);
}
simtrtcResult simtrtcGetPTX(simtrtcProgram program, char* ptx) {
  return program == nullptr ? SIMTRTC_ERROR_INVALID_PROGRAM : give(program->image, ptx);
}
simtrtcResult simtrtcGetCUBINSize(simtrtcProgram program, std::size_t* size) {
  return simtrtcGetPTXSize(program, size);
}
simtrtcResult simtrtcGetCUBIN(simtrtcProgram program, char* cubin) {
  return simtrtcGetPTX(program, cubin);
}
simtrtcResult simtrtcAddNameExpression(simtrtcProgram program, const char* expression) {
  if (program == nullptr) return SIMTRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr) return SIMTRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return SIMTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->variables.emplace(expression, "simt_rtc_" + std::to_string(program->variables.size()));
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcGetLoweredName(simtrtcProgram program, const char* expression,
                                    const char** lowered) {
  if (program == nullptr) return SIMTRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr || lowered == nullptr) return SIMTRTC_ERROR_INVALID_INPUT;
  if (!program->compiled) return SIMTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto found = program->lowered.find(expression);
  if (found == program->lowered.end()) return SIMTRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *lowered = found->second.c_str();
  return SIMTRTC_SUCCESS;
}
