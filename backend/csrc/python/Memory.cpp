#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

namespace at::cuda::backend::python {
namespace {

using CachingDeviceAllocator::DeviceStats;
using CachingDeviceAllocator::Stat;
using CachingDeviceAllocator::StatArray;

py::dict dictOf(const Stat& stat) {
  py::dict result;
  result["current"] = stat.current;
  result["peak"] = stat.peak;
  result["allocated"] = stat.allocated;
  result["freed"] = stat.freed;
  return result;
}

py::dict dictOf(const StatArray& stats) {
  static constexpr std::array<const char*, std::tuple_size_v<StatArray>> pools{"all", "small_pool",
                                                                               "large_pool"};
  py::dict result;
  for (const auto i : c10::irange(pools.size())) {
    result[pools[i]] = dictOf(stats[i]);
  }
  return result;
}

// With the keys of torch.cuda, whose functions that flatten and print this are well known.
py::dict memoryStats(DeviceIndex index) {
  const DeviceStats stats = memory_stats(index);
  py::dict result;
  result["num_alloc_retries"] = stats.num_alloc_retries;
  result["num_ooms"] = stats.num_ooms;
  result["max_split_size"] = stats.max_split_size;
  result["num_sync_all_streams"] = stats.num_sync_all_streams;
  result["num_device_alloc"] = stats.num_device_alloc;
  result["num_device_free"] = stats.num_device_free;
  result["allocation"] = dictOf(stats.allocation);
  result["segment"] = dictOf(stats.segment);
  result["active"] = dictOf(stats.active);
  result["inactive_split"] = dictOf(stats.inactive_split);
  result["allocated_bytes"] = dictOf(stats.allocated_bytes);
  result["reserved_bytes"] = dictOf(stats.reserved_bytes);
  result["active_bytes"] = dictOf(stats.active_bytes);
  result["inactive_split_bytes"] = dictOf(stats.inactive_split_bytes);
  result["requested_bytes"] = dictOf(stats.requested_bytes);
  result["oversize_allocations"] = dictOf(stats.oversize_allocations);
  result["oversize_segments"] = dictOf(stats.oversize_segments);
  return result;
}

py::dict dictOf(const Block& block) {
  py::dict result;
  result["address"] = block.address;
  result["size"] = block.size;
  result["requested_size"] = block.requested_size;
  result["state"] = block.allocated ? "active_allocated"
                    : block.active  ? "active_pending_free"
                                    : "inactive";
  result["frames"] = py::list();
  return result;
}

py::dict dictOf(const Segment& segment) {
  py::list blocks;
  for (const Block& block : segment.blocks) {
    blocks.append(dictOf(block));
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
  result["frames"] = py::list();
  result["blocks"] = blocks;
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
  py::list segments;
  for (const Segment& segment : known.segments) {
    segments.append(dictOf(segment));
  }
  py::list traces;  // one a device; nothing records a history
  for ([[maybe_unused]] const auto i : c10::irange(device_count())) {
    traces.append(py::list());
  }
  py::dict result;
  result["segments"] = segments;
  result["device_traces"] = traces;
  result["allocator_settings"] = dictOf(known.settings);
  return result;
}

void attachObserver(py::function function) {
  // Leaked on purpose: the allocator keeps observers until the process ends, when Python may be
  // gone.
  auto* const kept = new py::function(std::move(function));
  attach_out_of_memory_observer(
      [kept](int64_t device, size_t asked, size_t allocated, size_t free) {
        const py::gil_scoped_acquire gil;
        (*kept)(device, asked, allocated, free);
      });
}

}  // namespace

void bindMemory(py::module_& module) {
  using torch::wrap_pybind_function;
  using torch::wrap_pybind_function_no_gil;

  module.def("memory_stats", wrap_pybind_function(memoryStats), py::arg("index"));
  module.def("reset_accumulated_memory_stats", wrap_pybind_function(reset_accumulated_memory_stats),
             py::arg("index"));
  module.def("reset_peak_memory_stats", wrap_pybind_function(reset_peak_memory_stats),
             py::arg("index"));
  module.def("empty_cache", wrap_pybind_function_no_gil(empty_cache));
  module.def("host_empty_cache", wrap_pybind_function_no_gil(host_empty_cache));
  module.def("set_memory_fraction", wrap_pybind_function(set_memory_fraction), py::arg("fraction"),
             py::arg("index"));
  module.def("get_memory_fraction", wrap_pybind_function(get_memory_fraction), py::arg("index"));
  module.def("memory_snapshot", wrap_pybind_function(memorySnapshot));
  module.def("caching_allocator_alloc", wrap_pybind_function_no_gil(caching_allocator_alloc),
             py::arg("size"), py::arg("stream"));
  module.def("caching_allocator_delete", wrap_pybind_function_no_gil(caching_allocator_delete),
             py::arg("pointer"));
  module.def("caching_allocator_enable", wrap_pybind_function(caching_allocator_enable),
             py::arg("enabled"));
  module.def("set_allocator_settings", wrap_pybind_function(set_allocator_settings),
             py::arg("settings"));
  module.def("allocator_backend", wrap_pybind_function(allocator_backend));
  module.def("attach_out_of_memory_observer", wrap_pybind_function(attachObserver),
             py::arg("observer"));
  module.def("is_pinned_ptr", wrap_pybind_function(is_pinned_ptr), py::arg("pointer"));
}

}  // namespace at::cuda::backend::python
