// Versions, errors, communicators, memory and groups of simtccl.
#include "ccl/call.h"

#include "ccl/rendezvous.h"
#include "process/state.h"

#include <cstdlib>
#include <mutex>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace simtrt::ccl {

namespace {

std::mutex& last_error_mutex() {
  static auto& mutex = *new std::mutex();
  return mutex;
}

std::string& last_error() {
  static auto& text = *new std::string();
  return text;
}

}  // namespace

void note_last_error(const std::string& reason) {
  const std::lock_guard lock(last_error_mutex());
  last_error() = reason;
}

void check_process() {
  if (const simtError_t error = enter_process())
    throw Failure(simtcclUnhandledSimtError, simtGetErrorString(error));
}

void require(bool condition, const char* reason) {
  if (!condition) throw Failure(simtcclInvalidArgument, reason);
}

std::shared_ptr<Communicator> find(simtcclComm_t handle) {
  require(handle != nullptr, "the communicator is null");
  return handle->communicator;
}

namespace {

bool is_blocking(const simtcclConfig_t* config) {
  if (config == nullptr || config->blocking == SIMTCCL_CONFIG_UNDEF_INT) return true;
  require(config->blocking == 0 || config->blocking == 1, "`blocking` is neither 0 nor 1");
  return config->blocking != 0;
}

void check_config(const simtcclConfig_t* config) {
  if (config == nullptr) return;
  require(config->magic == 0xcafebeef, "the configuration was not made by SIMTCCL_CONFIG_INITIALIZER");
}

/// Waits for a new communicator; destroys it and its handle after a failure.
void finish_init(simtcclComm_t* comm) {
  try {
    (*comm)->communicator->wait_until_ready();
  } catch (const Failure&) {
    (*comm)->communicator->close(/*abort=*/true);
    delete std::exchange(*comm, nullptr);
    throw;
  }
}

void init(simtcclComm_t* comm, int ranks, const simtcclUniqueId& id, int rank,
          const simtcclConfig_t* config, Device& device) {
  require(comm != nullptr, "the place for the communicator is null");
  *comm = nullptr;
  require(ranks >= 1 && ranks <= kMaxRanks, "the number of ranks is not between 1 and 1024");
  require(rank >= 0 && rank < ranks, "the rank is not between 0 and the number of ranks");
  check_config(config);
  const bool blocking = is_blocking(config);
  *comm = new simtcclComm{Communicator::start(id, ranks, rank, device, blocking)};
  if (blocking) add_wait([comm] { finish_init(comm); });
}

Device& device_of(int ordinal) {
  Device* device = Device::get(ordinal);
  require(device != nullptr, "there is no such device");
  return *device;
}

void init_all(simtcclComm_t* comms, int count, const int* devices) {
  require(comms != nullptr, "the place for the communicators is null");
  require(count >= 1, "the number of devices is not positive");
  std::vector<int> ordinals(static_cast<std::size_t>(count));
  std::iota(ordinals.begin(), ordinals.end(), 0);
  if (devices != nullptr) ordinals.assign(devices, devices + count);
  for (const int ordinal : ordinals) device_of(ordinal);
  const simtcclUniqueId id = open_meeting();
  start_group();
  for (int rank = 0; rank < count; ++rank) {
    Device& device = device_of(ordinals[static_cast<std::size_t>(rank)]);
    init(&comms[rank], count, id, rank, nullptr, device);
  }
  end_group();
}

void split(simtcclComm_t comm, int color, int key, simtcclComm_t* made,
           const simtcclConfig_t* config) {
  const auto parent = find(comm);
  require(made != nullptr, "the place for the communicator is null");
  require(color >= SIMTCCL_SPLIT_NOCOLOR, "the color is negative");
  check_config(config);
  parent->check();
  *made = nullptr;
  const auto running = parent->split(color, key, config == nullptr ? parent->blocking : is_blocking(config));
  add_wait([running, made] {
    const auto child = running.finish();
    if (child != nullptr) *made = new simtcclComm{child};
  });
}

template <class Value>
simtcclResult_t get(simtcclComm_t comm, Value* place, Value (*value)(Communicator&)) {
  return call([&] {
    const auto communicator = find(comm);
    require(place != nullptr, "the place for the result is null");
    *place = value(*communicator);
  });
}

}  // namespace
}  // namespace simtrt::ccl

using namespace simtrt::ccl;

extern "C" {

simtcclResult_t simtcclGetVersion(int* version) {
  if (version == nullptr) return simtcclInvalidArgument;
  *version = SIMTCCL_VERSION_CODE;
  return simtcclSuccess;
}

const char* simtcclGetErrorString(simtcclResult_t result) {
  switch (result) {
    case simtcclSuccess: return "no error";
    case simtcclUnhandledSimtError: return "a call of the runtime failed";
    case simtcclSystemError: return "a call of the operating system failed, or a time limit is over";
    case simtcclInternalError: return "internal error";
    case simtcclInvalidArgument: return "invalid argument";
    case simtcclInvalidUsage: return "invalid usage";
    case simtcclRemoteError: return "a rank has ended, aborted or failed";
    case simtcclInProgress: return "the operation is in progress";
    default: return "unknown result code";
  }
}

const char* simtcclGetLastError(simtcclComm_t comm) {
  static thread_local std::string text;  // stays valid until the thread's next call
  text = comm == nullptr ? "" : comm->communicator->reason();
  if (text.empty()) {
    const std::lock_guard lock(last_error_mutex());
    text = last_error();
  }
  return text.c_str();
}

simtcclResult_t simtcclGetUniqueId(simtcclUniqueId* id) {
  return call([&] {
    require(id != nullptr, "the place for the id is null");
    *id = open_meeting();
  });
}

simtcclResult_t simtcclCommInitRank(simtcclComm_t* comm, int nranks, simtcclUniqueId id, int rank) {
  return call([&] { init(comm, nranks, id, rank, nullptr, simtrt::Device::current()); });
}

simtcclResult_t simtcclCommInitRankConfig(simtcclComm_t* comm, int nranks, simtcclUniqueId id,
                                          int rank, simtcclConfig_t* config) {
  const auto result =
      call([&] { init(comm, nranks, id, rank, config, simtrt::Device::current()); });
  const bool waits = result == simtcclSuccess && !in_group() && !(*comm)->communicator->blocking;
  return waits ? simtcclInProgress : result;
}

simtcclResult_t simtcclCommInitAll(simtcclComm_t* comms, int count, const int* devices) {
  return call([&] { init_all(comms, count, devices); });
}

simtcclResult_t simtcclCommSplit(simtcclComm_t comm, int color, int key, simtcclComm_t* made,
                                 simtcclConfig_t* config) {
  return call([&] { split(comm, color, key, made, config); });
}

// As in NCCL, a null communicator is one that has ended.
simtcclResult_t simtcclCommFinalize(simtcclComm_t comm) {
  if (comm == nullptr) return simtcclSuccess;
  return call([&] { find(comm)->finalize(); });
}

simtcclResult_t simtcclCommDestroy(simtcclComm_t comm) {
  if (comm == nullptr) return simtcclSuccess;
  return call([&] {
    const auto communicator = find(comm);
    communicator->finalize();
    communicator->close(/*abort=*/false);
    delete comm;
  });
}

simtcclResult_t simtcclCommAbort(simtcclComm_t comm) {
  if (comm == nullptr) return simtcclSuccess;
  return call([&] {
    find(comm)->close(/*abort=*/true);
    delete comm;
  });
}

simtcclResult_t simtcclCommGetAsyncError(simtcclComm_t comm, simtcclResult_t* error) {
  return get<simtcclResult_t>(comm, error, [](Communicator& one) {
    const simtcclResult_t state = one.state();
    if (state != simtcclSuccess && state != simtcclInProgress) note_last_error(one.reason());
    return state;
  });
}

simtcclResult_t simtcclCommCount(const simtcclComm_t comm, int* count) {
  return get<int>(comm, count, [](Communicator& one) { return one.ranks; });
}

simtcclResult_t simtcclCommCuDevice(const simtcclComm_t comm, int* device) {
  return get<int>(comm, device, [](Communicator& one) { return one.device.ordinal; });
}

simtcclResult_t simtcclCommUserRank(const simtcclComm_t comm, int* rank) {
  return get<int>(comm, rank, [](Communicator& one) { return one.rank; });
}

simtcclResult_t simtcclCommRegister(const simtcclComm_t comm, void* buffer, size_t size,
                                    void** handle) {
  return call([&] {
    find(comm);
    require(buffer != nullptr && size > 0 && handle != nullptr, "the buffer or the handle is null");
    *handle = buffer;
  });
}

simtcclResult_t simtcclCommDeregister(const simtcclComm_t comm, void*) {
  return call([&] { find(comm); });
}

simtcclResult_t simtcclMemAlloc(void** pointer, size_t size) {
  if (pointer == nullptr) return simtcclInvalidArgument;
  return simtMalloc(pointer, size) == simtSuccess ? simtcclSuccess : simtcclUnhandledSimtError;
}

simtcclResult_t simtcclMemFree(void* pointer) {
  return simtFree(pointer) == simtSuccess ? simtcclSuccess : simtcclUnhandledSimtError;
}

simtcclResult_t simtcclRedOpCreatePreMulSum(simtcclRedOp_t* op, void* scalar, simtcclDataType_t type,
                                            simtcclScalarResidence_t residence, simtcclComm_t comm) {
  return call([&] {
    const auto communicator = find(comm);
    require(op != nullptr && scalar != nullptr, "the scalar or the place for the result is null");
    require(size_of(type) != 0, "the type is invalid");
    Reduction sum;
    sum.type = type;
    sum.scaled = true;
    if (residence == simtcclScalarDevice) {
      sum.scalar_on_device = scalar;
    } else {
      std::copy_n(static_cast<const char*>(scalar), size_of(type), sum.scalar);
    }
    *op = communicator->add_scaled_sum(sum);
  });
}

simtcclResult_t simtcclRedOpDestroy(simtcclRedOp_t op, simtcclComm_t comm) {
  return call([&] {
    require(find(comm)->remove_scaled_sum(op), "the reduction was not made for this communicator");
  });
}

simtcclResult_t simtcclGroupStart() {
  return call([] { start_group(); });
}

simtcclResult_t simtcclGroupEnd() {
  return call([] { end_group(); });
}

}  // extern "C"

// NCCL's second names.
SIMTCCL_SECOND_NAME(simtcclGetVersion)
SIMTCCL_SECOND_NAME(simtcclGetErrorString)
SIMTCCL_SECOND_NAME(simtcclGetLastError)
SIMTCCL_SECOND_NAME(simtcclGetUniqueId)
SIMTCCL_SECOND_NAME(simtcclCommInitRank)
SIMTCCL_SECOND_NAME(simtcclCommInitRankConfig)
SIMTCCL_SECOND_NAME(simtcclCommInitAll)
SIMTCCL_SECOND_NAME(simtcclCommSplit)
SIMTCCL_SECOND_NAME(simtcclCommFinalize)
SIMTCCL_SECOND_NAME(simtcclCommDestroy)
SIMTCCL_SECOND_NAME(simtcclCommAbort)
SIMTCCL_SECOND_NAME(simtcclCommGetAsyncError)
SIMTCCL_SECOND_NAME(simtcclCommCount)
SIMTCCL_SECOND_NAME(simtcclCommCuDevice)
SIMTCCL_SECOND_NAME(simtcclCommUserRank)
SIMTCCL_SECOND_NAME(simtcclCommRegister)
SIMTCCL_SECOND_NAME(simtcclCommDeregister)
SIMTCCL_SECOND_NAME(simtcclMemAlloc)
SIMTCCL_SECOND_NAME(simtcclMemFree)
SIMTCCL_SECOND_NAME(simtcclRedOpCreatePreMulSum)
SIMTCCL_SECOND_NAME(simtcclRedOpDestroy)
SIMTCCL_SECOND_NAME(simtcclGroupStart)
SIMTCCL_SECOND_NAME(simtcclGroupEnd)
