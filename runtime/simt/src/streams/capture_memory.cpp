// Allocations and frees during a capture: they become memory nodes of the captured graph.
#include "streams/graph.h"

#include <algorithm>
#include <optional>

namespace simtrt {
namespace {

// Last node of a graph that allocates or frees `memory`; empty if there is none. Allocations and
// frees of the same memory alternate.
std::optional<std::size_t> last_memory_node(const SIMTgraph_st& graph, const GraphMemory& memory) {
  for (std::size_t index = graph.nodes.size(); index-- > 0;) {
    if (graph.nodes[index]->memory.get() == &memory) return index;
  }
  return std::nullopt;
}

bool allocates(const SIMTgraph_st& graph, const GraphMemory& memory) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return node->type == simtGraphNodeTypeMemAlloc && node->memory.get() == &memory;
  });
}

// Memory of the graph that an allocation on the stream may reuse. Nodes that precede the stream's
// next node must have freed the memory; the memory must be large enough; the allocation must use
// most of it.
std::shared_ptr<GraphMemory> find_freed(const SIMTgraph_st& graph, const Stream& stream, int device,
                                        std::size_t size) {
  const std::vector<bool> before = graph.before(stream.capture_tail);
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    const SIMTgraphNode_st& node = *graph.nodes[index];
    if (node.type != simtGraphNodeTypeMemFree || !before[index]) continue;
    const GraphMemory& memory = *node.memory;
    if (memory.device == device && memory.size >= size && memory.size / 2 <= size &&
        last_memory_node(graph, memory) == index && allocates(graph, memory)) {
      return node.memory;
    }
  }
  return nullptr;
}

void add_node(Stream& stream, simtGraphNodeType type, std::shared_ptr<GraphMemory> memory) {
  stream.capture_tail = {
      stream.capture->graph->add({type, {}, {}, {}, std::move(memory), stream.capture_tail})};
}

}  // namespace

simtError_t capture_allocation(const std::shared_ptr<Stream>& stream, int device, std::size_t size,
                               void** pointer, bool* captured) {
  *captured = false;
  if (captures_going_on().load() == 0) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  if (stream->capture == nullptr) return simtSuccess;
  *captured = true;
  *pointer = nullptr;
  if (stream->capture->invalidated) return simtErrorStreamCaptureInvalidated;
  auto memory = find_freed(*stream->capture->graph, *stream, device, size);
  if (memory == nullptr) {
    const simtError_t error = GraphMemory::allocate(device, size, &memory);
    if (error != simtSuccess) return error;
  }
  *pointer = memory->begin;
  add_node(*stream, simtGraphNodeTypeMemAlloc, std::move(memory));
  return simtSuccess;
}

simtError_t capture_free(const std::shared_ptr<Stream>& stream, void* pointer, bool* captured) {
  *captured = false;
  if (captures_going_on().load() == 0) return simtSuccess;
  const std::lock_guard lock(capture_mutex());
  if (stream->capture == nullptr) return simtSuccess;
  *captured = true;
  if (stream->capture->invalidated) return simtErrorStreamCaptureInvalidated;
  auto memory = GraphMemory::find(pointer);
  if (memory == nullptr) return simtErrorInvalidValue;
  const SIMTgraph_st& graph = *stream->capture->graph;
  const auto last = last_memory_node(graph, *memory);
  // A graph may free memory of another graph once. It may free its own memory as often as it
  // allocates this memory.
  if (last && graph.nodes[*last]->type == simtGraphNodeTypeMemFree) return simtErrorInvalidValue;
  add_node(*stream, simtGraphNodeTypeMemFree, std::move(memory));
  return simtSuccess;
}

}  // namespace simtrt
