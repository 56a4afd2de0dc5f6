// simtccl between processes: ranks that stop, are killed, or never come, and what a job leaves behind.
#include "ccl_process.h"

#include <sched.h>
#include <sys/mount.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

constexpr const char* kPeer = "child process: a rank that stops itself after a collective";
constexpr const char* kAlone = "child process: a rank whose peer never joins";
constexpr const char* kJoins = "child process: a rank that joins and waits for the others";
constexpr const char* kMeets = "child process: a rank at whose address the others join";
constexpr const char* kFull = "child process: ranks with a full /dev/shm";
constexpr const char* kFileVariable = "SIMTCCL_TEST_FILE";

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

TEST_CASE("child process: a rank that joins and waits for the others") {
  simtcclUniqueId id;
  if (!id_of_parent(id)) return;
  simtcclComm_t comm = nullptr;
  simtcclCommInitRank(&comm, 3, id, 1);
}

TEST_CASE("child process: a rank at whose address the others join") {
  simtcclUniqueId id;
  const char* file = std::getenv(kFileVariable);
  if (!id_of_parent(id) || file == nullptr) return;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  const std::string partial = std::string(file) + ".partial";
  std::ofstream(partial) << hex_of(id);
  std::filesystem::rename(partial, file);
  simtcclComm_t comm = nullptr;
  simtcclCommInitRank(&comm, 3, id, 1);
}

TEST_CASE("child process: ranks with a full /dev/shm") {
  simtcclUniqueId id;
  if (!id_of_parent(id)) return;
  if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=4096") != 0) {
    MESSAGE("skipped, without the right to mount: ", std::strerror(errno));
    return;
  }
  std::ofstream filler("/dev/shm/filler");
  filler << std::string(4096, 'x') << std::flush;
  REQUIRE(filler.good());
  filler << 'x' << std::flush;
  CHECK_FALSE(filler.good());
  with_ranks(2, [](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<int> values(1 << 20, rank + 1);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1 << 20, simtcclInt, simtcclSum, comm, stream));
    stream.wait();
    CHECK_EQ(values.values().back(), 3);
  });
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

TEST_CASE("a process killed between collectives is an error of the next one") {
  StoppedPeer peer;
  peer.child->send(SIGKILL);
  CHECK_EQ(peer.child->wait(), SIGKILL);
  peer.reduce();
  CHECK_EQ(failure_of(peer.comm), simtcclRemoteError);
  CHECK_EQ(std::string(simtcclGetLastError(peer.comm)), "rank 1 has ended: its process is gone");
  peer.abort();
  CHECK_OK(simtStreamSynchronize(peer.stream));
}

TEST_CASE("a rank that never joins is an error after the time limit") {
  const simtcclUniqueId none{};
  CHECK_EQ(ChildProcess(kAlone, none, "SIMTCCL_INIT_SECONDS=1").wait(), 0);
}

/// Rank 0 of three ranks. The constructor does not wait until the other ranks have joined.
struct Joining {
  explicit Joining(const simtcclUniqueId& id) {
    simtcclConfig_t config = SIMTCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    started = simtcclCommInitRankConfig(&comm, 3, id, 0, &config);
  }
  ~Joining() { simtcclCommAbort(comm); }
  /// Result of the call after a time, or earlier if it has a result.
  simtcclResult_t result_within(int milliseconds) const {
    simtcclResult_t result = started;
    for (int turn = 0; turn < milliseconds && result == simtcclInProgress; ++turn) {
      usleep(1000);
      CHECK_CCL(simtcclCommGetAsyncError(comm, &result));
    }
    return result;
  }

  simtcclComm_t comm = nullptr;
  simtcclResult_t started = simtcclSuccess;
};

TEST_CASE("a process killed while ranks join is an error of the ranks that have joined") {
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  const Joining rank(id);
  // The test cannot know when the child has joined, and gives later children more time.
  simtcclResult_t result = simtcclInProgress;
  for (int milliseconds = 250; milliseconds < 10000 && result == simtcclInProgress; milliseconds *= 2) {
    ChildProcess child(kJoins, id);
    CHECK_EQ(rank.result_within(milliseconds), simtcclInProgress);
    child.send(SIGKILL);
    CHECK_EQ(child.wait(), SIGKILL);
    result = rank.result_within(500);
  }
  CHECK_EQ(result, simtcclRemoteError);
  CHECK_EQ(std::string(simtcclGetLastError(rank.comm)), "rank 1 ended before all ranks had joined");
}

TEST_CASE("the end of the process where ranks join is an error of the ranks that have joined") {
  const auto file = std::filesystem::temp_directory_path() / ("simtccl_id_" + std::to_string(getpid()));
  const std::string setting = std::string(kFileVariable) + "=" + file.string();
  ChildProcess child(kMeets, simtcclUniqueId{}, setting.c_str());
  for (int turn = 0; turn < 1000 && !std::filesystem::exists(file); ++turn) usleep(10000);
  std::string text;
  std::getline(std::ifstream(file), text);
  std::filesystem::remove(file);
  const Joining rank(id_of_hex(text));
  CHECK_EQ(rank.result_within(100), simtcclInProgress);
  child.send(SIGKILL);
  const simtcclResult_t result = rank.result_within(10000);
  CHECK_MESSAGE((result == simtcclRemoteError || result == simtcclSystemError), result);
  CHECK_NE(std::string(simtcclGetLastError(rank.comm)), "");
}

TEST_CASE("a full /dev/shm does not concern communicators") {
  CHECK_EQ(ChildProcess(kFull, simtcclUniqueId{}).wait(), 0);
}

}  // namespace
