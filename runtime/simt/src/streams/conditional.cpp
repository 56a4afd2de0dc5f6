#include "streams/conditional.h"

#include "streams/device.h"
#include "streams/graph.h"

#include <algorithm>

namespace simtrt {
namespace {

bool is_permitted_in_body(const SIMTgraphNode_st& node) {
  switch (node.type) {
    case simtGraphNodeTypeKernel:
    case simtGraphNodeTypeMemcpy:
    case simtGraphNodeTypeMemset:
    case simtGraphNodeTypeEmpty:
    case simtGraphNodeTypeGraph:
    case simtGraphNodeTypeConditional: return true;
    default: return false;
  }
}

// One launch of a conditional node.
struct Run {
  std::shared_ptr<Conditional> node;
  std::shared_ptr<Stream> stream;  ///< of the bodies
  std::function<void()> done;      ///< completes the node's work
};

void end_body(const std::shared_ptr<Run>& run, simtError_t error);

// Submits the body that the condition selects, followed by the work that ends the body.
void begin_body(const std::shared_ptr<Run>& run, simtError_t error) {
  const SIMTgraphExec_st* body = error == simtSuccess ? run->node->selected() : nullptr;
  if (body == nullptr) return run->done();
  const simtError_t failure = put_nodes(*body, run->stream);
  if (failure != simtSuccess) run->stream->device.set_sticky(failure);
  const LaterWork end{"simtGraphLaunch", [run](simtError_t sticky, auto end_of_work) {
                        end_of_work();
                        end_body(run, sticky);
                      }};
  run->stream->device.submit(run->stream, std::make_shared<const Work>(end));
}

void end_body(const std::shared_ptr<Run>& run, simtError_t error) {
  if (run->node->type == simtGraphCondTypeWhile)
    begin_body(run, error);
  else
    run->done();
}

}  // namespace

const SIMTgraphExec_st* Conditional::selected() const {
  const unsigned value = condition->read();
  std::size_t index = value;
  if (type == simtGraphCondTypeIf) index = value != 0 ? 0 : 1;
  if (type == simtGraphCondTypeWhile && value != 0) index = 0;
  if (type == simtGraphCondTypeWhile && value == 0) return nullptr;
  return index < execs.size() ? execs[index].get() : nullptr;
}

std::shared_ptr<Conditional> instantiate(const Conditional& node) {
  auto copy = std::make_shared<Conditional>(node);
  for (const auto& body : node.bodies) {
    auto exec = instantiate(*body);
    if (exec == nullptr ||
        !std::all_of(exec->nodes.begin(), exec->nodes.end(), is_permitted_in_body)) {
      return nullptr;
    }
    copy->execs.push_back(std::move(exec));
  }
  return copy;
}

simtError_t put_conditional(const std::shared_ptr<Conditional>& node,
                            const std::shared_ptr<Stream>& stream) {
  auto bodies = stream->device.make_stream(simtStreamNonBlocking, stream->priority);
  bodies->is_inside_node = true;
  return submit(stream,
                LaterWork{"simtGraphLaunch",
                          [node, bodies](simtError_t error, std::function<void()> done) {
                            begin_body(std::make_shared<Run>(Run{node, bodies, std::move(done)}),
                                       error);
                          }},
                simtGraphNodeTypeConditional);
}

}  // namespace simtrt
