// Owner of a file descriptor, and errors of system calls.
#pragma once

#include "ccl/errors.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace simtrt::ccl {

/// File descriptor that is closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// Throws Failure (simtcclSystemError) with the text of errno.
[[noreturn]] inline void system_error(const std::string& call) {
  throw Failure(simtcclSystemError, call + ": " + std::strerror(errno));
}

}  // namespace simtrt::ccl
