// simtccl: ranks that are killed while they leave, and jobs of which all processes are killed.
#include "ccl_process.h"

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace {

constexpr const char* kLeaves = "child process: a rank that stops while it leaves";
constexpr const char* kMember = "child process: a rank that reduces until it is killed";
constexpr const char* kRankVariable = "SIMTCCL_TEST_RANK";

/// More bytes than the channel between two ranks takes: a send waits for the receiver.
constexpr std::size_t kLarge = 64 * SIMTCCL_BLOCK_BYTES;

TEST_CASE("child process: a rank that stops while it leaves") {
  simtcclUniqueId id;
  if (!id_of_parent(id)) return;
  simtcclComm_t comm = nullptr;
  REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, 1));
  const OwnStream stream;
  const DeviceArray<char> values(kLarge);
  REQUIRE_CCL(simtcclSend(values.data(), kLarge, simtcclInt8, 0, comm, stream));
  std::thread([] {
    usleep(200000);
    kill(getpid(), SIGSTOP);
  }).detach();
  simtcclCommDestroy(comm);
  _exit(1);  // rank 0 receives only while this process is stopped
}

TEST_CASE("a process killed while it leaves is an error of a rank that leaves too") {
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  ChildProcess child(kLeaves, id);
  simtcclComm_t comm = nullptr;
  REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, 0));
  child.wait_until_stopped();
  const OwnStream stream;
  const DeviceArray<char> values(kLarge);
  REQUIRE_CCL(simtcclRecv(values.data(), kLarge, simtcclInt8, 1, comm, stream));
  child.send(SIGKILL);
  CHECK_EQ(child.wait(), SIGKILL);
  const auto start = std::chrono::steady_clock::now();
  CHECK_EQ(simtcclCommFinalize(comm), simtcclRemoteError);
  CHECK_EQ(simtcclCommDestroy(comm), simtcclRemoteError);
  CHECK_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  CHECK_EQ(std::string(simtcclGetLastError(comm)), "rank 1 has ended: its process is gone");
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  CHECK_CCL(simtcclCommAbort(comm));
  CHECK_OK(simtStreamSynchronize(stream));
}

TEST_CASE("child process: a rank that reduces until it is killed") {
  simtcclUniqueId id;
  const char* rank = std::getenv(kRankVariable);
  if (!id_of_parent(id) || rank == nullptr) return;
  simtcclComm_t comm = nullptr;
  REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, std::atoi(rank)));
  const OwnStream stream;
  const DeviceArray<int> values(1 << 20, 1);
  for (bool first = true;; first = false) {
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1 << 20, simtcclInt, simtcclSum, comm, stream));
    REQUIRE_OK(simtStreamSynchronize(stream));
    if (first) raise(SIGSTOP);
  }
}

/// Sockets of a job in Linux's abstract namespace. Their names contain the id's random number: 16 bytes after a mark of 8.
int sockets_of(const simtcclUniqueId& id) {
  const std::string name = "simtccl-" + hex_of(id).substr(16, 32);
  std::ifstream table("/proc/net/unix");
  int count = 0;
  for (std::string line; std::getline(table, line);) count += line.find(name) != std::string::npos ? 1 : 0;
  return count;
}

TEST_CASE("a job of which all processes are killed leaves nothing behind, and later jobs do not meet it") {
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  CHECK_EQ(sockets_of(id), 1);
  {
    ChildProcess first(kMember, id, "SIMTCCL_TEST_RANK=0"), second(kMember, id, "SIMTCCL_TEST_RANK=1");
    for (ChildProcess* child : {&first, &second}) child->wait_until_stopped();
    for (ChildProcess* child : {&first, &second}) child->send(SIGCONT);
    usleep(100000);
    for (ChildProcess* child : {&first, &second}) child->send(SIGKILL);
    for (ChildProcess* child : {&first, &second}) CHECK_EQ(child->wait(), SIGKILL);
  }
  CHECK_EQ(sockets_of(id), 0);
  for (int rank = 0; rank < 2; ++rank) {
    simtcclComm_t comm = nullptr;
    CHECK_EQ(simtcclCommInitRank(&comm, 2, id, rank), simtcclRemoteError);
    const std::string reason = simtcclGetLastError(nullptr);
    CHECK_MESSAGE(reason.find("no process listens for this id") == 0, reason);
  }
  with_ranks(2, [](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<int> values(4, rank + 1);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 4, simtcclInt, simtcclSum, comm, stream));
    stream.wait();
    CHECK_EQ(values.values()[3], 3);
  });
}

}  // namespace
