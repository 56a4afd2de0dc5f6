// simtccl: ranks that end, abort, stop, or call something else. No rank may wait for ever.
#include "ccl_test.h"

#include <future>
#include <string>

namespace {

__global__ void write_nowhere(int* nowhere) { *nowhere = 1; }

TEST_CASE("ranks that call different operations fail, with the reason") {
  with_ranks(
      2,
      [](int rank, simtcclComm_t comm) {
        const OwnStream stream;
        const RankArray<float> values(16);
        const std::size_t count = rank == 0 ? 8 : 16;
        REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), count, simtcclFloat, simtcclSum, comm, stream));
        CHECK_EQ(failure_of(comm), simtcclInvalidUsage);
        const std::string reason = simtcclGetLastError(comm);
        CHECK_NE(reason.find("all_reduce (collective 1) of 8 float32, sum"), std::string::npos);
        CHECK_NE(reason.find("all_reduce (collective 1) of 16 float32, sum"), std::string::npos);
        CHECK_EQ(simtcclAllReduce(values.data(), values.data(), 8, simtcclFloat, simtcclSum, comm, stream), simtcclInvalidUsage);
        CHECK_CCL(simtcclCommAbort(comm));
        CHECK_OK(simtStreamSynchronize(stream));
      },
      /*owns=*/true);
}

TEST_CASE("a rank that aborts or leaves ends the others' wait") {
  for (const bool aborts : {false, true}) {
    with_ranks(
        2,
        [&](int rank, simtcclComm_t comm) {
          if (rank == 1) {
            CHECK_CCL(aborts ? simtcclCommAbort(comm) : simtcclCommDestroy(comm));
            return;
          }
          const OwnStream stream;
          const RankArray<float> values(1);
          const simtcclResult_t called = simtcclAllReduce(values.data(), values.data(), 1, simtcclFloat, simtcclSum, comm, stream);
          REQUIRE(is_started_or_remote_error(called));
          CHECK_EQ(failure_of(comm), simtcclRemoteError);
          const std::string reason = simtcclGetLastError(comm);
          CHECK_EQ(reason, aborts ? "rank 1 has aborted its communicator" : "rank 1 has destroyed its communicator");
          CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
          CHECK_CCL(simtcclCommAbort(comm));
          CHECK_OK(simtStreamSynchronize(stream));
        },
        /*owns=*/true);
  }
}

TEST_CASE("an abort ends the wait for a rank that never calls, and for one that never joins") {
  std::promise<void> ended;
  with_ranks(
      2,
      [&](int rank, simtcclComm_t comm) {
        const OwnStream stream;
        const RankArray<float> values(1);
        if (rank == 1) {
          ended.get_future().wait();
        } else {
          REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1, simtcclFloat, simtcclSum, comm, stream));
          usleep(100000);
          CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
        }
        CHECK_CCL(simtcclCommAbort(comm));
        if (rank == 0) ended.set_value();
        CHECK_OK(simtStreamSynchronize(stream));
      },
      /*owns=*/true);
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  simtcclConfig_t config = SIMTCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  simtcclComm_t comm = nullptr;
  CHECK_EQ(simtcclCommInitRankConfig(&comm, 2, id, 0, &config), simtcclInProgress);
  CHECK_CCL(simtcclCommAbort(comm));
}

TEST_CASE("ranks that disagree about their number, and a rank that joins twice, get an error") {
  for (const bool twice : {false, true}) {
    simtcclUniqueId id;
    REQUIRE_CCL(simtcclGetUniqueId(&id));
    std::vector<std::thread> threads;
    for (int each = 0; each < 2; ++each) {
      threads.emplace_back([=] {
        simtcclComm_t comm = nullptr;
        CHECK_EQ(simtcclCommInitRank(&comm, twice ? 2 : 2 + each, id, twice ? 0 : each), simtcclInvalidUsage);
        CHECK_EQ(comm, nullptr);
        const std::string reason = simtcclGetLastError(nullptr);
        CHECK_NE(reason.find(twice ? "two processes join as rank 0" : "expects 3"), std::string::npos);
      });
    }
    for (auto& thread : threads) thread.join();
  }
}

TEST_CASE("a fault of a rank's device ends the others' wait") {
  int devices = 0;
  REQUIRE_OK(simtGetDeviceCount(&devices));
  if (devices < 2) return;  // the fault must not concern the other rank's device
  simtcclComm_t comms[2];
  REQUIRE_CCL(simtcclCommInitAll(comms, 2, nullptr));
  REQUIRE_OK(simtSetDevice(1));
  const OwnStream stream;
  REQUIRE_OK(simtSetDevice(0));
  const RankArray<float> values(1);
  Gate gate;
  REQUIRE_OK(simtSetDevice(1));
  gate.hold(stream);
  REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1, simtcclFloat, simtcclSum, comms[1], stream));
  SIMT_LAUNCH((write_nowhere), (1), (1), (0), (0), static_cast<int*>(nullptr));
  CHECK_NE(simtStreamSynchronize(nullptr), simtSuccess);
  gate.open();
  REQUIRE_OK(simtSetDevice(0));
  REQUIRE(is_started_or_remote_error(
      simtcclAllReduce(values.data(), values.data(), 1, simtcclFloat, simtcclSum, comms[0], nullptr)));
  CHECK_EQ(failure_of(comms[0]), simtcclRemoteError);
  CHECK_EQ(std::string(simtcclGetLastError(comms[0])), "a kernel has failed on the device of rank 1");
  for (simtcclComm_t comm : comms) CHECK_CCL(simtcclCommAbort(comm));
  REQUIRE_OK(simtSetDevice(1));
  REQUIRE_OK(simtDeviceReset());
  REQUIRE_OK(simtSetDevice(0));
}

}  // namespace
