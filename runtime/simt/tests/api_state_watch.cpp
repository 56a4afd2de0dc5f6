// Execution of a call of the state table in a state, and observation of its effects.
#include "api_state_setups.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace api_states {
namespace {

using namespace std::chrono_literals;

int count_nodes(const Subject& s) {
  simtStreamCaptureStatus status;
  simtGraph_t graph = nullptr;
  std::size_t count = 0;
  if (simtStreamGetCaptureInfo(s.origin, &status, nullptr, &graph) != simtSuccess ||
      status != simtStreamCaptureStatusActive ||
      simtGraphGetNodes(graph, nullptr, &count) != simtSuccess) {
    return 0;
  }
  return static_cast<int>(count);
}

bool is_invalid(const Subject& s) {
  simtStreamCaptureStatus status;
  return simtStreamIsCapturing(s.origin, &status) == simtSuccess &&
         status == simtStreamCaptureStatusInvalidated;
}

// Makes the call, and releases the blocked work after a delay. The delay is short if the call is
// expected to wait for the work; otherwise it is longer than any call takes.
Outcome make_call_here(Subject& s, const Call& call, bool expect_wait) {
  Outcome outcome;
  Hold& hold = Hold::instance();
  const bool held = hold.is_held();
  const bool was_invalid = s.origin != nullptr && is_invalid(s);
  const int nodes = s.origin != nullptr ? count_nodes(s) : 0;
  if (held) {
    std::thread([&hold, expect_wait] {
      std::this_thread::sleep_for(expect_wait ? 30ms : 5s);
      hold.let_go();
    }).detach();
  }
  outcome.error = call(s);
  outcome.waited = held && !hold.is_held();
  if (s.origin != nullptr) {
    outcome.invalidated = !was_invalid && is_invalid(s);
    if (!outcome.invalidated && !was_invalid) outcome.nodes = std::max(0, count_nodes(s) - nodes);
  }
  return outcome;
}

struct HostCall {
  Subject& subject;
  const Call& call;
  std::atomic<int> error{-1};

  static void run(void* data) {
    auto& own = *static_cast<HostCall*>(data);
    own.error = own.call(own.subject);
  }
  Outcome outcome() {
    while (error == -1) std::this_thread::sleep_for(1ms);
    Outcome made;
    made.error = static_cast<simtError_t>(error.load());
    return made;
  }
};

__global__ void call_in_kernel(HostCall* made) { HostCall::run(made); }

}  // namespace

Outcome make_call(const std::string& state, const Call& call, bool expect_wait) {
  setenv("SIMT_DEVICE_COUNT", state == "no-device" ? "0" : "2", 1);
  setenv("SIMT_NUM_THREADS", "2", 1);
  auto& subject = *new Subject();
  auto& from_elsewhere = *new HostCall{subject, call};
  if (state == "no-device" || state == "first") return make_call_here(subject, call, expect_wait);
  prepare(subject);
  const simtStream_t caller = new_stream();
  if (state == "host-function") {
    MUST(simtLaunchHostFunc(caller, HostCall::run, &from_elsewhere));
    return from_elsewhere.outcome();
  }
  if (state == "callback") {
    MUST(simtStreamAddCallback(
        caller, [](simtStream_t, simtError_t, void* data) { HostCall::run(data); }, &from_elsewhere,
        0));
    return from_elsewhere.outcome();
  }
  if (state == "kernel") {
    subject.stream = nullptr;  // a kernel cannot use streams of the host
    SIMT_LAUNCH((call_in_kernel), (1), (1), (0), (caller), &from_elsewhere);
    return from_elsewhere.outcome();
  }
  enter(state, subject);
  return make_call_here(subject, call, expect_wait);
}

}  // namespace api_states
