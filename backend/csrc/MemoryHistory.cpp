// State and history of the caching allocator, with the call stacks of its actions.

#include "Backend.h"
#include "release/Allocator.h"
#include "release/Traceback.h"

#include <ATen/record_function.h>
#include <c10/util/CallOnce.h>

namespace at::cuda::backend {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

Segment segmentOf(const allocator::SegmentInfo& info) {
  Segment result;
  result.device = info.device;
  result.address = info.address;
  result.total_size = info.total_size;
  result.allocated_size = info.allocated_size;
  result.active_size = info.active_size;
  result.requested_size = info.requested_size;
  result.stream = reinterpret_cast<uintptr_t>(info.stream);
  result.is_large = info.is_large;
  result.is_expandable = info.is_expandable;
  result.pool = info.owner_private_pool_id;
  size_t address = info.address;
  result.context = info.context_when_allocated;
  for (const auto& block : info.blocks) {
    result.blocks.push_back({address, block.size, block.requested_size, block.allocated,
                             block.active, block.context_when_allocated});
    address += block.size;
  }
  return result;
}

const char* nameOf(allocator::TraceEntry::Action action) {
  using allocator::TraceEntry;
  switch (action) {
    case TraceEntry::ALLOC:
      return "alloc";
    case TraceEntry::FREE_REQUESTED:
      return "free_requested";
    case TraceEntry::FREE_COMPLETED:
      return "free_completed";
    case TraceEntry::SEGMENT_ALLOC:
      return "segment_alloc";
    case TraceEntry::SEGMENT_FREE:
      return "segment_free";
    case TraceEntry::SEGMENT_MAP:
      return "segment_map";
    case TraceEntry::SEGMENT_UNMAP:
      return "segment_unmap";
    case TraceEntry::SNAPSHOT:
      return "snapshot";
    case TraceEntry::OOM:
      return "oom";
  }
  TORCH_INTERNAL_ASSERT(false, "an action of the allocator without a name");
}

TraceEntry entryOf(const allocator::TraceEntry& entry) {
  TraceEntry result;
  result.action = nameOf(entry.action_);
  result.out_of_memory = entry.action_ == allocator::TraceEntry::OOM;
  result.address = entry.addr_;
  result.size = entry.size_;
  result.stream = reinterpret_cast<uintptr_t>(entry.stream_);
  result.time = release::timeOf(entry);
  result.context = entry.context_;
  return result;
}

Context gatherPython() { return release::gatherCalls(/*native=*/false); }

Context gatherAll() { return release::gatherCalls(/*native=*/true); }

void checkOneOf(const std::string& name, const std::string& value,
                std::initializer_list<const char*> known) {
  for (const char* const each : known) {
    if (value == each) {
      return;
    }
  }
  TORCH_CHECK(false, "'", value, "' is no ", name, " of a memory history: those are ",
              c10::Join(", ", std::vector<std::string>(known.begin(), known.end())));
}

allocator::RecordContext whenOf(const std::optional<std::string>& context) {
  if (!context) {
    return allocator::RecordContext::NEVER;
  }
  if (*context == "state") {
    return allocator::RecordContext::STATE;
  }
  return *context == "alloc" ? allocator::RecordContext::ALLOC : allocator::RecordContext::ALL;
}

// Ranges of record_function are part of the history.
void recordAnnotations() {
  static c10::once_flag once;
  c10::call_once(once, [] {
    addGlobalCallback(RecordFunctionCallback(
                          [](const RecordFunction& range) -> std::unique_ptr<ObserverContext> {
                            release::recordAnnotation(range.name(), "START");
                            return nullptr;
                          },
                          [](const RecordFunction& range, ObserverContext*) {
                            release::recordAnnotation(range.name(), "END");
                          })
                          .scopes({RecordScope::USER_SCOPE}));
  });
}

}  // namespace

MemorySnapshot memory_snapshot() {
  const auto known = release::snapshot(active_pool_id());
  MemorySnapshot result;
  for (const auto& segment : known.segments) {
    result.segments.push_back(segmentOf(segment));
  }
  for (const auto& trace : known.device_traces) {
    auto& entries = result.traces.emplace_back();
    for (const auto& entry : trace) {
      entries.push_back(entryOf(entry));
    }
  }
  result.annotations = release::annotationsOf(known);
  result.settings = release::settingsOf(known);
  return result;
}

void record_memory_history(const std::optional<std::string>& enabled,
                           const std::optional<std::string>& context, const std::string& stacks,
                           size_t max_entries) {
  if (enabled) {
    checkOneOf("extent", *enabled, {"state", "all"});
  }
  if (context) {
    checkOneOf("context", *context, {"state", "alloc", "all"});
  }
  checkOneOf("kind of stacks", stacks, {"python", "all"});
  const bool native = enabled && context && stacks == "all";
  if (native) {
    gatherAll();  // warm-up: the first call is slow, and its allocations do not belong to the history
  }
  init();
  recordAnnotations();
  release::recordHistory(enabled.has_value(), native ? gatherAll : gatherPython,
                         enabled == "all" ? max_entries : 1, whenOf(context));
}

}  // namespace at::cuda::backend
