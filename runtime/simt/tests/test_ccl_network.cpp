// simtccl between machines: results, failures, and the selection of a network interface.
#include "ccl_hosts.h"

#include <chrono>
#include <random>

namespace {

constexpr const char* kPeer = "child process: a rank of another machine that stops itself after a collective";

/// A short limit, so that the cases of broken networks are short. Read at the first communicator between machines.
const int short_limit = setenv("SIMTCCL_NET_SECONDS", "3", 1);

const std::vector<int> kPairs{0, 0, 1, 1};
const std::vector<int> kAlternating{0, 1, 0, 1};

std::vector<float> random_values(int rank, std::size_t count) {
  std::mt19937 engine(static_cast<unsigned>(rank));
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<float> made(count);
  for (float& each : made) each = value(engine);
  return made;
}

/// Sends to the next rank of a ring and receives from the one before.
void pass_on(const float* send, float* receive, std::size_t count, int rank, int ranks, simtcclComm_t comm,
             simtStream_t stream) {
  REQUIRE_CCL(simtcclGroupStart());
  REQUIRE_CCL(simtcclSend(send, count, simtcclFloat, (rank + 1) % ranks, comm, stream));
  REQUIRE_CCL(simtcclRecv(receive, count, simtcclFloat, (rank + ranks - 1) % ranks, comm, stream));
  REQUIRE_CCL(simtcclGroupEnd());
}

/// Results of every operation with `count` floats, on one rank of four.
std::vector<float> results(int rank, simtcclComm_t comm, std::size_t count) {
  const OwnStream stream;
  const RankArray<float> send(random_values(rank, 4 * count));
  std::vector<float> all;
  const auto run = [&](auto operation) {
    const RankArray<float> receive(std::vector<float>(4 * count, -2.0f));
    operation(send.data(), receive.data());
    stream.wait();
    const auto values = receive.values();
    all.insert(all.end(), values.begin(), values.end());
  };
  run([&](float* from, float* to) {
    REQUIRE_CCL(simtcclAllReduce(from, to, count, simtcclFloat, simtcclSum, comm, stream));
  });
  run([&](float* from, float* to) {
    REQUIRE_CCL(simtcclAllReduce(from, to, count, simtcclFloat, simtcclAvg, comm, stream));
  });
  run([&](float* from, float* to) {
    REQUIRE_CCL(simtcclReduce(from, to, count, simtcclFloat, simtcclProd, 2, comm, stream));
  });
  run([&](float* from, float* to) {
    REQUIRE_CCL(simtcclBroadcast(from, to, count, simtcclFloat, 3, comm, stream));
  });
  run([&](float* from, float* to) {
    REQUIRE_CCL(simtcclAllGather(from, to, count, simtcclFloat, comm, stream));
  });
  run([&](float* from, float* to) {
    REQUIRE_CCL(simtcclReduceScatter(from, to, count, simtcclFloat, simtcclSum, comm, stream));
  });
  run([&](float* from, float* to) { pass_on(from, to, count, rank, 4, comm, stream); });
  return all;
}

using Results = std::vector<std::vector<float>>;

bool equal_bits(const Results& a, const Results& b) {
  for (std::size_t rank = 0; rank < 4; ++rank) {
    if (a[rank].size() != b[rank].size()) return false;
    if (std::memcmp(a[rank].data(), b[rank].data(), a[rank].size() * sizeof(float)) != 0) return false;
  }
  return true;
}

TEST_CASE("ranks of two machines get the bits of ranks of one machine, and leave no socket") {
  const TwoHosts hosts;
  if (!hosts) return;
  for (const std::size_t count : {std::size_t{1}, std::size_t{1001}, std::size_t{300001}}) {
    Results expected(4);
    with_ranks(4, [&](int rank, simtcclComm_t comm) {
      expected[static_cast<std::size_t>(rank)] = results(rank, comm, count);
    });
    for (const auto& placed : {kPairs, kAlternating}) {
      Results found(4);
      with_ranks_on(hosts, placed, [&](int rank, simtcclComm_t comm) {
        if (rank == 0) CHECK_GE(hosts.sockets(0, {"01"}), 2);  // established
        found[static_cast<std::size_t>(rank)] = results(rank, comm, count);
        CHECK_CCL(simtcclCommDestroy(comm));
      });
      CHECK(equal_bits(found, expected));
    }
  }
  for (const int host : {0, 1}) CHECK_EQ(hosts.sockets(host, {"01", "0A"}), 0);  // established, listening
}

TEST_CASE("a communicator of two machines splits into communicators of both") {
  const TwoHosts hosts;
  if (!hosts) return;
  with_ranks_on(hosts, kPairs, [](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    simtcclComm_t half = nullptr;
    REQUIRE_CCL(simtcclCommSplit(comm, rank % 2, -rank, &half, nullptr));
    const RankArray<int> values(70000, rank + 1);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 70000, simtcclInt, simtcclSum, half, stream));
    stream.wait();
    CHECK_EQ(values.values()[69999], rank % 2 == 0 ? 4 : 6);
    CHECK_CCL(simtcclCommDestroy(half));
    CHECK_CCL(simtcclCommDestroy(comm));
  });
}

TEST_CASE("data sent before a rank leaves arrives on another machine") {
  const TwoHosts hosts;
  if (!hosts) return;
  with_ranks_on(hosts, {0, 1}, [](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    constexpr std::size_t kCount = 4 * SIMTCCL_BLOCK_BYTES / sizeof(float);  // what the channel takes
    const RankArray<float> values(random_values(0, kCount));
    const RankArray<float> received(kCount);
    if (rank == 0) REQUIRE_CCL(simtcclSend(values.data(), kCount, simtcclFloat, 1, comm, stream));
    if (rank == 1) {
      usleep(300000);
      REQUIRE_CCL(simtcclRecv(received.data(), kCount, simtcclFloat, 0, comm, stream));
      stream.wait();
      CHECK(received.values() == values.values());
    }
    CHECK_CCL(simtcclCommDestroy(comm));
  });
}

TEST_CASE("ranks of two machines that call different operations fail, each with the reason") {
  const TwoHosts hosts;
  if (!hosts) return;
  with_ranks_on(hosts, kPairs, [](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<float> values(16);
    const std::size_t count = rank == 2 ? 8 : 16;
    const auto called =
        simtcclAllReduce(values.data(), values.data(), count, simtcclFloat, simtcclSum, comm, stream);
    CHECK((called == simtcclSuccess || called == simtcclInvalidUsage));
    CHECK_EQ(failure_of(comm), simtcclInvalidUsage);
    const std::string reason = simtcclGetLastError(comm);
    CHECK_MESSAGE(reason.find("of 8 float32, sum") != std::string::npos, reason);
    CHECK_CCL(simtcclCommAbort(comm));
    CHECK_OK(simtStreamSynchronize(stream));
  });
}

TEST_CASE("a network that goes down is an error of each rank within the time limit") {
  const TwoHosts hosts;
  if (!hosts) return;
  const auto start = std::chrono::steady_clock::now();
  std::atomic<int> ready{0};
  with_ranks_on(hosts, kPairs, [&](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<float> values(random_values(rank, 100000));
    const auto reduce = [&] {
      return simtcclAllReduce(values.data(), values.data(), 100000, simtcclFloat, simtcclSum, comm, stream);
    };
    REQUIRE_CCL(reduce());
    stream.wait();
    ++ready;
    while (ready < 4) usleep(1000);
    if (rank == 0) {
      hosts.cut();
      ++ready;
    }
    while (ready < 5) usleep(1000);
    REQUIRE(is_started_or_remote_error(reduce()));
    CHECK_EQ(failure_of(comm), simtcclRemoteError);
    const std::string reason = simtcclGetLastError(comm);
    CHECK_MESSAGE(reason.find("has not answered for 3 s (SIMTCCL_NET_SECONDS)") != std::string::npos, reason);
    CHECK_CCL(simtcclCommAbort(comm));
    CHECK_OK(simtStreamSynchronize(stream));
  });
  CHECK_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  for (const int host : {0, 1}) CHECK_EQ(hosts.sockets(host, {"0A"}), 0);
}

TEST_CASE("child process: a rank of another machine that stops itself after a collective") {
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

/// Runs a case as rank 0 on one machine, with a stopped process as rank 1 on the other machine.
void with_stopped_peer(const std::function<void(ChildProcess&, simtcclComm_t&, simtStream_t)>& body) {
  const TwoHosts hosts;
  if (!hosts) return;
  const simtcclUniqueId id = id_of(hosts, 0);
  std::unique_ptr<ChildProcess> child;
  hosts.on(1, [&] { child = std::make_unique<ChildProcess>(kPeer, id); });
  hosts.on(0, [&] {
    simtcclComm_t comm = nullptr;
    REQUIRE_CCL(simtcclCommInitRank(&comm, 2, id, 0));
    const OwnStream stream;
    const DeviceArray<int> values{8, 1};
    const auto reduce = [&] {
      REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 8, simtcclInt, simtcclSum, comm, stream));
    };
    reduce();
    REQUIRE_OK(simtStreamSynchronize(stream));
    CHECK_EQ(values.values()[7], 3);
    child->wait_until_stopped();
    reduce();
    body(*child, comm, stream);
    simtcclCommAbort(comm);
    CHECK_OK(simtStreamSynchronize(stream));
  });
  for (const int host : {0, 1}) CHECK_EQ(hosts.sockets(host, {"01", "0A"}), 0);
}

TEST_CASE("a process killed on another machine ends the wait for it") {
  with_stopped_peer([](ChildProcess& child, simtcclComm_t& comm, simtStream_t) {
    child.send(SIGKILL);
    CHECK_EQ(child.wait(), SIGKILL);
    CHECK_EQ(failure_of(comm), simtcclRemoteError);
    const std::string reason = simtcclGetLastError(comm);
    CHECK_MESSAGE(reason.find("rank 1 has ended") == 0, reason);
  });
}

TEST_CASE("an abort ends the wait for a process stopped on another machine, which learns about the abort") {
  with_stopped_peer([](ChildProcess& child, simtcclComm_t& comm, simtStream_t stream) {
    usleep(4000000);  // longer than SIMTCCL_NET_SECONDS: a stopped process is no failure of the network
    CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
    CHECK_CCL(simtcclCommAbort(std::exchange(comm, nullptr)));
    child.send(SIGCONT);
    CHECK_EQ(child.wait(), 0);
  });
}

/// IPv4 address of a unique id, which follows the mark (8 bytes), the random number (16) and the port.
std::string address_in(const simtcclUniqueId& id) {
  std::string text;
  for (int i = 28; i < 32; ++i)
    text += (text.empty() ? "" : ".") + std::to_string(static_cast<unsigned char>(id.internal[i]));
  return text;
}

TEST_CASE("SIMTCCL_SOCKET_IFNAME selects the address of a unique id") {
  const TwoHosts hosts;
  if (!hosts) return;
  const struct {
    const char* list;
    const char* address;
  } cases[] = {{"", "10.77.0.1"},    {"simt", "10.77.0.1"}, {"=simt0", "10.77.0.1"},
               {"=lo", "127.0.0.1"}, {"^lo", "10.77.0.1"},  {"^simt", "127.0.0.1"},
               {"eth,lo", "127.0.0.1"}};
  for (const auto& each : cases) {
    setenv("SIMTCCL_SOCKET_IFNAME", each.list, 1);
    CHECK_MESSAGE(address_in(id_of(hosts, 0)) == each.address, each.list);
  }
  setenv("SIMTCCL_SOCKET_IFNAME", "=simt", 1);
  simtcclUniqueId id;
  hosts.on(0, [&] { CHECK_EQ(simtcclGetUniqueId(&id), simtcclSystemError); });
  CHECK_EQ(std::string(simtcclGetLastError(nullptr)),
           "no network interface with an address matches SIMTCCL_SOCKET_IFNAME==simt");
  unsetenv("SIMTCCL_SOCKET_IFNAME");
}

TEST_CASE("an id of a machine that cannot be reached is an error with the address") {
  const TwoHosts hosts;
  if (!hosts) return;
  setenv("SIMTCCL_SOCKET_IFNAME", "=lo", 1);
  const simtcclUniqueId id = id_of(hosts, 0);
  unsetenv("SIMTCCL_SOCKET_IFNAME");
  hosts.on(1, [&] {
    simtcclComm_t comm = nullptr;
    CHECK_EQ(simtcclCommInitRank(&comm, 2, id, 1), simtcclRemoteError);
  });
  const std::string reason = simtcclGetLastError(nullptr);
  CHECK_MESSAGE(reason.find("no connection to 127.0.0.1:") != std::string::npos, reason);
}

}  // namespace
