// Collectives, sends and receives of simtccl.
#include "ccl/call.h"

#include <algorithm>

using namespace simtrt::ccl;

namespace {

struct Arguments {
  Kind kind;
  const void* send;
  void* receive;
  std::size_t count;
  simtcclDataType_t type;
  int peer = -1;
};

/// Number of a reduction in a Description. All scaled sums have the same number, because each rank
/// numbers its scaled sums independently.
std::uint32_t description_of(simtcclRedOp_t op) {
  return static_cast<std::uint32_t>(std::min(op, simtcclNumOps));
}

void check_buffers(const Arguments& given, const Communicator& comm) {
  require(size_of(given.type) != 0, "the type is invalid");
  if (given.count == 0) return;
  const bool rooted = given.kind == Kind::kReduce || given.kind == Kind::kBroadcast;
  const bool root = given.peer == comm.rank;
  const bool receives = given.kind == Kind::kReduce ? root : given.kind != Kind::kSend;
  const bool sends = given.kind == Kind::kBroadcast ? root : true;
  if (rooted || given.kind != Kind::kSend) {
    require(!sends || given.send != nullptr, "the buffer to send is null");
    require(!receives || given.receive != nullptr, "the buffer to receive is null");
  } else {
    require(given.send != nullptr || given.receive != nullptr, "the buffer is null");
  }
}

simtcclResult_t run(const Arguments& given, const simtcclRedOp_t* op, bool receives,
                    simtcclComm_t handle, simtStream_t stream) {
  return call([&] {
    const auto comm = find(handle);
    if (given.peer >= comm->ranks || given.peer < -1)
      throw Failure(simtcclInvalidArgument, "the root or peer is not a rank");
    check_buffers(given, *comm);
    comm->check();
    Operation operation;
    operation.kind = given.kind;
    operation.send = static_cast<const char*>(given.send);
    operation.receive = static_cast<char*>(given.receive);
    operation.count = given.count;
    operation.type = given.type;
    operation.peer = given.peer;
    operation.receives = receives;
    operation.description = {static_cast<std::uint32_t>(given.kind),
                             static_cast<std::uint32_t>(given.type),
                             op == nullptr ? kNoOp : description_of(*op),
                             given.kind == Kind::kSend ? -1 : given.peer, given.count, 0};
    if (op != nullptr) {
      const auto reduction = comm->reduction(*op, given.type);
      require(reduction.has_value(), "the reduction is invalid for this communicator and type");
      operation.reduction = *reduction;
    }
    add_operation(comm, operation, stream);
  });
}

}  // namespace

extern "C" {

simtcclResult_t simtcclReduce(const void* send, void* receive, size_t count, simtcclDataType_t type,
                              simtcclRedOp_t op, int root, simtcclComm_t comm,
                              simtStream_t stream) {
  if (root < 0) return simtcclInvalidArgument;
  return run({Kind::kReduce, send, receive, count, type, root}, &op, false, comm, stream);
}

simtcclResult_t simtcclBcast(void* buffer, size_t count, simtcclDataType_t type, int root,
                             simtcclComm_t comm, simtStream_t stream) {
  return simtcclBroadcast(buffer, buffer, count, type, root, comm, stream);
}

simtcclResult_t simtcclBroadcast(const void* send, void* receive, size_t count,
                                 simtcclDataType_t type, int root, simtcclComm_t comm,
                                 simtStream_t stream) {
  if (root < 0) return simtcclInvalidArgument;
  return run({Kind::kBroadcast, send, receive, count, type, root}, nullptr, false, comm, stream);
}

simtcclResult_t simtcclAllReduce(const void* send, void* receive, size_t count,
                                 simtcclDataType_t type, simtcclRedOp_t op, simtcclComm_t comm,
                                 simtStream_t stream) {
  return run({Kind::kAllReduce, send, receive, count, type}, &op, false, comm, stream);
}

simtcclResult_t simtcclReduceScatter(const void* send, void* receive, size_t count,
                                     simtcclDataType_t type, simtcclRedOp_t op, simtcclComm_t comm,
                                     simtStream_t stream) {
  return run({Kind::kReduceScatter, send, receive, count, type}, &op, false, comm, stream);
}

simtcclResult_t simtcclAllGather(const void* send, void* receive, size_t count,
                                 simtcclDataType_t type, simtcclComm_t comm, simtStream_t stream) {
  return run({Kind::kAllGather, send, receive, count, type}, nullptr, false, comm, stream);
}

simtcclResult_t simtcclSend(const void* send, size_t count, simtcclDataType_t type, int peer,
                            simtcclComm_t comm, simtStream_t stream) {
  if (peer < 0) return simtcclInvalidArgument;
  return run({Kind::kSend, send, nullptr, count, type, peer}, nullptr, false, comm, stream);
}

simtcclResult_t simtcclRecv(void* receive, size_t count, simtcclDataType_t type, int peer,
                            simtcclComm_t comm, simtStream_t stream) {
  if (peer < 0) return simtcclInvalidArgument;
  return run({Kind::kSend, nullptr, receive, count, type, peer}, nullptr, true, comm, stream);
}

}  // extern "C"

// NCCL's second names.
SIMTCCL_SECOND_NAME(simtcclReduce)
SIMTCCL_SECOND_NAME(simtcclBcast)
SIMTCCL_SECOND_NAME(simtcclBroadcast)
SIMTCCL_SECOND_NAME(simtcclAllReduce)
SIMTCCL_SECOND_NAME(simtcclReduceScatter)
SIMTCCL_SECOND_NAME(simtcclAllGather)
SIMTCCL_SECOND_NAME(simtcclSend)
SIMTCCL_SECOND_NAME(simtcclRecv)
