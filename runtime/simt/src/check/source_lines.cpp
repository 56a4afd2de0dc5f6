#include "check/source_lines.h"

#include "process/loaded_module.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

namespace simtrt::check {
namespace {

bool is_of_runtime(const std::string& file) {
  return file.find("/simtrt/") != std::string::npos || file.find("/include/simt") != std::string::npos ||
         file.find("/include/cub/") != std::string::npos || file.find("/include/cuda/") != std::string::npos ||
         file.find("/include/c++/") != std::string::npos || file == "??";
}

std::vector<std::vector<SourceLine>> ask(const std::string& module, const std::vector<std::uintptr_t>& offsets) {
  std::string command = "addr2line -Cfia -e '" + module + "'";
  for (const std::uintptr_t offset : offsets) {
    char text[32];
    std::snprintf(text, sizeof text, " 0x%lx", static_cast<unsigned long>(offset));
    command += text;
  }
  std::vector<std::vector<SourceLine>> found;
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return {};
  char* text = nullptr;
  std::size_t room = 0;
  std::string function;
  bool is_function = true;
  for (ssize_t size; (size = getline(&text, &room, pipe)) > 0;) {
    std::string line(text, static_cast<std::size_t>(size) - (text[size - 1] == '\n'));
    if (line.rfind("0x", 0) == 0 && line.find_first_not_of("0123456789abcdef", 2) == std::string::npos) {
      found.emplace_back();
      is_function = true;
      continue;
    }
    if (is_function) {
      function = line;
    } else if (!found.empty()) {
      if (const auto extra = line.find(" ("); extra != std::string::npos) line.resize(extra);
      const auto colon = line.rfind(':');
      const std::string file = line.substr(0, colon);
      if (!is_of_runtime(file) && function.find("simtrt::") == std::string::npos)
        found.back().push_back({path_of_original(file), std::atoi(line.c_str() + colon + 1), function});
    }
    is_function = !is_function;
  }
  std::free(text);
  pclose(pipe);
  return found;
}

}  // namespace

std::string path_of_original(const std::string& file) {
  constexpr std::string_view kFolder = "/toolkit/ported/";
  const auto at = file.find(kFolder);
  if (at == std::string::npos) return file;
  const auto end = file.find('/', at + kFolder.size());
  return end == std::string::npos ? file : file.substr(end);
}

SourceLines::SourceLines(const std::vector<std::uintptr_t>& addresses) {
  struct Asked {
    std::vector<std::uintptr_t> addresses, offsets;
  };
  std::map<std::string, Asked> by_module;
  for (const std::uintptr_t address : addresses) {
    const LoadedModule module = module_at(reinterpret_cast<const void*>(address));
    if (lines_.count(address) != 0 || module.begin == nullptr) continue;
    lines_[address];
    Asked& asked = by_module[module.path()];
    asked.addresses.push_back(address);
    // A return address belongs to the instruction after the call.
    asked.offsets.push_back(address - module.map->l_addr - 1);
  }
  constexpr std::size_t kAtOnce = 500;
  for (const auto& [module, asked] : by_module) {
    for (std::size_t begin = 0; begin < asked.offsets.size(); begin += kAtOnce) {
      const std::size_t end = std::min(begin + kAtOnce, asked.offsets.size());
      const auto found = ask(module, {asked.offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                                      asked.offsets.begin() + static_cast<std::ptrdiff_t>(end)});
      for (std::size_t index = 0; index < found.size() && begin + index < end; ++index)
        lines_[asked.addresses[begin + index]] = found[index];
    }
  }
}

const std::vector<SourceLine>& SourceLines::of(std::uintptr_t address) const {
  static const std::vector<SourceLine> none;
  const auto it = lines_.find(address);
  return it == lines_.end() ? none : it->second;
}

}  // namespace simtrt::check
