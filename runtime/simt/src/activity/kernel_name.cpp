#include "activity/kernel_name.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>

namespace simtrt::activity {
namespace {

using Arguments = std::map<std::string, std::string, std::less<>>;

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

void add(Arguments& arguments, std::string_view binding) {
  const std::size_t equals = binding.find(" = ");
  if (equals == std::string_view::npos) return;
  arguments.emplace(trimmed(binding.substr(0, equals)), trimmed(binding.substr(equals + 3)));
}

// Template arguments at the end of __PRETTY_FUNCTION__: "[with T = float; U = int]" in g++, "[T =
// float, U = int]" in clang.
Arguments arguments_of(std::string_view function) {
  Arguments arguments;
  if (function.empty() || function.back() != ']') return arguments;
  constexpr std::string_view kWith = "[with ";
  std::size_t open = function.find(kWith);
  const char separator = open == std::string_view::npos ? ',' : ';';
  if (open == std::string_view::npos) {
    open = function.rfind(" [");
    if (open == std::string_view::npos) return arguments;
    open += 2;
  } else {
    open += kWith.size();
  }
  const std::string_view list = function.substr(open, function.size() - 1 - open);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < list.size(); ++at) {
    const char c = list[at];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (c != separator || depth != 0) continue;
    add(arguments, list.substr(begin, at - begin));
    begin = at + 1;
  }
  add(arguments, list.substr(begin));
  return arguments;
}

std::string replaced(std::string_view text, const Arguments& arguments) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_of_word(text[at])) {
      result += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const auto argument = arguments.find(word);
    result += argument == arguments.end() ? word : argument->second;
    at = end;
  }
  return result;
}

std::string symbol_at(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_sname == nullptr) return {};
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : info.dli_sname;
}

}  // namespace

std::string kernel_name(const LaunchSite& site, const void* address) {
  if (site.function == nullptr) {  // launched by address, without a name
    const std::string symbol = symbol_at(address);
    return symbol.empty() ? site.kernel : symbol;
  }
  std::string_view text = site.kernel;
  // Ported launches have the kernel in parentheses, so that commas in its template arguments do not
  // separate macro arguments.
  if (text.size() > 2 && text.front() == '(' && text.back() == ')')
    text = text.substr(1, text.size() - 2);
  return replaced(text, arguments_of(site.function));
}

}  // namespace simtrt::activity
