// Sources: memfd_create(2); proc_pid_fd(5).
#include "process/shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace simtrt {

int make_shared_file(const char* name, std::uint64_t bytes) {
  const int made = memfd_create(name, MFD_CLOEXEC);
  if (made < 0) return -1;
  if (ftruncate(made, static_cast<off_t>(bytes)) == 0) return made;
  close(made);
  return -1;
}

FileAddress address_of_file(int descriptor) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return {};
  return {getpid(), descriptor, file.st_ino, file.st_dev};
}

int open_shared_file(const FileAddress& address) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/fd/%d", address.process, address.descriptor);
  // O_NONBLOCK: the number may belong to a pipe by now.
  const int opened = open(path.data(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) return -1;
  if (address_of_file(opened).same_file(address)) return opened;
  close(opened);
  return -1;
}

std::uint64_t size_of_file(int descriptor) {
  struct stat file {};
  return fstat(descriptor, &file) == 0 ? static_cast<std::uint64_t>(file.st_size) : 0;
}

}  // namespace simtrt
