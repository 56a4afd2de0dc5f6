// Source lines of addresses, by the program addr2line of binutils.
//
// Ownership: the object owns its table. Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace simtrt::check {

/// Path of the file of which `file` is a ported copy; `file` itself for other files. porter's driver keeps the file
/// /a/b.cu as PORTER_CACHE/toolkit/ported/KEY/a/b.cu.
std::string path_of_original(const std::string& file);

struct SourceLine {
  std::string file;
  int line = 0;
  std::string function;
};

/// Lines of return addresses. A line of an inlined function precedes the line of its caller. Lines
/// of the runtime's own headers are left out.
class SourceLines {
 public:
  explicit SourceLines(const std::vector<std::uintptr_t>& addresses);
  const std::vector<SourceLine>& of(std::uintptr_t address) const;

 private:
  std::unordered_map<std::uintptr_t, std::vector<SourceLine>> lines_;
};

}  // namespace simtrt::check
