// Compilation of a CUDA source to a shared library by `simtcc`.
//
// Ownership: the caller owns all texts. Threads: any thread; two processes may compile the same
// program at the same time. Memory ordering: none.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace simtrt::rtc {

struct Source {
  std::string text;
  std::string name;
  std::vector<std::pair<std::string, std::string>> headers;  ///< name and text
};

/// First line of an image; the path of the library follows.
inline constexpr const char* kImage = "// simt image ";

/// Compiles the source with these options of the driver. Returns the path of the library, or an
/// empty text after an error. `*log` receives the compiler's messages.
std::string compile(const Source& source, const std::vector<std::string>& options,
                    std::string* log);

/// Path of the library that an image names; empty for other data.
std::string library_of(const void* image);

}  // namespace simtrt::rtc
