#include "streams/graph.h"

#include "streams/device.h"
#include "streams/child_grids.h"

#include <algorithm>

namespace {

bool is_memory_node(const SIMTgraphNode_st& node) {
  return node.type == simtGraphNodeTypeMemAlloc || node.type == simtGraphNodeTypeMemFree;
}

}  // namespace

std::size_t SIMTgraph_st::add(SIMTgraphNode_st node) {
  nodes.push_back(std::make_unique<SIMTgraphNode_st>(std::move(node)));
  return nodes.size() - 1;
}

std::size_t SIMTgraph_st::index_of(const SIMTgraphNode_st* node) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [node](const auto& own) { return own.get() == node; });
  return static_cast<std::size_t>(found - nodes.begin());
}

std::vector<std::size_t> SIMTgraph_st::order() const {
  std::vector<std::size_t> order;
  std::vector<bool> done(nodes.size(), false);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t index = 0; index < nodes.size(); ++index) {
      const auto& after = nodes[index]->after;
      if (done[index] ||
          !std::all_of(after.begin(), after.end(), [&](std::size_t other) { return done[other]; }))
        continue;
      order.push_back(index);
      done[index] = progress = true;
    }
  }
  return order;
}

std::vector<bool> SIMTgraph_st::before(std::vector<std::size_t> left) const {
  std::vector<bool> before(nodes.size(), false);
  while (!left.empty()) {
    const std::size_t node = left.back();
    left.pop_back();
    if (before[node]) continue;
    before[node] = true;
    left.insert(left.end(), nodes[node]->after.begin(), nodes[node]->after.end());
  }
  return before;
}

bool SIMTgraph_st::has_memory_nodes() const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const auto& node) { return is_memory_node(*node); });
}

bool SIMTgraph_st::has_conditional_nodes() const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const auto& node) { return node->conditional != nullptr; });
}

bool SIMTgraphExec_st::has_memory_nodes() const {
  return std::any_of(nodes.begin(), nodes.end(), is_memory_node);
}

namespace simtrt {
namespace {

std::atomic<unsigned long long> next_capture{1};

thread_local simtStreamCaptureMode thread_mode = simtStreamCaptureModeGlobal;

// Captures in progress; guarded by capture_mutex().
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

// True if all nodes of the capture precede the last node of its origin stream.
bool is_joined(const Capture& capture) {
  const std::vector<bool> before = capture.graph->before(capture.origin->capture_tail);
  return std::all_of(capture.members.begin(), capture.members.end(), [&](const auto& member) {
    return std::all_of(member->capture_tail.begin(), member->capture_tail.end(),
                       [&](std::size_t node) { return before[node]; });
  });
}

}  // namespace

std::shared_ptr<SIMTgraph_st> graph_of_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return nullptr;
  const std::lock_guard lock(capture_mutex());
  return stream->capture == nullptr ? nullptr : stream->capture->graph;
}

std::shared_ptr<SIMTgraph_st> find_graph_of_capture(
    const std::function<bool(const SIMTgraph_st&)>& predicate) {
  for (const auto& capture : going_on()) {
    if (predicate(*capture->graph)) return capture->graph;
  }
  return nullptr;
}

namespace {

thread_local WorkSink* current_sink = nullptr;

}  // namespace

WorkSink::WorkSink() { current_sink = this; }
WorkSink::~WorkSink() { current_sink = nullptr; }
WorkSink* WorkSink::current() { return current_sink; }

std::shared_ptr<SIMTgraph_st> find_graph(simtGraph_t handle) {
  if (auto graph = graph_handles().find(handle)) return graph;
  const std::lock_guard lock(capture_mutex());
  return find_graph_of_capture([=](const SIMTgraph_st& found) { return &found == handle; });
}

std::shared_ptr<SIMTgraph_st> graph_of_node(const SIMTgraphNode_st* node) {
  const auto has_node = [node](const SIMTgraph_st& graph) {
    return graph.index_of(node) != graph.nodes.size();
  };
  if (node == nullptr) return nullptr;
  const auto graph = graph_handles().find_if(has_node);
  return graph != nullptr ? graph : find_graph_of_capture(has_node);
}

std::shared_ptr<SIMTgraphExec_st> instantiate(const SIMTgraph_st& graph) {
  const std::vector<std::size_t> order = graph.order();
  if (order.size() != graph.nodes.size()) return nullptr;
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  auto exec = std::make_shared<SIMTgraphExec_st>();
  for (const std::size_t index : order) {
    SIMTgraphNode_st node = *graph.nodes[index];
    for (std::size_t& other : node.after) other = place[other];
    node.origin = graph.nodes[index].get();
    if (node.graph != nullptr && (node.child = instantiate(*node.graph)) == nullptr) return nullptr;
    if (node.conditional != nullptr &&
        (node.conditional = instantiate(*node.conditional)) == nullptr) {
      return nullptr;
    }
    exec->nodes.push_back(std::move(node));
  }
  exec->conditions = graph.conditions;
  exec->objects = graph.objects;
  return exec;
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

Capture::Capture(std::shared_ptr<Stream> origin, simtStreamCaptureMode mode,
                 std::shared_ptr<SIMTgraph_st> graph)
    : origin(std::move(origin)),
      mode(mode),
      thread(std::this_thread::get_id()),
      id(next_capture.fetch_add(1)),
      graph(std::move(graph)),
      members{this->origin} {}

namespace {

// Finds a captured stream for which the given stream would wait. The default stream waits for all
// streams that are not simtStreamNonBlocking, and a captured stream never completes. The caller
// holds the lock of captures.
simtError_t find_implicit_wait(const Stream& stream, Capture** waited_for) {
  *waited_for = nullptr;
  if (!stream.legacy) return simtSuccess;
  for (const auto& capture : going_on()) {
    for (const auto& member : capture->members) {
      if (&member->device == &stream.device && (member->flags & simtStreamNonBlocking) == 0) {
        *waited_for = capture.get();
        return simtErrorStreamCaptureImplicit;
      }
    }
  }
  return simtSuccess;
}

simtError_t break_implicit_wait(const Stream& stream) {
  Capture* waited_for;
  const simtError_t error = find_implicit_wait(stream, &waited_for);
  return error == simtSuccess ? error : invalidate(*waited_for, error);
}

}  // namespace

simtError_t add_to_capture(const std::shared_ptr<Stream>& stream, SIMTgraphNode_st node,
                           bool* captured) {
  *captured = false;
  if (captures_going_on().load() == 0) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  const auto& capture = stream->capture;
  if (capture == nullptr) return simtSuccess;
  *captured = true;
  if (capture->invalidated) return simtErrorStreamCaptureInvalidated;
  node.after = stream->capture_tail;
  stream->capture_tail = {capture->graph->add(std::move(node))};
  return simtSuccess;
}

simtError_t submit(const std::shared_ptr<Stream>& stream, std::shared_ptr<const Work> work,
                   simtGraphNodeType type) {
  if (WorkSink* sink = WorkSink::current()) {
    sink->work = std::move(work);
    return simtSuccess;
  }
  if (captures_going_on().load() != 0) {
    bool captured;
    const simtError_t error = add_to_capture(stream, {type, work, {}, {}, {}}, &captured);
    if (captured) return error;
    if (const simtError_t implicit = forbid_implicit_wait(stream)) return implicit;
  }
  const std::uint64_t number = stream->device.submit(stream, std::move(work));
  // Largest number of incomplete pieces of work of a stream. Without a limit, a program that never
  // waits would exhaust memory; CUDA blocks in this case as well. A kernel does not block here,
  // because it might wait for its own thread.
  constexpr std::uint64_t kMostAhead = 1024;
  if (number > kMostAhead && StreamGrid::current() == nullptr && !Workers::is_worker())
    stream->wait(number - kMostAhead);
  return simtSuccess;
}

simtError_t forbid_implicit_wait(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0 || !stream->legacy) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  return break_implicit_wait(*stream);
}

simtError_t check_implicit_wait(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0 || !stream->legacy) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  Capture* waited_for;
  return find_implicit_wait(*stream, &waited_for);
}

simtError_t forbid_in_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  if (stream->capture != nullptr)
    return invalidate(*stream->capture, simtErrorStreamCaptureUnsupported);
  return break_implicit_wait(*stream);
}

simtError_t forbid_in_capture(const Device& device) {
  if (captures_going_on().load() == 0) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  simtError_t error = simtSuccess;
  for (const auto& capture : going_on()) {
    for (const auto& member : capture->members) {
      if (&member->device == &device)
        error = invalidate(*capture, simtErrorStreamCaptureUnsupported);
    }
  }
  return error;
}

simtError_t check_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  if (stream->capture != nullptr)
    return stream->capture->invalidated ? simtErrorStreamCaptureInvalidated : simtSuccess;
  return break_implicit_wait(*stream);
}

void break_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return;
  const std::lock_guard lock(capture_mutex());
  if (stream->capture != nullptr) stream->capture->invalidated = true;
}

simtError_t forbid_unsafe_call() {
  if (captures_going_on().load() == 0 || thread_mode == simtStreamCaptureModeRelaxed)
    return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  const auto self = std::this_thread::get_id();
  simtError_t error = simtSuccess;
  for (const auto& capture : going_on()) {
    const bool forbids =
        capture->mode == simtStreamCaptureModeGlobal
            ? thread_mode == simtStreamCaptureModeGlobal || capture->thread == self
            : capture->mode == simtStreamCaptureModeThreadLocal && capture->thread == self;
    if (forbids) error = invalidate(*capture, simtErrorStreamCaptureUnsupported);
  }
  return error;
}

simtError_t begin_capture(const std::shared_ptr<Stream>& stream, simtStreamCaptureMode mode,
                          std::shared_ptr<SIMTgraph_st> graph, std::vector<std::size_t> after) {
  if (stream->legacy) return simtErrorStreamCaptureUnsupported;
  const std::lock_guard lock(capture_mutex());
  if (stream->capture != nullptr) return simtErrorIllegalState;
  stream->capture = std::make_shared<Capture>(stream, mode, std::move(graph));
  stream->capture_tail = std::move(after);
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
  const bool joined = is_joined(*capture);
  end(capture);
  if (capture->invalidated) return simtErrorStreamCaptureInvalidated;
  if (capture->mode != simtStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    return simtErrorStreamCaptureWrongThread;
  }
  if (!joined) return simtErrorStreamCaptureUnjoined;
  *graph = capture->graph;
  return simtSuccess;
}

void leave_capture(const std::shared_ptr<Stream>& stream) {
  if (captures_going_on().load() == 0) return;
  const std::lock_guard lock(capture_mutex());
  const auto capture = stream->capture;
  if (capture != nullptr && capture->origin == stream) end(capture);
}

simtStreamCaptureMode exchange_thread_mode(simtStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

}  // namespace simtrt
