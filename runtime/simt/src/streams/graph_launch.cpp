// Launches of graphs.
#include "streams/device.h"
#include "streams/event.h"
#include "streams/graph.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace simtrt {
namespace {

// Effect of a launch on graph memory: memory that is still allocated after the launch, and memory
// of earlier launches that the launch frees.
struct MemoryChange {
  std::unordered_set<GraphMemory*> allocated;
  std::unordered_set<GraphMemory*> freed;
};

simtError_t check_memory(const SIMTgraphExec_st& exec, MemoryChange* change) {
  for (const SIMTgraphNode_st& node : exec.nodes) {
    GraphMemory* memory = node.memory.get();
    if (memory != nullptr && !memory->is_there()) return simtErrorInvalidValue;
    if (node.type == simtGraphNodeTypeMemAlloc) {
      const bool stays = memory->is_allocated() && change->freed.count(memory) == 0;
      // CUDA rejects a launch that would allocate the same address twice.
      if ((stays && !exec.frees_on_launch) || !change->allocated.insert(memory).second)
        return simtErrorInvalidValue;
    } else if (node.type == simtGraphNodeTypeMemFree) {
      if (change->allocated.erase(memory) != 0) continue;
      if (!memory->is_allocated() || !change->freed.insert(memory).second)
        return simtErrorInvalidValue;
    }
  }
  return simtSuccess;
}

simtError_t put_node(const SIMTgraphNode_st& node, const std::shared_ptr<Stream>& stream) {
  if (!node.enabled) return simtSuccess;
  switch (node.type) {
    case simtGraphNodeTypeGraph: return put_nodes(*node.child, stream);
    case simtGraphNodeTypeConditional: return put_conditional(node.conditional, stream);
    case simtGraphNodeTypeEventRecord: return record_event(*node.event, stream);
    case simtGraphNodeTypeWaitEvent: return wait_for_record(*node.event, stream);
    case simtGraphNodeTypeEmpty:
    case simtGraphNodeTypeMemAlloc:
    case simtGraphNodeTypeMemFree: return simtSuccess;
    default: return submit(stream, node.work, node.type);
  }
}

// Variables of the graph that begin each launch with their default values.
std::vector<std::shared_ptr<Condition>> assigned_at_launch(const SIMTgraphExec_st& exec) {
  std::vector<std::shared_ptr<Condition>> found;
  std::copy_if(exec.conditions.begin(), exec.conditions.end(), std::back_inserter(found),
               [](const auto& condition) { return condition->assigned_at_launch; });
  return found;
}

}  // namespace

simtError_t put_nodes(const SIMTgraphExec_st& exec, const std::shared_ptr<Stream>& stream) {
  if (auto conditions = assigned_at_launch(exec); !conditions.empty()) {
    const auto assign = [conditions = std::move(conditions)] {
      for (const auto& condition : conditions) condition->assign_initial();
    };
    const simtError_t error =
        submit(stream, TaskWork{"simtGraphLaunch", assign}, simtGraphNodeTypeConditional);
    if (error != simtSuccess) return error;
  }
  for (const SIMTgraphNode_st& node : exec.nodes) {
    if (const simtError_t error = put_node(node, stream)) return error;
  }
  return simtSuccess;
}

simtError_t launch_graph(const std::shared_ptr<SIMTgraphExec_st>& exec,
                         const std::shared_ptr<Stream>& stream) {
  const bool has_memory = exec->has_memory_nodes();
  if (captures_going_on().load() != 0) {
    // A child graph cannot contain memory nodes.
    if (has_memory && graph_of_capture(stream) != nullptr) return simtErrorInvalidValue;
    bool captured;
    const simtError_t error =
        add_to_capture(stream, {simtGraphNodeTypeGraph, {}, {}, exec, {}}, &captured);
    if (captured) return error;
    if (const simtError_t implicit = forbid_implicit_wait(stream)) return implicit;
  }
  const std::lock_guard lock(exec->mutex);
  MemoryChange change;
  if (const simtError_t error = check_memory(*exec, &change)) return error;
  const auto empty = [](auto run) {
    return std::make_shared<const Work>(TaskWork{"simtGraphLaunch", std::move(run)});
  };
  const Dependency& last = exec->last_launch;
  if (last.stream != nullptr && last.stream != stream && !last.stream->reached(last.count))
    stream->device.submit(stream, empty([] {}), {last});
  if (const simtError_t error = put_nodes(*exec, stream)) return error;
  for (GraphMemory* memory : change.freed) memory->note_freed();
  for (GraphMemory* memory : change.allocated) memory->note_allocated();
  // This work keeps memory and objects alive until the earlier work that uses them is complete.
  if (has_memory || !exec->objects.empty()) stream->device.submit(stream, empty([exec] {}));
  exec->last_launch = {stream, stream->last()};
  return simtSuccess;
}

}  // namespace simtrt
