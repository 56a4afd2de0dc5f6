#include "ccl/group.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace simtrt::ccl {
namespace {

struct Submission {
  std::shared_ptr<Communicator> comm;
  std::vector<simtStream_t> streams;  ///< the operations run on the first stream
  Operations operations;
};

struct Group {
  int depth = 0;
  std::vector<Submission> submissions;
  std::vector<std::function<void()>> waits;
  std::optional<Failure> failure;
};

Group& own_group() {
  static thread_local Group group;
  return group;
}

void check_call(simtError_t error, const char* call) {
  if (error == simtSuccess) return;
  throw Failure(simtcclUnhandledSimtError, std::string(call) + ": " + simtGetErrorString(error));
}

/// Sets the current device, to which a null stream belongs, for the duration of a scope.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) : before_(Device::current_ordinal()) {
    Device::set_current(device);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { Device::set_current(before_); }

 private:
  const int before_;
};

/// Makes the stream `later` wait for all work already submitted to the stream `earlier`.
void order(simtStream_t earlier, simtStream_t later) {
  simtEvent_t event = nullptr;
  check_call(simtEventCreateWithFlags(&event, simtEventDisableTiming), "simtEventCreate");
  simtError_t error = simtEventRecord(event, earlier);
  if (error == simtSuccess) error = simtStreamWaitEvent(later, event, 0);
  simtEventDestroy(event);
  check_call(error, "simtStreamWaitEvent");
}

void submit(Submission& submission) {
  const CurrentDevice current(submission.comm->device.ordinal);
  const simtStream_t first = submission.streams.front();
  const auto stream = find_stream(first);
  if (stream == nullptr) throw Failure(simtcclInvalidArgument, "the stream is invalid");
  for (std::size_t i = 1; i < submission.streams.size(); ++i) order(submission.streams[i], first);
  check_call(submission.comm->submit(stream, std::move(submission.operations)), "submit");
  for (std::size_t i = 1; i < submission.streams.size(); ++i) order(first, submission.streams[i]);
}

}  // namespace

void start_group() { ++own_group().depth; }

bool in_group() { return own_group().depth > 0; }

void end_group() {
  Group& group = own_group();
  if (group.depth == 0) throw Failure(simtcclInvalidUsage, "simtcclGroupEnd without simtcclGroupStart");
  if (--group.depth > 0) return;
  Group ended = std::exchange(group, {});
  if (ended.failure) throw Failure(*ended.failure);
  for (Submission& submission : ended.submissions) submit(submission);
  for (const auto& wait : ended.waits) wait();
}

void add_operation(const std::shared_ptr<Communicator>& comm, const Operation& operation,
                   simtStream_t stream) {
  if (!in_group()) {
    Submission single{comm, {stream}, {operation}};
    return submit(single);
  }
  auto& all = own_group().submissions;
  auto place = std::find_if(all.begin(), all.end(), [&](auto& one) { return one.comm == comm; });
  if (place == all.end()) place = all.insert(place, {comm, {}, {}});
  auto& streams = place->streams;
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) streams.push_back(stream);
  place->operations.push_back(operation);
}

void add_wait(std::function<void()> wait) {
  if (in_group()) {
    own_group().waits.push_back(std::move(wait));
  } else {
    wait();
  }
}

void note_error(const Failure& failure) {
  Group& group = own_group();
  if (group.depth > 0 && !group.failure) group.failure.emplace(failure);
}

}  // namespace simtrt::ccl
