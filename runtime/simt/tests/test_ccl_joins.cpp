// simtccl: ranks that fail while the ranks of a communicator connect to each other.
#include "ccl_process.h"

#include <sys/resource.h>

#include <chrono>
#include <string>

namespace {

constexpr const char* kJoins = "child process: a rank without file descriptors for the connections between ranks";
constexpr const char* kSplits = "child process: a rank without file descriptors for the communicator of a split";

/// The process can open no file descriptor of this number or above it.
void limit_descriptors(int number) {
  const rlimit limit{static_cast<rlim_t>(number), static_cast<rlim_t>(number)};
  REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/// Limits the process to `more` further file descriptors.
void allow_descriptors(int more) {
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE_GE(next, 0);
  close(next);
  limit_descriptors(next + more);
}

TEST_CASE("child process: a rank without file descriptors for the connections between ranks") {
  simtcclUniqueId id;
  if (!id_of_parent(id)) return;
  // For the meeting: a connection, and two sockets for other ranks.
  allow_descriptors(3);
  simtcclComm_t comm = nullptr;
  if (simtcclCommInitRank(&comm, 2, id, 1) == simtcclSystemError) raise(SIGSTOP);
  _exit(1);
}

TEST_CASE("a rank that cannot connect to the other ranks is an error of each rank at once") {
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  ChildProcess child(kJoins, id);
  const auto start = std::chrono::steady_clock::now();
  simtcclComm_t comm = nullptr;
  CHECK_EQ(simtcclCommInitRank(&comm, 2, id, 0), simtcclRemoteError);
  CHECK_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  CHECK_EQ(std::string(simtcclGetLastError(nullptr)), "rank 1 ended before all ranks had joined");
  child.wait_until_stopped();
}

TEST_CASE("child process: a rank without file descriptors for the communicator of a split") {
  simtcclUniqueId id;
  if (!id_of_parent(id)) return;
  simtcclComm_t comm = nullptr;
  REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, 1));
  // The lowest free one may be below a descriptor that a thread of the communicator is about to close.
  limit_descriptors(STDERR_FILENO + 1);
  simtcclComm_t half = nullptr;
  _exit(simtcclCommSplit(comm, 0, 1, &half, nullptr) == simtcclSystemError ? 0 : 1);
}

TEST_CASE("a process that ends before it joins the communicator of a split is an error of the other rank") {
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  ChildProcess child(kSplits, id);
  simtcclComm_t comm = nullptr;
  REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, 0));
  const auto start = std::chrono::steady_clock::now();
  simtcclComm_t half = nullptr;
  CHECK_EQ(simtcclCommSplit(comm, 0, 0, &half, nullptr), simtcclRemoteError);
  CHECK_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  CHECK_EQ(std::string(simtcclGetLastError(nullptr)),
           "rank 1 of the communicator that is split has ended: its process is gone");
  CHECK_EQ(child.wait(), 0);
  CHECK_CCL(simtcclCommAbort(comm));
}

}  // namespace
