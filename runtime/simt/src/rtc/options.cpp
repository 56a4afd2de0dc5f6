#include "rtc/options.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace simtrt::rtc {
namespace {

enum class Value { kNone, kBoolean, kInteger, kText, kArchitecture, kStandard, kPrefix };

struct Option {
  const char* name;
  Value value;
  const char* own = nullptr;  ///< option of simtcc; null for options without effect
};

// Options of NVRTC 13.0 and those that release removed. A long name has two hyphens, a short name one.
constexpr Option kOptions[] = {
    {"--gpu-architecture", Value::kArchitecture},
    {"-arch", Value::kArchitecture},
    {"--device-c", Value::kNone},
    {"-dc", Value::kNone},
    {"--device-w", Value::kNone},
    {"-dw", Value::kNone},
    {"--relocatable-device-code", Value::kBoolean},
    {"-rdc", Value::kBoolean},
    {"--extensible-whole-program", Value::kNone},
    {"-ewp", Value::kNone},
    {"--device-debug", Value::kNone},
    {"-G", Value::kNone},
    {"--generate-line-info", Value::kNone},
    {"-lineinfo", Value::kNone},
    {"--dopt", Value::kText},
    {"-dopt", Value::kText},
    {"--ptxas-options", Value::kText},
    {"-Xptxas", Value::kText},
    {"--maxrregcount", Value::kInteger},
    {"-maxrregcount", Value::kInteger},
    {"--ftz", Value::kBoolean},
    {"-ftz", Value::kBoolean},
    {"--prec-sqrt", Value::kBoolean},
    {"-prec-sqrt", Value::kBoolean},
    {"--prec-div", Value::kBoolean},
    {"-prec-div", Value::kBoolean},
    {"--fmad", Value::kBoolean},
    {"-fmad", Value::kBoolean},
    {"--use_fast_math", Value::kNone},
    {"-use_fast_math", Value::kNone},
    {"--extra-device-vectorization", Value::kNone},
    {"-extra-device-vectorization", Value::kNone},
    {"--modify-stack-limit", Value::kBoolean},
    {"-modify-stack-limit", Value::kBoolean},
    {"--dlink-time-opt", Value::kNone},
    {"-dlto", Value::kNone},
    {"--gen-opt-lto", Value::kNone},
    {"-gen-opt-lto", Value::kNone},
    {"--optix-ir", Value::kNone},
    {"-optix-ir", Value::kNone},
    {"--jump-table-density", Value::kInteger},
    {"-jtd", Value::kInteger},
    {"--device-stack-protector", Value::kBoolean},
    {"-device-stack-protector", Value::kBoolean},
    {"--no-source-include", Value::kNone},
    {"-no-source-include", Value::kNone},
    {"--std", Value::kStandard},
    {"-std", Value::kStandard},
    {"--builtin-move-forward", Value::kBoolean},
    {"-builtin-move-forward", Value::kBoolean},
    {"--builtin-initializer-list", Value::kBoolean},
    {"-builtin-initializer-list", Value::kBoolean},
    {"--pch", Value::kNone},
    {"-pch", Value::kNone},
    {"--create-pch", Value::kText},
    {"-create-pch", Value::kText},
    {"--use-pch", Value::kText},
    {"-use-pch", Value::kText},
    {"--pch-dir", Value::kText},
    {"-pch-dir", Value::kText},
    {"--pch-verbose", Value::kBoolean},
    {"-pch-verbose", Value::kBoolean},
    {"--pch-messages", Value::kBoolean},
    {"-pch-messages", Value::kBoolean},
    {"--instantiate-templates-in-pch", Value::kBoolean},
    {"-instantiate-templates-in-pch", Value::kBoolean},
    {"--disable-warnings", Value::kNone},
    {"-w", Value::kNone},
    {"--restrict", Value::kNone},
    {"-restrict", Value::kNone},
    {"--device-as-default-execution-space", Value::kNone},
    {"-default-device", Value::kNone},
    {"--device-int128", Value::kNone},
    {"-device-int128", Value::kNone},
    {"--optimization-info", Value::kText},
    {"-opt-info", Value::kText},
    {"--display-error-number", Value::kNone},
    {"-err-no", Value::kNone},
    {"--no-display-error-number", Value::kNone},
    {"-no-err-no", Value::kNone},
    {"--diag-error", Value::kText},
    {"-diag-error", Value::kText},
    {"--diag-suppress", Value::kText},
    {"-diag-suppress", Value::kText},
    {"--diag-warn", Value::kText},
    {"-diag-warn", Value::kText},
    {"--brief-diagnostics", Value::kBoolean},
    {"-brief-diag", Value::kBoolean},
    {"--time", Value::kText},
    {"-time", Value::kText},
    {"--split-compile", Value::kInteger},
    {"-split-compile", Value::kInteger},
    {"--fdevice-syntax-only", Value::kNone},
    {"-fdevice-syntax-only", Value::kNone},
    {"--fdevice-time-trace", Value::kText},
    {"-fdevice-time-trace", Value::kText},
    {"--minimal", Value::kNone},
    {"-minimal", Value::kNone},
    {"--no-cache", Value::kNone},
    {"-no-cache", Value::kNone},
    {"--version-ident", Value::kBoolean},
    {"-dQ", Value::kBoolean},
    {"--Ofast-compile", Value::kText},
    {"-Ofc", Value::kText},
    {"--frandom-seed", Value::kText},
    {"-frandom-seed", Value::kText},
    {"--include-path", Value::kText, "-I"},
    {"--define-macro", Value::kText, "-D"},
    {"--undefine-macro", Value::kText, "-U"},
    {"--pre-include", Value::kText, "-include"},
    {"-include", Value::kText, "-include"},
    {"-I", Value::kPrefix, "-I"},
    {"-D", Value::kPrefix, "-D"},
    {"-U", Value::kPrefix, "-U"},
};

constexpr int kArchitectures[] = {50, 52, 53, 60,  61,  62,  70,  72,  75,  80,  86,
                                  87, 88, 89, 90, 100, 103, 110, 120, 121};

const Option* find(const std::string& name) {
  for (const Option& option : kOptions) {
    if (name == option.name) return &option;
    if (option.value == Value::kPrefix && name.rfind(option.name, 0) == 0) return &option;
  }
  return nullptr;
}

// sm_80, compute_90, sm_90a
bool is_architecture(const std::string& value) {
  const std::size_t line = value.find('_');
  const std::string kind = value.substr(0, line);
  if (line == std::string::npos || (kind != "sm" && kind != "compute")) return false;
  char* end = nullptr;
  const long number = std::strtol(value.c_str() + line + 1, &end, 10);
  const std::string suffix = end;
  return std::find(std::begin(kArchitectures), std::end(kArchitectures), number) !=
             std::end(kArchitectures) &&
         (suffix.empty() || suffix == "a" || suffix == "f");
}

bool is_standard(const std::string& value) {
  constexpr std::array<const char*, 5> kStandards{"c++03", "c++11", "c++14", "c++17", "c++20"};
  return std::find(kStandards.begin(), kStandards.end(), value) != kStandards.end();
}

bool is_integer(const std::string& value) {
  char* end = nullptr;
  std::strtol(value.c_str(), &end, 10);
  return !value.empty() && *end == 0;
}

// The message about a value that the option does not accept; empty for an accepted value.
std::string refusal(const Option& option, const std::string& value) {
  const std::string name = option.name;
  switch (option.value) {
    case Value::kBoolean:
      return value == "true" || value == "false" ? "" : name + " expects true or false";
    case Value::kInteger: return is_integer(value) ? "" : name + " expects an integer";
    case Value::kArchitecture: return is_architecture(value) ? "" : "invalid value for " + name;
    case Value::kStandard: return is_standard(value) ? "" : "invalid value for " + name;
    default: return "";
  }
}

void add(const Option& option, const std::string& value, std::vector<std::string>* own) {
  if (option.own != nullptr) own->insert(own->end(), {option.own, value});
  // The runtime's headers are C++17.
  if (option.value == Value::kStandard && value == "c++20") own->push_back("-std=c++20");
}

}  // namespace

simtrtcResult read_options(int count, const char* const* options, std::vector<std::string>* own,
                           std::string* error) {
  if (count < 0 || (count > 0 && options == nullptr)) return SIMTRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < count; ++i) {
    const std::string text = options[i] == nullptr ? "" : options[i];
    const std::size_t sign = text.find('=');
    const Option* option = find(text);
    const bool separate = option != nullptr && option->value != Value::kPrefix;
    if (option == nullptr) option = find(text.substr(0, sign));
    std::string value;
    if (option == nullptr || (option->value == Value::kNone && !separate)) {
      *error = "unrecognized option " + text + " found";
      return SIMTRTC_ERROR_INVALID_OPTION;
    }
    if (option->value == Value::kPrefix) value = text.substr(std::strlen(option->name));
    else if (!separate) value = text.substr(sign + 1);
    if (option->value != Value::kNone && value.empty() && i + 1 < count) value = options[++i];
    value.erase(0, value.find_first_not_of(' '));
    *error = refusal(*option, value);
    if (!error->empty()) return SIMTRTC_ERROR_INVALID_OPTION;
    add(*option, value, own);
  }
  return SIMTRTC_SUCCESS;
}

}  // namespace simtrt::rtc
