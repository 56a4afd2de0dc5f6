// Ranks in other processes, for the tests of simtccl: the test program runs itself again with one case.
#pragma once

#include "ccl_test.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern char** environ;

constexpr const char* kIdVariable = "SIMTCCL_TEST_ID";

inline std::string hex_of(const simtcclUniqueId& id) {
  std::string text;
  for (const char byte : id.internal) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

/// Inverse of hex_of().
inline simtcclUniqueId id_of_hex(const std::string& text) {
  simtcclUniqueId id{};
  REQUIRE_EQ(text.size(), 2 * sizeof id.internal);
  for (std::size_t i = 0; i < sizeof id.internal; ++i)
    id.internal[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  return id;
}

/// Id that a ChildProcess got from its parent; false in the parent, where the child's case does nothing.
inline bool id_of_parent(simtcclUniqueId& id) {
  const char* text = std::getenv(kIdVariable);
  if (text == nullptr) return false;
  id = id_of_hex(text);
  return true;
}

/// Process that runs one case of the test program. The destructor kills it.
class ChildProcess {
 public:
  ChildProcess(const char* test_case, const simtcclUniqueId& id, const char* setting = nullptr) {
    std::string filter = std::string("--test-case=") + test_case;
    std::string program = "simt_tests", minimal = "--minimal";
    char* arguments[] = {program.data(), filter.data(), minimal.data(), nullptr};
    std::string own = std::string(kIdVariable) + "=" + hex_of(id);
    std::string more = setting == nullptr ? "SIMTCCL_TEST=1" : setting;
    std::vector<char*> variables{own.data(), more.data()};
    for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
    variables.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    REQUIRE_EQ(posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments, variables.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    if (!ended_) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  void send(int signal) const { REQUIRE_EQ(kill(pid_, signal), 0); }
  /// Waits until the process has stopped itself.
  void wait_until_stopped() {
    int status = 0;
    REQUIRE_EQ(waitpid(pid_, &status, WUNTRACED), pid_);
    ended_ = !WIFSTOPPED(status);
    REQUIRE(WIFSTOPPED(status));
  }
  /// Waits for the end; the number of the signal that ended the process, or its exit status.
  int wait() {
    int status = 0;
    REQUIRE_EQ(waitpid(pid_, &status, 0), pid_);
    ended_ = true;
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_ = 0;
  bool ended_ = false;
};
