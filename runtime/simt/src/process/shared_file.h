// Files without a name (memfd) whose descriptor another process of the user opens by its number.
//
// Ownership: the caller owns each descriptor. The kernel frees the file when the last descriptor
// and the last mapping are gone, also when their processes are killed.
// Threads: any thread. There is no shared state.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace simtrt {

/// Descriptor of a process. The file's identity distinguishes it from a later file with the same
/// number, and from a file of a later process with the same number.
struct FileAddress {
  std::int32_t process = 0;
  std::int32_t descriptor = -1;
  std::uint64_t inode = 0;
  std::uint64_t filesystem = 0;

  bool same_file(const FileAddress& other) const {
    return inode == other.inode && filesystem == other.filesystem;
  }
};

/// Makes a zeroed file of `bytes` bytes; returns its descriptor, or -1.
int make_shared_file(const char* name, std::uint64_t bytes);
/// Address of an open descriptor of this process; the descriptor of the result is -1 on failure.
FileAddress address_of_file(int descriptor);
/// Opens the file in this process. Returns -1 if the process has ended, has closed the descriptor,
/// or belongs to another user.
int open_shared_file(const FileAddress& address);
/// Size of an open file in bytes; 0 on failure.
std::uint64_t size_of_file(int descriptor);

}  // namespace simtrt
