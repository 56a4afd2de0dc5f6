// simtccl: ranks that end, abort, stop, or call something else. No rank may wait for ever.
#include "ccl_test.h"

#include <sys/resource.h>

#include <csignal>
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

TEST_CASE("ranks that disagree about the type, the reduction, the root, the kind or a count of 0 fail") {
  const RankArray<double> values(16);
  double* const data = values.data();
  using Call = simtcclResult_t (*)(double*, simtcclComm_t, simtStream_t);
  const Call sum = [](double* data, simtcclComm_t comm, simtStream_t stream) {
    return simtcclAllReduce(data, data, 8, simtcclFloat, simtcclSum, comm, stream);
  };
  const Call root = [](double* data, simtcclComm_t comm, simtStream_t stream) {
    return simtcclBcast(data, 8, simtcclFloat, 0, comm, stream);
  };
  const Call reduce = [](double* data, simtcclComm_t comm, simtStream_t stream) {
    return simtcclReduce(data, data, 8, simtcclFloat, simtcclSum, 0, comm, stream);
  };
  struct {
    Call first, second;
    const char* reason;
  } const cases[] = {
      {sum, [](double* data, simtcclComm_t comm, simtStream_t stream) {
         return simtcclAllReduce(data, data, 8, simtcclDouble, simtcclSum, comm, stream);
       }, "8 float64, sum"},
      {sum, [](double* data, simtcclComm_t comm, simtStream_t stream) {
         return simtcclAllReduce(data, data, 8, simtcclFloat, simtcclMax, comm, stream);
       }, "8 float32, max"},
      {sum, root, "broadcast (collective 1) of 8 float32, root 0"},
      {root, [](double* data, simtcclComm_t comm, simtStream_t stream) {
         return simtcclBcast(data, 8, simtcclFloat, 1, comm, stream);
       }, "root 1"},
      {reduce, [](double* data, simtcclComm_t comm, simtStream_t stream) {
         return simtcclReduce(data, data, 8, simtcclFloat, simtcclSum, 1, comm, stream);
       }, "root 1"},
      {sum, [](double* data, simtcclComm_t comm, simtStream_t stream) {
         return simtcclAllReduce(data, data, 0, simtcclFloat, simtcclSum, comm, stream);
       }, "0 float32, sum"},
  };
  for (const auto& each : cases) {
    with_ranks(
        2,
        [&](int rank, simtcclComm_t comm) {
          const OwnStream stream;
          REQUIRE_CCL((rank == 0 ? each.first : each.second)(data, comm, stream));
          CHECK_EQ(failure_of(comm), simtcclInvalidUsage);
          const std::string reason = simtcclGetLastError(comm);
          CHECK_MESSAGE(reason.find(each.reason) != std::string::npos, reason);
          CHECK_CCL(simtcclCommAbort(comm));
          CHECK_OK(simtStreamSynchronize(stream));
        },
        /*owns=*/true);
  }
}

TEST_CASE("two jobs at the same time do not meet, and one survives the failure of the other") {
  std::promise<void> failed;
  const auto has_failed = failed.get_future().share();
  std::thread other([&] {
    with_ranks(
        2,
        [](int rank, simtcclComm_t comm) {
          if (rank == 1) {
            CHECK_CCL(simtcclCommAbort(comm));
            return;
          }
          const OwnStream stream;
          const RankArray<int> values(4);
          const simtcclResult_t called = simtcclAllReduce(values.data(), values.data(), 4, simtcclInt, simtcclSum, comm, stream);
          REQUIRE(is_started_or_remote_error(called));
          CHECK_EQ(failure_of(comm), simtcclRemoteError);
          CHECK_CCL(simtcclCommAbort(comm));
        },
        /*owns=*/true);
    failed.set_value();
  });
  with_ranks(2, [&](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<int> values(4, rank + 1);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 4, simtcclInt, simtcclSum, comm, stream));
    has_failed.wait();
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 4, simtcclInt, simtcclSum, comm, stream));
    stream.wait();
    CHECK_EQ(values.values()[3], 6);
  });
  other.join();
}

TEST_CASE("without memory for the segment, each rank gets an error, and later jobs work") {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  REQUIRE_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  REQUIRE_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  simtcclUniqueId id;
  const simtcclResult_t made = simtcclGetUniqueId(&id);
  std::string reasons[2];
  simtcclResult_t results[2] = {};
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank) {
    threads.emplace_back([&, rank] {
      simtcclComm_t comm = nullptr;
      results[rank] = simtcclCommInitRank(&comm, 2, id, rank);
      reasons[rank] = simtcclGetLastError(nullptr);
    });
  }
  for (auto& thread : threads) thread.join();
  REQUIRE_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  CHECK_CCL(made);
  for (int rank = 0; rank < 2; ++rank) {
    CHECK_EQ(results[rank], simtcclSystemError);
    CHECK_EQ(reasons[rank], "ftruncate: File too large");
  }
  with_ranks(2, [](int, simtcclComm_t) {});
}

TEST_CASE("a communicator that has ended may be ended again, as in NCCL") {
  CHECK_CCL(simtcclCommFinalize(nullptr));
  CHECK_CCL(simtcclCommDestroy(nullptr));
  CHECK_CCL(simtcclCommAbort(nullptr));
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
  static_cast<void>(simtGetLastError());
}

}  // namespace
