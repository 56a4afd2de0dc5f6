#include "Bindings.h"

#include "../Backend.h"
#include "../release/PythonTraceback.h"

#include <torch/csrc/Exceptions.h>

namespace at::cuda::backend::python {
namespace {

// Converts all call stacks to lists of frames at once, because many stacks share frames.
class Frames {
 public:
  void add(const py::dict& into, const Context& context) {
    auto* const traceback = dynamic_cast<release::Traceback*>(context.get());
    if (traceback == nullptr) {
      into["frames"] = py::list();
      return;
    }
    tracebacks_.push_back(traceback);
    targets_.push_back(into);
  }

  void write() {
    const auto frames = release::framesOf(tracebacks_);
    for (const auto i : c10::irange(frames.size())) {
      targets_[i]["frames"] = frames[i];
    }
  }

 private:
  std::vector<release::Traceback*> tracebacks_;
  std::vector<py::dict> targets_;
};

py::dict dictOf(const Block& block, Frames& frames) {
  py::dict result;
  result["address"] = block.address;
  result["size"] = block.size;
  result["requested_size"] = block.requested_size;
  result["state"] = block.allocated ? "active_allocated"
                    : block.active  ? "active_pending_free"
                                    : "inactive";
  frames.add(result, block.context);
  return result;
}

py::dict dictOf(const Segment& segment, Frames& frames) {
  py::list blocks;
  for (const Block& block : segment.blocks) {
    blocks.append(dictOf(block, frames));
  }
  py::dict result;
  result["device"] = static_cast<int>(segment.device);
  result["address"] = segment.address;
  result["total_size"] = segment.total_size;
  result["allocated_size"] = segment.allocated_size;
  result["active_size"] = segment.active_size;
  result["requested_size"] = segment.requested_size;
  result["stream"] = segment.stream;
  result["segment_type"] = segment.is_large ? "large" : "small";
  result["segment_pool_id"] = segment.pool;
  result["is_expandable"] = segment.is_expandable;
  frames.add(result, segment.context);
  result["blocks"] = blocks;
  return result;
}

py::dict dictOf(const TraceEntry& entry, Frames& frames) {
  py::dict result;
  if (entry.context != nullptr) {
    frames.add(result, entry.context);
  }
  result["action"] = entry.action;
  result[entry.out_of_memory ? "device_free" : "addr"] = entry.address;
  result["size"] = entry.size;
  result["stream"] = entry.stream;
  result["time_us"] = entry.time;
  return result;
}

py::dict dictOf(const Annotation& annotation) {
  py::dict result;
  for (const auto& [key, value] : annotation.metadata) {
    result[py::str(key)] = value;
  }
  result["device"] = static_cast<int>(annotation.device);
  result["time_us"] = annotation.time;
  return result;
}

py::dict dictOf(const AllocatorSettings& settings) {
  py::dict divisions;
  size_t key = 1;
  for (const size_t value : settings.roundup_power2_divisions) {
    divisions[py::str(std::to_string(key))] = value;
    key *= 2;
  }
  py::dict result;
  result["last_allocator_settings"] = settings.last_allocator_settings;
  result["max_split_size"] = static_cast<int64_t>(settings.max_split_size);
  result["garbage_collection_threshold"] = settings.garbage_collection_threshold;
  result["expandable_segments"] = settings.expandable_segments;
  result["pinned_num_register_threads"] = settings.pinned_num_register_threads;
  result["release_lock_on_malloc"] = settings.release_lock_on_malloc;
  result["pinned_use_host_register"] = settings.pinned_use_host_register;
  result["roundup_power2_divisions"] = divisions;
  return result;
}

py::dict memorySnapshot() {
  const MemorySnapshot known = memory_snapshot();
  Frames frames;
  py::list segments, traces, annotations;
  for (const Segment& segment : known.segments) {
    segments.append(dictOf(segment, frames));
  }
  for (const auto& entries : known.traces) {
    py::list trace;
    for (const TraceEntry& entry : entries) {
      trace.append(dictOf(entry, frames));
    }
    traces.append(trace);
  }
  for (const Annotation& annotation : known.annotations) {
    annotations.append(dictOf(annotation));
  }
  frames.write();
  py::dict result;
  result["segments"] = segments;
  result["device_traces"] = traces;
  result["allocator_settings"] = dictOf(known.settings);
  result["external_annotations"] = annotations;
  return result;
}

}  // namespace

void bindMemorySnapshot(py::module_& module) {
  using torch::wrap_pybind_function;
  module.def("memory_snapshot", wrap_pybind_function(memorySnapshot));
  module.def("record_memory_history", wrap_pybind_function(record_memory_history),
             py::arg("enabled"), py::arg("context"), py::arg("stacks"), py::arg("max_entries"));
}

}  // namespace at::cuda::backend::python
