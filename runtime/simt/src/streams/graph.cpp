#include "streams/graph.h"

#include "streams/device.h"
#include "memory/memory.h"
#include "memory/pool.h"

#include <algorithm>

std::size_t SIMTgraph_st::add(std::shared_ptr<const simtrt::Work> work, simtGraphNodeType type,
                              std::vector<std::size_t> after) {
  auto node = std::make_unique<SIMTgraphNode_st>();
  node->work = std::move(work);
  node->type = type;
  node->after = std::move(after);
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

namespace simtrt {
namespace {

std::atomic<unsigned long long> next_capture{1};

thread_local simtStreamCaptureMode thread_mode = simtStreamCaptureModeGlobal;

// Every capture that is going on, under capture_mutex().
std::vector<std::shared_ptr<Capture>>& going_on() {
  static auto& captures = *new std::vector<std::shared_ptr<Capture>>();
  return captures;
}

simtError_t invalidate(Capture& capture, simtError_t error) {
  capture.invalidated = true;
  return error;
}

void end(const std::shared_ptr<Capture>& capture) {
  for (const auto& member : capture->members) {
    member->capture = nullptr;
    member->capture_tail.clear();
  }
  auto& captures = going_on();
  captures.erase(std::remove(captures.begin(), captures.end(), capture), captures.end());
  captures_going_on().fetch_sub(1);
}

// Whether all that streams have put into the capture comes before what stands last on its origin.
bool is_joined(const Capture& capture) {
  std::vector<bool> before(capture.graph->nodes.size(), false);
  std::vector<std::size_t> left = capture.origin->capture_tail;
  while (!left.empty()) {
    const std::size_t node = left.back();
    left.pop_back();
    if (before[node]) continue;
    before[node] = true;
    const auto& after = capture.graph->nodes[node]->after;
    left.insert(left.end(), after.begin(), after.end());
  }
  return std::all_of(capture.members.begin(), capture.members.end(), [&](const auto& member) {
    return std::all_of(member->capture_tail.begin(), member->capture_tail.end(),
                       [&](std::size_t node) { return before[node]; });
  });
}

}  // namespace

GraphMemory::~GraphMemory() {
  const auto allocation =
      MemoryMap::instance().take(begin, MemoryKind::kDevice, MemoryKind::kDevice);
  if (!allocation) return;  // the program has freed it
  if (allocation->pool != nullptr) allocation->pool->gave_back(allocation->size);
  release(*allocation);
}

std::shared_ptr<SIMTgraph_st> graph_of_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return nullptr;
  const std::lock_guard lock(capture_mutex());
  return stream->capture == nullptr ? nullptr : stream->capture->graph;
}

std::mutex& capture_mutex() {
  static std::mutex& mutex = *new std::mutex();
  return mutex;
}

std::atomic<int>& captures_going_on() {
  static std::atomic<int> count{0};
  return count;
}

Handles<simtGraph_t, SIMTgraph_st>& graph_handles() {
  static auto& handles = *new Handles<simtGraph_t, SIMTgraph_st>();
  return handles;
}

Handles<simtGraphExec_t, SIMTgraphExec_st>& graph_exec_handles() {
  static auto& handles = *new Handles<simtGraphExec_t, SIMTgraphExec_st>();
  return handles;
}

Capture::Capture(std::shared_ptr<Stream> origin, simtStreamCaptureMode mode)
    : origin(std::move(origin)),
      mode(mode),
      thread(std::this_thread::get_id()),
      id(next_capture.fetch_add(1)),
      graph(std::make_shared<SIMTgraph_st>()),
      members{this->origin} {}

simtError_t submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Work> work,
                   simtGraphNodeType type) {
  if (captures_going_on().load() != 0) {
    const std::lock_guard lock(capture_mutex());
    if (const auto capture = stream->capture) {
      if (capture->invalidated) return simtErrorStreamCaptureInvalidated;
      stream->capture_tail = {capture->graph->add(std::move(work), type, stream->capture_tail)};
      return simtSuccess;
    }
    if (stream->legacy) {
      // The default stream waits for all that are not simtStreamNonBlocking, and a captured stream
      // never gets done.
      for (const auto& capture : going_on()) {
        for (const auto& member : capture->members) {
          if (&member->device == &stream->device && (member->flags & simtStreamNonBlocking) == 0) {
            return invalidate(*capture, simtErrorStreamCaptureImplicit);
          }
        }
      }
    }
  }
  const std::uint64_t number = stream->device.submit(stream, std::move(work));
  // A program that never waits would fill the memory with what it has yet to do. CUDA lets it wait,
  // too, when a queue is full.
  constexpr std::uint64_t kMostAhead = 1024;
  if (number > kMostAhead) stream->wait(number - kMostAhead);
  return simtSuccess;
}

simtError_t forbid_in_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  for (const auto& capture : going_on()) {
    for (const auto& member : capture->members) {
      if (stream == nullptr ? &member->device == &Device::current() : member == stream) {
        return invalidate(*capture, simtErrorStreamCaptureUnsupported);
      }
    }
  }
  return simtSuccess;
}

simtError_t forbid_unsafe_call() {
  if (captures_going_on().load() == 0 || thread_mode == simtStreamCaptureModeRelaxed)
    return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  const auto self = std::this_thread::get_id();
  for (const auto& capture : going_on()) {
    const bool forbids =
        capture->mode == simtStreamCaptureModeGlobal
            ? thread_mode == simtStreamCaptureModeGlobal || capture->thread == self
            : capture->mode == simtStreamCaptureModeThreadLocal && capture->thread == self;
    if (forbids) return invalidate(*capture, simtErrorStreamCaptureUnsupported);
  }
  return simtSuccess;
}

simtError_t begin_capture(const std::shared_ptr<Stream>& stream, simtStreamCaptureMode mode) {
  if (stream->legacy) return simtErrorStreamCaptureUnsupported;
  const std::lock_guard lock(capture_mutex());
  if (stream->capture != nullptr) return simtErrorIllegalState;
  stream->capture = std::make_shared<Capture>(stream, mode);
  stream->capture_tail.clear();
  going_on().push_back(stream->capture);
  captures_going_on().fetch_add(1);
  return simtSuccess;
}

simtError_t end_capture(const std::shared_ptr<Stream>& stream,
                        std::shared_ptr<SIMTgraph_st>* graph) {
  const std::lock_guard lock(capture_mutex());
  const auto capture = stream->capture;
  if (capture == nullptr) return simtErrorIllegalState;
  if (capture->origin != stream) return invalidate(*capture, simtErrorStreamCaptureUnmatched);
  if (capture->mode != simtStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    return simtErrorStreamCaptureWrongThread;
  }
  const bool joined = is_joined(*capture);
  end(capture);
  if (capture->invalidated) return simtErrorStreamCaptureInvalidated;
  if (!joined) return simtErrorStreamCaptureUnjoined;
  *graph = capture->graph;
  return simtSuccess;
}

void leave_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return;
  const std::lock_guard lock(capture_mutex());
  const auto capture = stream->capture;
  if (capture == nullptr) return;
  capture->invalidated = true;
  if (capture->origin == stream) end(capture);
}

simtStreamCaptureMode exchange_thread_mode(simtStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

}  // namespace simtrt
