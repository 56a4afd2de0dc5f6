// simtccl: results of all collectives, types and reductions; groups, splits, graphs. Semantics: NCCL
// 2.21's documentation, "Collective Operations", "Point-to-point communication", "Group Calls".
#include "ccl_test.h"

#include <simt_bf16.h>
#include <simt_fp16.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>

namespace {

/// Contribution of a rank: small numbers, which every type represents.
template <class T>
std::vector<T> contribution(int rank, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(static_cast<float>((static_cast<int>(i) + rank) % 4 + 1));
  return values;
}

template <class T>
void check_type(simtcclDataType_t type) {
  constexpr int kRanks = 3;
  constexpr std::size_t kCount = 1001;
  with_ranks(kRanks, [&](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const simtcclRedOp_t ops[] = {simtcclSum, simtcclProd, simtcclMax, simtcclMin};
    const RankArray<T> send(contribution<T>(rank, kCount));
    for (const simtcclRedOp_t op : ops) {
      const RankArray<T> receive(kCount);
      REQUIRE_CCL(simtcclAllReduce(send.data(), receive.data(), kCount, type, op, comm, stream));
      stream.wait();
      const auto values = receive.values();
      bool right = true;
      for (std::size_t i = 0; i < kCount; ++i) {
        float expected = op == simtcclProd ? 1 : op == simtcclMin ? 99 : 0;
        for (int each = 0; each < kRanks; ++each) {
          const auto value = static_cast<float>((static_cast<int>(i) + each) % 4 + 1);
          if (op == simtcclSum) expected += value;
          if (op == simtcclProd) expected *= value;
          if (op == simtcclMax) expected = std::max(expected, value);
          if (op == simtcclMin) expected = std::min(expected, value);
        }
        right = right && static_cast<float>(values[i]) == expected;
      }
      CHECK_MESSAGE(right, "type ", int{type}, ", reduction ", int{op});
    }
  });
}

TEST_CASE("all_reduce of every type with every reduction") {
  check_type<std::int8_t>(simtcclInt8);
  check_type<std::uint8_t>(simtcclUint8);
  check_type<std::int32_t>(simtcclInt32);
  check_type<std::uint32_t>(simtcclUint32);
  check_type<std::int64_t>(simtcclInt64);
  check_type<std::uint64_t>(simtcclUint64);
  check_type<__half>(simtcclFloat16);
  check_type<float>(simtcclFloat32);
  check_type<double>(simtcclFloat64);
  check_type<__nv_bfloat16>(simtcclBfloat16);
}

TEST_CASE("an average scales floating-point contributions first, and divides sums of integers") {
  with_ranks(3, [](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<float> real(4, static_cast<float>(rank));
    const RankArray<int> whole(4, -rank);
    REQUIRE_CCL(simtcclAllReduce(real.data(), real.data(), 4, simtcclFloat, simtcclAvg, comm, stream));
    REQUIRE_CCL(simtcclAllReduce(whole.data(), whole.data(), 4, simtcclInt, simtcclAvg, comm, stream));
    stream.wait();
    const float third = 1.0f / 3.0f;
    CHECK_EQ(real.values()[0], 0.0f * third + 1.0f * third + 2.0f * third);
    CHECK_EQ(whole.values()[3], -1);
  });
}

TEST_CASE("a scaled sum multiplies each contribution by the rank's own scalar") {
  with_ranks(2, [](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<float> scalar(1, rank == 0 ? 10.0f : 0.5f);
    const RankArray<float> values(3, 4.0f);
    simtcclRedOp_t op;
    REQUIRE_CCL(simtcclRedOpCreatePreMulSum(&op, scalar.data(), simtcclFloat, simtcclScalarDevice, comm));
    CHECK_EQ(simtcclAllReduce(values.data(), values.data(), 3, simtcclInt, op, comm, stream),
             simtcclInvalidArgument);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 3, simtcclFloat, op, comm, stream));
    REQUIRE_CCL(simtcclRedOpDestroy(op, comm));
    CHECK_EQ(simtcclRedOpDestroy(op, comm), simtcclInvalidArgument);
    stream.wait();
    CHECK_EQ(values.values()[2], 42.0f);
  });
}

TEST_CASE("a large all_reduce is the sum in ring order, in place and elsewhere") {
  constexpr int kRanks = 3;
  constexpr std::size_t kCount = 1 << 20;
  // Sums of these numbers depend on the order.
  const auto value = [](int rank, std::size_t i) {
    return std::ldexp(1.0f + static_cast<float>(i % 97) / 7.0f, rank * 9);
  };
  constexpr std::size_t kBlock = SIMTCCL_BLOCK_BYTES / sizeof(float);
  with_ranks(kRanks, [&](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    std::vector<float> own(kCount);
    for (std::size_t i = 0; i < kCount; ++i) own[i] = value(rank, i);
    const RankArray<float> send(own), receive(kCount);
    REQUIRE_CCL(simtcclAllReduce(send.data(), receive.data(), kCount, simtcclFloat, simtcclSum, comm, stream));
    REQUIRE_CCL(simtcclAllReduce(send.data(), send.data(), kCount, simtcclFloat, simtcclSum, comm, stream));
    stream.wait();
    const auto sum = receive.values();
    std::size_t wrong = 0;
    for (std::size_t loop = 0; loop < kCount; loop += kRanks * kBlock) {
      const std::size_t left = kCount - loop;
      const std::size_t size = std::min(kBlock, (left + kRanks - 1) / kRanks);
      for (std::size_t i = loop; i < std::min(kCount, loop + kRanks * size); ++i) {
        const int c = static_cast<int>((i - loop) / size);
        const float expected = (value((c + 1) % 3, i) + value((c + 2) % 3, i)) + value(c, i);
        wrong += sum[i] != expected;
      }
    }
    CHECK_EQ(wrong, 0);
    CHECK(sum == send.values());
  });
}

TEST_CASE("reduce, broadcast, all_gather and reduce_scatter, in place and elsewhere") {
  constexpr int kRanks = 4;
  constexpr std::size_t kCount = 100000;  // several blocks
  with_ranks(kRanks, [&](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const auto all = [](int value) { return std::vector<int>(kCount, value); };
    const RankArray<int> own(all(rank + 1)), reduced(all(-1)), sent(all(rank == 2 ? 7 : -1));
    REQUIRE_CCL(simtcclReduce(own.data(), rank == 1 ? reduced.data() : nullptr, kCount, simtcclInt, simtcclSum, 1, comm, stream));
    REQUIRE_CCL(simtcclBroadcast(sent.data(), sent.data(), kCount, simtcclInt, 2, comm, stream));
    const RankArray<int> gathered(kRanks * kCount, -1);
    int* const place = gathered.data() + static_cast<std::size_t>(rank) * kCount;
    REQUIRE_OK(simtMemcpyAsync(place, own.data(), own.bytes(), simtMemcpyDeviceToDevice, stream));
    REQUIRE_CCL(simtcclAllGather(place, gathered.data(), kCount, simtcclInt, comm, stream));
    const RankArray<int> scattered(kCount, -1);
    REQUIRE_CCL(simtcclReduceScatter(gathered.data(), scattered.data(), kCount, simtcclInt, simtcclSum, comm, stream));
    stream.wait();
    CHECK(reduced.values() == all(rank == 1 ? 10 : -1));
    CHECK(sent.values() == all(7));
    CHECK(scattered.values() == all(4 * (rank + 1)));
    const auto values = gathered.values();
    for (int each = 0; each < kRanks; ++each)
      CHECK_EQ(values[static_cast<std::size_t>(each + 1) * kCount - 1], each + 1);
  });
}

TEST_CASE("sends and receives of a group run at the same time") {
  constexpr int kRanks = 3;
  constexpr std::size_t kCount = 1 << 20;  // more than the channels hold
  with_ranks(kRanks, [&](int rank, simtcclComm_t comm) {
    const OwnStream stream;
    const RankArray<int> send(kCount, rank), receive(kRanks * kCount, -1);
    REQUIRE_CCL(simtcclGroupStart());
    for (int peer = 0; peer < kRanks; ++peer) {
      REQUIRE_CCL(simtcclSend(send.data(), kCount, simtcclInt, peer, comm, stream));
      REQUIRE_CCL(simtcclRecv(receive.data() + static_cast<std::size_t>(peer) * kCount, kCount, simtcclInt, peer, comm, stream));
    }
    REQUIRE_CCL(simtcclGroupEnd());
    stream.wait();
    const auto values = receive.values();
    for (std::size_t peer = 0; peer < kRanks; ++peer) {
      CHECK_EQ(values[peer * kCount], static_cast<int>(peer));
      CHECK_EQ(values[(peer + 1) * kCount - 1], static_cast<int>(peer));
    }
  });
}

TEST_CASE("operations run in stream order, also on two streams and in a graph") {
  with_ranks(2, [](int, simtcclComm_t comm) {
    const OwnStream stream, other;
    const RankArray<float> values(1, 1.0f);
    Gate gate;
    gate.hold(stream);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1, simtcclFloat, simtcclSum, comm, stream));
    CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1, simtcclFloat, simtcclSum, comm, other));
    gate.open();
    other.wait();
    CHECK_EQ(values.values()[0], 4.0f);
    simtGraph_t graph;
    simtGraphExec_t exec;
    REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeThreadLocal));
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1, simtcclFloat, simtcclSum, comm, stream));
    REQUIRE_OK(simtStreamEndCapture(stream, &graph));
    REQUIRE_OK(simtGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 3; ++launch) REQUIRE_OK(simtGraphLaunch(exec, stream));
    stream.wait();
    CHECK_EQ(values.values()[0], 32.0f);
    CHECK_OK(simtGraphExecDestroy(exec));
    CHECK_OK(simtGraphDestroy(graph));
  });
}

TEST_CASE("the end of a communicator waits for its operations in launched graphs") {
  Gate gate;
  std::thread opener;
  with_ranks(
      2,
      [&](int rank, simtcclComm_t comm) {
        const OwnStream stream;
        const RankArray<int> values(1, 1);
        simtGraph_t graph;
        simtGraphExec_t exec;
        REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeThreadLocal));
        REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1, simtcclInt, simtcclSum, comm, stream));
        REQUIRE_OK(simtStreamEndCapture(stream, &graph));
        REQUIRE_OK(simtGraphInstantiate(&exec, graph, 0));
        if (rank == 1) gate.hold(stream);
        for (int launch = 0; launch < 10; ++launch) REQUIRE_OK(simtGraphLaunch(exec, stream));
        if (rank == 1) {
          opener = std::thread([&gate] {
            usleep(100000);
            gate.open();
          });
        }
        CHECK_CCL(simtcclCommDestroy(comm));
        stream.wait();
        CHECK_EQ(values.values()[0], 1 << 10);
        CHECK_OK(simtGraphExecDestroy(exec));
        CHECK_OK(simtGraphDestroy(graph));
      },
      /*owns=*/true);
  opener.join();
}

TEST_CASE("a communicator splits by color, in the order of the keys") {
  with_ranks(4, [](int rank, simtcclComm_t comm) {
    simtcclComm_t half = nullptr, none = comm;
    REQUIRE_CCL(simtcclCommSplit(comm, rank % 2, -rank, &half, nullptr));
    int own = -1, count = 0;
    CHECK_CCL(simtcclCommUserRank(half, &own));
    CHECK_CCL(simtcclCommCount(half, &count));
    CHECK_EQ(own, rank < 2 ? 1 : 0);
    CHECK_EQ(count, 2);
    const OwnStream stream;
    const RankArray<int> values(1, rank);
    REQUIRE_CCL(simtcclAllReduce(values.data(), values.data(), 1, simtcclInt, simtcclSum, half, stream));
    stream.wait();
    CHECK_EQ(values.values()[0], rank % 2 == 0 ? 2 : 4);
    CHECK_CCL(simtcclCommDestroy(half));
    REQUIRE_CCL(simtcclCommSplit(comm, SIMTCCL_SPLIT_NOCOLOR, 0, &none, nullptr));
    CHECK_EQ(none, nullptr);
  });
}

TEST_CASE("one thread uses all devices of the process") {
  int devices = 0;
  REQUIRE_OK(simtGetDeviceCount(&devices));
  std::vector<simtcclComm_t> comms(static_cast<std::size_t>(devices));
  REQUIRE_CCL(simtcclCommInitAll(comms.data(), devices, nullptr));
  std::vector<std::unique_ptr<DeviceArray<int>>> arrays;
  REQUIRE_CCL(simtcclGroupStart());
  for (int device = 0; device < devices; ++device) {
    REQUIRE_OK(simtSetDevice(device));
    arrays.push_back(std::make_unique<DeviceArray<int>>(5, device + 1));
    int* const data = arrays.back()->data();
    REQUIRE_CCL(simtcclAllReduce(data, data, 5, simtcclInt, simtcclSum, comms[static_cast<std::size_t>(device)], nullptr));
  }
  REQUIRE_CCL(simtcclGroupEnd());
  for (int device = 0; device < devices; ++device) {
    REQUIRE_OK(simtSetDevice(device));
    REQUIRE_OK(simtDeviceSynchronize());
    CHECK_EQ(arrays[static_cast<std::size_t>(device)]->values()[4], devices * (devices + 1) / 2);
    CHECK_CCL(simtcclCommDestroy(comms[static_cast<std::size_t>(device)]));
  }
  REQUIRE_OK(simtSetDevice(0));
}

TEST_CASE("a communicator that does not block is in progress until all ranks have joined") {
  simtcclUniqueId id;
  REQUIRE_CCL(simtcclGetUniqueId(&id));
  simtcclConfig_t config = SIMTCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  simtcclComm_t first = nullptr, second = nullptr;
  CHECK_EQ(simtcclCommInitRankConfig(&first, 2, id, 0, &config), simtcclInProgress);
  simtcclResult_t state = simtcclSuccess;
  CHECK_CCL(simtcclCommGetAsyncError(first, &state));
  CHECK_EQ(state, simtcclInProgress);
  REQUIRE_CCL(simtcclCommInitRank(&second, 2, id, 1));
  for (int turn = 0; turn < 1000 && state == simtcclInProgress; ++turn) {
    usleep(1000);
    CHECK_CCL(simtcclCommGetAsyncError(first, &state));
  }
  CHECK_EQ(state, simtcclSuccess);
  CHECK_CCL(simtcclCommDestroy(first));
  CHECK_CCL(simtcclCommDestroy(second));
}

TEST_CASE("invalid arguments") {
  with_ranks(1, [](int, simtcclComm_t comm) {
    float value = 3;
    CHECK_EQ(simtcclAllReduce(nullptr, &value, 1, simtcclFloat, simtcclSum, comm, nullptr), simtcclInvalidArgument);
    CHECK_EQ(simtcclAllReduce(&value, &value, 1, simtcclNumTypes, simtcclSum, comm, nullptr), simtcclInvalidArgument);
    CHECK_EQ(simtcclAllReduce(&value, &value, 1, simtcclFloat, simtcclNumOps, comm, nullptr), simtcclInvalidArgument);
    CHECK_EQ(simtcclBcast(&value, 1, simtcclFloat, 1, comm, nullptr), simtcclInvalidArgument);
    CHECK_EQ(simtcclSend(&value, 1, simtcclFloat, -1, comm, nullptr), simtcclInvalidArgument);
    CHECK_EQ(simtcclAllReduce(&value, &value, 1, simtcclFloat, simtcclSum, nullptr, nullptr), simtcclInvalidArgument);
    CHECK_EQ(std::string(simtcclGetLastError(nullptr)), "the communicator is null");
    CHECK_EQ(simtcclGroupEnd(), simtcclInvalidUsage);
  });
  simtcclComm_t comm = nullptr;
  simtcclUniqueId id{};
  CHECK_EQ(simtcclCommInitRank(&comm, 1, id, 0), simtcclInvalidArgument);
  CHECK_EQ(simtcclCommInitRank(&comm, 0, id, 0), simtcclInvalidArgument);
  CHECK_EQ(comm, nullptr);
}

}  // namespace
