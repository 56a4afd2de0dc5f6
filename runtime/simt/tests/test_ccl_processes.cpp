// simtccl between processes: ranks that stop, are killed, or never come, and what a job leaves behind.
#include "ccl_process.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace {

constexpr const char* kPeer = "child process: a rank that stops itself after a collective";
constexpr const char* kAlone = "child process: a rank whose peer never joins";

int open_files() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    (void)entry;
    ++count;
  }
  return count;
}

/// Mapped segments of communicators in this process.
int mapped_segments() {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/memfd:simtccl (") != std::string::npos) ++count;
  }
  return count;
}

/// Waits until a count is not above a value, for ten seconds at most: threads of the library end after
/// its calls.
bool falls_to(int (*count)(), int value) {
  for (int turn = 0; turn < 1000 && count() > value; ++turn) usleep(10000);
  return count() <= value;
}

/// Communicator of this process as rank 0, with a stopped child process as rank 1.
struct StoppedPeer {
  StoppedPeer() {
    REQUIRE_CCL(simtcclGetUniqueId(&id));
    child = std::make_unique<ChildProcess>(kPeer, id);
    REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, 0));
    reduce();
    REQUIRE_OK(simtStreamSynchronize(stream));
    CHECK_EQ(values.values()[7], 3);
    child->wait_until_stopped();
  }
  ~StoppedPeer() { simtcclCommAbort(comm); }
  void reduce() {
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 8, simtcclInt, simtcclSum, comm, stream));
  }
  void abort() { CHECK_CCL(simtcclCommAbort(std::exchange(comm, nullptr))); }

  simtcclUniqueId id;
  std::unique_ptr<ChildProcess> child;
  simtcclComm_t comm = nullptr;
  const OwnStream stream;
  const DeviceArray<int> values{8, 1};
};

TEST_CASE("child process: a rank that stops itself after a collective") {
  simtcclUniqueId id;
  if (!id_of_parent(id)) return;
  simtcclComm_t comm = nullptr;
  REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, 1));
  const OwnStream stream;
  const DeviceArray<int> values{8, 2};
  const auto reduce = [&] {
    return simtcclAllReduce(values.data(), values.data(), 8, simtcclInt, simtcclSum, comm, stream);
  };
  REQUIRE_CCL(reduce());
  REQUIRE_OK(simtStreamSynchronize(stream));
  raise(SIGSTOP);
  REQUIRE(is_started_or_remote_error(reduce()));
  CHECK_EQ(failure_of(comm), simtcclRemoteError);
  CHECK_EQ(std::string(simtcclGetLastError(comm)), "rank 0 has aborted its communicator");
  CHECK_CCL(simtcclCommAbort(comm));
}

TEST_CASE("child process: a rank whose peer never joins") {
  simtcclUniqueId id;
  if (!id_of_parent(id)) return;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  simtcclComm_t comm = nullptr;
  CHECK_EQ(simtcclCommInitRank(&comm, 2, id, 0), simtcclSystemError);
  const std::string reason = simtcclGetLastError(nullptr);
  CHECK_EQ(reason, "after 1 s (SIMTCCL_INIT_SECONDS), 2 ranks were expected, and these had not joined: 1");
}

TEST_CASE("an abort ends the wait for a stopped process, which learns about the abort") {
  StoppedPeer peer;
  peer.reduce();
  usleep(100000);
  CHECK_EQ(simtStreamQuery(peer.stream), simtErrorNotReady);
  peer.abort();
  CHECK_OK(simtStreamSynchronize(peer.stream));
  peer.child->send(SIGCONT);
  CHECK_EQ(peer.child->wait(), 0);
}

TEST_CASE("a process killed during a collective ends the wait for it, and leaves nothing behind") {
  { const StoppedPeer first; }  // the runtime opens its own files
  REQUIRE(falls_to(mapped_segments, 0));
  const int files = open_files();
  {
    StoppedPeer peer;
    CHECK_EQ(mapped_segments(), 1);
    peer.reduce();
    peer.child->send(SIGKILL);
    CHECK_EQ(peer.child->wait(), SIGKILL);
    CHECK_EQ(failure_of(peer.comm), simtcclRemoteError);
    CHECK_EQ(std::string(simtcclGetLastError(peer.comm)), "rank 1 has ended: its process is gone");
    peer.abort();
    CHECK_OK(simtStreamSynchronize(peer.stream));
  }
  CHECK(falls_to(mapped_segments, 0));
  CHECK(falls_to(open_files, files));
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
    CHECK_EQ(entry.path().filename().string().find("simtccl"), std::string::npos);
}

TEST_CASE("a rank that never joins is an error after the time limit") {
  const simtcclUniqueId none{};
  CHECK_EQ(ChildProcess(kAlone, none, "SIMTCCL_INIT_SECONDS=1").wait(), 0);
}

}  // namespace
