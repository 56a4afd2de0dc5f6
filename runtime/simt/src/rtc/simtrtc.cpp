// simtrtc*: programs that are compiled at run time.
#include "rtc/compile.h"

#include <simtrt/version.h>
#include <simtrtc.h>

#include <cstring>
#include <map>

struct _simtrtcProgram {
  simtrt::rtc::Source source;
  std::map<std::string, std::string> lowered;  ///< name expression to symbol
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
std::string symbols(const std::map<std::string, std::string>& lowered) {
  std::string text = "\n";
  for (const auto& [expression, symbol] : lowered) {
    text += "extern \"C\" const void* const " + symbol + ";\nextern \"C\" const void* const " +
            symbol + " = reinterpret_cast<const void*>(+(" + expression + "));\n";
  }
  return text;
}

// Converts options about include folders and macros to options of simtcc. Other options have no effect.
simtrtcResult read_options(int count, const char* const* options, std::vector<std::string>* read) {
  if (count < 0 || (count > 0 && options == nullptr)) return SIMTRTC_ERROR_INVALID_INPUT;
  constexpr const char* kShort[][2] = {{"--include-path", "-I"}, {"--define-macro", "-D"},
                                       {"--undefine-macro", "-U"}, {"--pre-include", "-include"},
                                       {"-include", "-include"}, {"-I", "-I"}, {"-D", "-D"},
                                       {"-U", "-U"}};
  for (int i = 0; i < count; ++i) {
    const std::string option = options[i] == nullptr ? "" : options[i];
    if (option.empty() || option[0] != '-') return SIMTRTC_ERROR_INVALID_OPTION;
    for (const auto& [name, own] : kShort) {
      if (option.rfind(name, 0) != 0) continue;
      std::string value = option.substr(std::strlen(name));
      if (value.empty() && i + 1 < count) value = options[++i];
      if (std::strlen(name) > 2 && !value.empty() && value[0] == '=') value.erase(0, 1);
      while (!value.empty() && value[0] == ' ') value.erase(0, 1);
      read->insert(read->end(), {own, value});
      break;
    }
  }
  return SIMTRTC_SUCCESS;
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
  *archs = 70;
  return SIMTRTC_SUCCESS;
}
simtrtcResult simtrtcCreateProgram(simtrtcProgram* program, const char* source, const char* name,
                                   int count, const char* const* headers,
                                   const char* const* include_names) {
  if (program == nullptr || source == nullptr || count < 0 ||
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
  if (const simtrtcResult error = read_options(count, options, &read)) return error;
  simtrt::rtc::Source source = program->source;
  source.text += symbols(program->lowered);
  const std::string library = simtrt::rtc::compile(source, read, &program->log);
  program->compiled = true;
  if (library.empty()) return SIMTRTC_ERROR_COMPILATION;
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
  return program == nullptr || program->image.empty() ? SIMTRTC_ERROR_INVALID_PROGRAM
                                                      : give(program->image, size);
}
simtrtcResult simtrtcGetPTX(simtrtcProgram program, char* ptx) {
  return program == nullptr || program->image.empty() ? SIMTRTC_ERROR_INVALID_PROGRAM
                                                      : give(program->image, ptx);
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
  program->lowered.emplace(expression, "simt_rtc_" + std::to_string(program->lowered.size()));
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
